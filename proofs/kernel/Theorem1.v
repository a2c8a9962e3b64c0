(** The theorems of the page (notes/theorem1.md, section 1). *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Thresholds Probability Exponential Rows RowsOf12 RowsSharper Sizes
  InnerOutputs EndOutputs Bridge.
Open Scope R_scope.

Theorem well_defined : well_defined_statement.
Proof.
intros p lam B Lam A x f S _ HS. assert (Cd := conditions_of_admissible _ _ _ _ 11 (/ 128) ltac:(lia) ltac:(lra) A).
apply ex_RInt_ext with (2 := hit_integrable p lam B Lam Cd (clamp B f) S x HS). intros v _. symmetry.
apply returns_is_hit; auto.
Qed.

(** The bound for clamped values, with any constant whose table holds. *)
Section Core.
Variables C wide e0 : R.
Hypothesis Tb : table C wide e0.
Hypothesis HC : 112/10 <= C.
Variables (p : Z) (lam B Lam : R).
Hypothesis Cd : conditions p lam B Lam.
Hypothesis He0 : eta p <= e0 /\ e0 <= / 2048.
Hypothesis Hwide : 0 < wide /\ wide * (B * eta p) <= lam.

Lemma bound_ge_1 Delta : 0 <= Delta -> 1 <= bound p lam B C Delta.
Proof.
intros HD. destruct Cd as [_ [Hl _] [HB _] _ _]. assert (He := eta_pos p).
assert (I : 0 < / lam) by (apply Rinv_0_lt_compat; auto).
unfold bound. rewrite <- exp_0. apply exp_le. assert (0 <= Delta / lam) by (apply Rmult_le_pos; lra).
assert (0 <= C * (B * eta p / lam)) by (apply Rmult_le_pos; [|apply Rmult_le_pos; [apply Rmult_le_pos|]]; lra). lra.
Qed.

Theorem core_bound Delta c c' x : is_float p c -> is_float p c' -> Rabs c <= B -> Rabs c' <= B ->
  Rabs (c - c') <= Delta ->
  regular_core p B Delta -> P p lam B Lam x c <= bound p lam B C Delta * P p lam B Lam x c'.
Proof.
intros Fc Fc' Bc Bc' HD Reg. assert (D0 : 0 <= Delta) by (assert (Q := Rabs_pos (c - c')); lra).
destruct (Req_dec c c') as [<-|N].
{ assert (B1 := bound_ge_1 Delta D0). assert (P0 := P_ge_0 p lam B Lam Cd x c).
  assert (1 * P p lam B Lam x c <= bound p lam B C Delta * P p lam B Lam x c) by (apply Rmult_le_compat_r; auto). lra. }
assert (Cd' := Cd). destruct Cd' as [_ _ _ [m [E _]] _]. subst Lam. assert (HB := B_positive Cd).
destruct (output_kinds B m x) as [->|[->|[(k & -> & Hx)|(N1 & N2 & N3)]]].
- apply top_output; auto. lra.
- apply bottom_output; auto. lra.
- apply inner_output with wide e0; auto.
- rewrite !P_never by auto. lra.
Qed.
End Core.

(** The same for the mechanism itself. *)
Theorem bound_of_table C wide e0 least_p most : table C wide e0 -> 112/10 <= C -> (11 <= least_p)%Z ->
  bpow radix2 (- least_p) <= e0 -> e0 <= / 2048 -> 0 < wide -> wide * most <= 1 -> most <= / 128 ->
    bound_statement C least_p most regular.
Proof.
intros Tb HC Hl He0 He1 Hw Hm Hm1 p lam B Lam A Delta f f' [[Ff Ff'] HD] Reg x.
assert (Cd := conditions_of_admissible _ _ _ _ _ _ Hl Hm1 A). destruct A as [Hp _ _ _ Hwide].
assert (Cd' := Cd). destruct Cd' as [Hp1 [L0 Fl] [HB FB] _ _].
assert (E : eta p <= e0) by (apply Rle_trans with (2 := He0); apply bpow_le; lia).
assert (W : wide * (B * eta p) <= lam).
{ apply Rmult_le_compat_r with (r := lam) in Hwide; [|lra].
  replace (B * eta p / lam * lam) with (B * eta p) in Hwide by (field; lra).
  apply Rle_trans with (wide * (most * lam)); [apply Rmult_le_compat_l; lra|].
  rewrite <- Rmult_assoc. rewrite <- (Rmult_1_l lam) at 2. apply Rmult_le_compat_r; lra. }
apply p_bit_float in Ff; [|lia]. apply p_bit_float in Ff'; [|lia].
assert (Q := core_bound C wide e0 Tb HC p lam B Lam Cd (conj E He1) (conj Hw W) Delta).
assert (D1 := clamp_not_further B ltac:(lra) f f'). assert (D2 := clamp_not_further B ltac:(lra) f' f).
rewrite (Rabs_minus_sym f' f) in D2.
rewrite (Pr_is_P p lam B Lam Cd x f), (Pr_is_P p lam B Lam Cd x f').
split; apply Q; try apply clamp_float; try apply clamp_within; try apply regular_is_core; auto; lra.
Qed.

Theorem theorem_12 : theorem_12_statement.
Proof.
apply bound_of_table with 128 (/ 2048); try lra; [apply table_of_12 | lia |].
change (bpow radix2 (- (11))) with (/ 2048). lra.
Qed.

Theorem theorem_sharper : theorem_sharper_statement.
Proof.
apply bound_of_table with 8192 (/ 16777216); try lra; [apply table_sharper | lia |].
change (bpow radix2 (- (24))) with (/ 16777216). lra.
Qed.

Lemma loss_weaken p lam B Lam loss loss' f f' : conditions p lam B Lam -> loss <= loss' ->
  loss_at_most p lam B Lam loss f f' -> loss_at_most p lam B Lam loss' f f'.
Proof.
intros Cd Hl H x. assert (E := exp_le _ _ Hl). assert (P1 := P_ge_0 p lam B Lam Cd x (clamp B f)).
assert (P2 := P_ge_0 p lam B Lam Cd x (clamp B f')).
destruct (H x) as [H1 H2]. rewrite (Pr_is_P p lam B Lam Cd x f), (Pr_is_P p lam B Lam Cd x f') in *.
split; [apply Rle_trans with (1 := H1) | apply Rle_trans with (1 := H2)]; apply Rmult_le_compat_r; auto.
Qed.

Lemma spacing_exists p x : 0 < x -> exists h, spacing_at p x h.
Proof.
intros Hx. exists (bpow radix2 (mag radix2 x - p)), (mag radix2 x - 1)%Z.
replace (mag radix2 x - 1 + 1)%Z with (mag_val radix2 x (mag radix2 x)) by ring. split; auto.
destruct (mag radix2 x) as [e He]; simpl. rewrite <- (Rabs_pos_eq x) by lra. apply He. lra.
Qed.

Lemma spacing_pos p x h : spacing_at p x h -> 0 < h <= 2 * (x * eta p).
Proof.
intros (e & He & ->). split; [apply bpow_gt_0|]. replace (e + 1 - p)%Z with (1 + e + - p)%Z by ring. rewrite !bpow_plus.
change (bpow radix2 1) with 2. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
apply Rmult_le_compat_r; [apply bpow_ge_0 | apply He].
Qed.

Lemma next_multiple h Delta : 0 < h -> Delta <= IZR (Zceil (Delta / h)) * h < Delta + h.
Proof.
intros Hh. assert (E : Delta / h * h = Delta) by (field; lra). assert (U := Zceil_ub (Delta / h)).
assert (U' : IZR (Zceil (Delta / h)) < Delta / h + 1).
{ destruct (Req_dec (IZR (Zfloor (Delta / h))) (Delta / h)) as [e|e].
  - rewrite <- e at 1. rewrite Zceil_IZR. lra.
  - rewrite Zceil_floor_neq by auto. rewrite plus_IZR. assert (Z := Zfloor_lb (Delta / h)). lra. }
apply Rmult_le_compat_r with (r := h) in U; [|lra]. apply Rmult_lt_compat_r with (r := h) in U'; lra.
Qed.

(** Rounding Delta up to the next multiple of the spacing at 2B costs less than 4 B eta/lam. *)
Theorem bound_by_padding C least_p most : (11 <= least_p)%Z -> most <= / 128 ->
  bound_statement C least_p most regular -> bound_statement (C + 4) least_p most (fun _ _ _ => True).
Proof.
intros Hl Hm H p lam B Lam A Delta f f' [Ff HD] _. assert (Cd := conditions_of_admissible _ _ _ _ _ _ Hl Hm A).
assert (Cd' := Cd). destruct Cd' as [_ [L0 _] [HB _] _ _].
destruct (spacing_exists p (2 * B)) as [h Hh]; [lra|]. destruct (spacing_pos _ _ _ Hh) as [H0 H4].
destruct (next_multiple h Delta H0) as [D1 D2].
set (D' := IZR (Zceil (Delta / h)) * h) in *.
assert (Nb : neighbours p D' f f') by (constructor; auto; lra).
assert (Reg : regular p B D') by (right; exists h; split; [auto | exists (Zceil (Delta / h)); reflexivity]).
apply loss_weaken with (loss := D' / lam + C * (B * eta p / lam) + 2 * eta p); [auto| |apply H; auto].
assert (D' / lam <= Delta / lam + 4 * (B * eta p / lam)); [|lra].
apply Rmult_le_reg_r with lam; auto. replace ((Delta / lam + 4 * (B * eta p / lam)) * lam)
  with (Delta + 4 * (B * eta p)) by (field; lra).
replace (D' / lam * lam) with D' by (field; lra). lra.
Qed.

Theorem theorem_16 : theorem_16_statement.
Proof. unfold theorem_16_statement. replace 16 with (12 + 4) by ring.
apply bound_by_padding; [lia|lra|apply theorem_12]. Qed.

(** The budget. *)
Section Budget.
Variables (p : Z) (epsilon B Delta padded : R).
Hypothesis Hp : (11 <= p)%Z.
Hypothesis HB : 0 < B.
Hypothesis HDelta : 0 < Delta.
Hypothesis Heps : 2 * eta p < epsilon.
Hypothesis Hpad : padded_sensitivity p B Delta padded.

Lemma padded_regular : Delta <= padded /\ regular p B padded.
Proof.
destruct Hpad as [[P2 ->]|[_ (h & Hh & ->)]]; [split; [lra|left; auto]|].
destruct (spacing_pos _ _ _ Hh) as [H0 _]. split; [apply next_multiple; auto|].
right. exists h. split; auto. eexists; reflexivity.
Qed.

Notation lam := (scale_of p epsilon B Delta padded).

Lemma scale_honours : is_p_bit p lam /\ 0 < lam /\ padded / lam + 12 * (B * eta p / lam) + 2 * eta p <= epsilon.
Proof.
assert (Hp1 : (1 < p)%Z) by lia. assert (Pp : Prec_gt_0 p) by (unfold Prec_gt_0; lia). assert (He := eta_pos p).
destruct padded_regular as [Hge _]. set (q := padded / Delta + 12 * (B / Delta) * eta p).
assert (Hq : Delta * q = padded + 12 * (B * eta p)) by (unfold q; field; lra).
assert (BE : 0 < B * eta p) by (apply Rmult_lt_0_compat; auto).
assert (Q0 : 0 < q) by (apply Rmult_lt_reg_l with Delta; auto; lra).
set (z := (epsilon - 2 * eta p) / q). assert (Hz : 0 < z) by (apply Rdiv_lt_0_compat; lra).
destruct (RD_bounds p Hp1 z Hz) as [H0 [H1 _]]. unfold scale_of, inner_epsilon. fold q z. set (e' := RD p z) in *.
assert (HU : Delta / e' <= RU p (Delta / e')) by (apply round_UP_pt; auto with typeclass_instances).
assert (D0 : 0 < Delta / e') by (apply Rdiv_lt_0_compat; auto). set (l := RU p (Delta / e')) in *.
split; [|split; [lra|]].
- apply p_bit_float; auto. apply generic_format_round; auto with typeclass_instances.
- assert (Hl : Delta <= l * e').
  { apply Rmult_le_compat_r with (r := e') in HU; [|lra]. replace (Delta / e' * e') with Delta in HU by (field; lra).
    auto. }
  assert (Hzq : e' * q <= epsilon - 2 * eta p).
  { apply Rmult_le_compat_r with (r := q) in H1; [|lra].
    replace (z * q) with (epsilon - 2 * eta p) in H1 by (unfold z; field; lra). auto. }
  apply Rmult_le_reg_r with l; [lra|].
  replace ((padded / l + 12 * (B * eta p / l) + 2 * eta p) * l) with (Delta * q + 2 * eta p * l) by (rewrite Hq;
    field; lra).
  assert (Delta * q <= l * e' * q) by (apply Rmult_le_compat_r; lra).
  assert (l * (e' * q) <= l * (epsilon - 2 * eta p)) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Budget.

Theorem certificate : certificate_statement.
Proof.
intros p epsilon B Delta padded lam Lam Hp FB HB HD He Hpad -> HL HlB Hw.
destruct (scale_honours p epsilon B Delta padded Hp HB HD He Hpad) as (Fl & L0 & Hh). split; [exact Hh|].
intros f f' [Ff Hf]. destruct (padded_regular p B Delta padded Hpad) as [Hge Reg].
set (lam := scale_of p epsilon B Delta padded) in *.
assert (A : admissible p lam B Lam 11 (/ 128)) by (constructor; auto).
apply loss_weaken with (2 := Hh); [apply (conditions_of_admissible _ _ _ _ 11 (/ 128)); auto; [lia|lra]|].
apply theorem_12; auto. constructor; auto. lra.
Qed.

(** notes/theorem1.md, section 2, "Thresholds": rounding to nearest and downward, and the way back from a rounded
    number to the number, up to half a spacing. None of it needs to know what happens at a tie. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Snapping Require Import Statement Core.
Open Scope R_scope.

Section Rounding.
Variable p : Z.
Hypothesis Hp : (1 < p)%Z.
Local Instance p_positive : Prec_gt_0 p. Proof. unfold Prec_gt_0; lia. Qed.
Notation fexp := (FLX_exp p).
Notation ulp := (ulp radix2 fexp).
Notation RN := (RN p).
Notation RD := (RD p).
Notation eta := (eta p).

Lemma eta_pos : 0 < eta.
Proof. apply bpow_gt_0. Qed.

Lemma RN_opp x : RN (- x) = - RN x.
Proof. apply round_NE_opp. Qed.

Lemma RN_le x y : x <= y -> RN x <= RN y.
Proof. apply round_le; auto with typeclass_instances. Qed.

Lemma RN_pos x : 0 < x -> 0 < RN x.
Proof.
intros Hx. destruct (Rle_lt_or_eq_dec 0 (RN x)) as [H|H]; auto.
- rewrite <- (round_0 radix2 fexp ZnearestE). apply RN_le. lra.
- exfalso. symmetry in H. apply eq_0_round_0_FLX in H; auto with typeclass_instances. lra.
Qed.

(** Half a spacing at y, whatever x is. *)
Lemma RN_ge_inv x y : 0 < x -> y <= RN x -> y - ulp y / 2 <= x.
Proof.
intros Hx H. destruct (Rle_or_lt y x) as [H1|H1].
- assert (0 <= ulp y) by apply ulp_ge_0. lra.
- assert (H2 := error_le_half_ulp radix2 fexp (fun z => negb (Z.even z)) x).
  assert (H3 : ulp x <= ulp y) by (apply ulp_le; auto with typeclass_instances; rewrite !Rabs_pos_eq; lra).
  apply Rabs_le_inv in H2. unfold Statement.RN in *. lra.
Qed.

Lemma RN_le_inv x y : 0 < x -> RN x <= y -> x <= y + ulp y / 2.
Proof.
intros Hx H. assert (H0 : 0 < RN x) by (apply RN_pos; auto).
assert (H2 := error_le_half_ulp_round radix2 fexp (fun z => negb (Z.even z)) x).
assert (H3 : ulp (RN x) <= ulp y) by (apply ulp_le; auto with typeclass_instances; rewrite !Rabs_pos_eq; lra).
apply Rabs_le_inv in H2. unfold Statement.RN in *. lra.
Qed.

Lemma ulp_eta y : 0 < y -> ulp y / 2 <= eta * y.
Proof.
intros Hy. assert (H := ulp_FLX_le radix2 p y). rewrite Rabs_pos_eq in H by lra.
replace (1 - p)%Z with (1 + - p)%Z in H by ring. rewrite bpow_plus in H.
unfold Statement.eta. change (bpow radix2 1) with 2 in H. lra.
Qed.

Lemma RD_le a b : a <= b -> RD a <= RD b.
Proof. apply round_le; auto with typeclass_instances. Qed.

Lemma RD_bounds v : 0 < v -> 0 < RD v /\ RD v <= v < RD v * (1 + 2 * eta).
Proof.
intros Hv.
assert (H0 : 0 < RD v).
{ destruct (Rle_lt_or_eq_dec 0 (RD v)) as [H|H]; auto.
  - rewrite <- (round_0 radix2 fexp Zfloor). apply RD_le. lra.
  - exfalso. symmetry in H. apply eq_0_round_0_FLX in H; auto with typeclass_instances. lra. }
split; auto. split.
- apply round_DN_pt; auto with typeclass_instances.
- assert (H1 : Rabs (RD v - v) < ulp (RD v)) by (apply error_lt_ulp_round; auto with typeclass_instances; lra).
  assert (H2 := ulp_eta (RD v) H0). apply Rabs_lt_inv in H1. lra.
Qed.

Lemma RD_in_unit v : 0 < v < 1 -> 0 < RD v < 1.
Proof. intros H. assert (Q := RD_bounds v). lra. Qed.

(** The middle of the gap below a float z is where RN starts to reach z. *)
Definition mid (z : R) : R := (pred radix2 fexp z + z) / 2.

Lemma RN_reaches_above_mid z x : is_float p z -> mid z < x -> z <= RN x.
Proof. intros Fz H. apply round_N_ge_midp; auto with typeclass_instances. unfold mid in H; lra. Qed.

Lemma RN_reaches_only_from_mid z x : is_float p z -> z <= RN x -> mid z <= x.
Proof. intros Fz H. apply round_N_ge_ge_midp in H; auto with typeclass_instances. unfold mid; lra. Qed.

(** Two floats differ by at least eta times the larger. *)
Lemma floats_apart c c' : is_float p c -> is_float p c' -> c < c' -> 0 < c' -> eta * c' <= c' - c.
Proof.
intros Fc Fc' Hlt Hc. set (x := pred radix2 fexp c').
assert (H : c <= x) by (apply pred_ge_gt; auto with typeclass_instances).
assert (E : x + ulp x = c') by (apply pred_plus_ulp; auto with typeclass_instances).
assert (F : generic_format radix2 fexp x) by (apply generic_format_pred; auto with typeclass_instances).
assert (Hx : 0 < x).
{ destruct (Rle_lt_or_eq_dec 0 x) as [E0|E0]; auto.
  - apply pred_ge_0; auto with typeclass_instances.
  - rewrite <- E0, ulp_FLX_0 in E; auto with typeclass_instances. lra. }
assert (M : x + ulp x <= bpow radix2 (mag radix2 x)).
{ apply id_p_ulp_le_bpow; auto with typeclass_instances.
  destruct (mag radix2 x) as [e He]; simpl. rewrite <- (Rabs_pos_eq x) by lra. apply He. lra. }
assert (G : ulp x = eta * bpow radix2 (mag radix2 x)).
{ rewrite ulp_neq_0 by lra. unfold cexp, FLX_exp, Statement.eta. rewrite <- bpow_plus. f_equal. ring. }
assert (He := eta_pos). apply Rle_trans with (ulp x); [|lra]. rewrite G. apply Rmult_le_compat_l; lra.
Qed.
End Rounding.

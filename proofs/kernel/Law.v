(** notes/theorem1.md, section 2, "Errors": the walk back from the noise Z = lam (x) LN U* to the real v behind U* = RD
    v. The v with Z >= zeta are an interval (0, q), and -ln q = V/lam + E_y - E_u with V the middle of the gap below
    zeta, |E_y| <= ulp(V/lam)/2 and 0 <= E_u <= 2 eta. As q is a supremum, no tie has to be excluded, and no number be
    transcendental. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding.
Open Scope R_scope.

(** A function that is 1 up to q and 0 after it. *)
Lemma integral_of_first_part (f : R -> R) q : 0 <= q <= 1 ->
  (forall v, 0 < v < q -> f v = 1) -> (forall v, q < v < 1 -> f v = 0) -> is_RInt f 0 1 q.
Proof.
intros Hq H1 H0.
assert (A : is_RInt f 0 q (scal (q - 0) 1)).
{ apply is_RInt_ext with (fun _ => 1). 2: apply @is_RInt_const.
  intros v. rewrite Rmin_left, Rmax_right by lra. intros; rewrite H1; auto. }
assert (A' : is_RInt f q 1 (scal (1 - q) 0)).
{ apply is_RInt_ext with (fun _ => 0). 2: apply @is_RInt_const.
  intros v. rewrite Rmin_left, Rmax_right by lra. intros; rewrite H0; auto. }
assert (C := is_RInt_Chasles f 0 q 1 _ _ A A').
match type of C with is_RInt _ _ _ ?t => replace t with q in C end; auto.
unfold plus, scal; simpl; unfold mult; simpl. ring.
Qed.

(** A function that is 0 up to q and 1 after it. *)
Lemma integral_of_second_part (f : R -> R) q : 0 <= q <= 1 ->
  (forall v, 0 < v < q -> f v = 0) -> (forall v, q < v < 1 -> f v = 1) -> is_RInt f 0 1 (1 - q).
Proof.
intros Hq H0 H1.
assert (A : is_RInt (fun v => 1 - f v) 0 1 q).
{ apply integral_of_first_part; auto; intros v Hv; [rewrite H0|rewrite H1]; auto; lra. }
assert (A1 := is_RInt_const 0 1 (1 : R)).
assert (C := is_RInt_minus _ _ _ _ _ _ A1 A).
match type of C with is_RInt _ _ _ ?t => replace t with (1 - q) in C end.
- apply is_RInt_ext with (2 := C). intros v _. unfold minus, plus, opp; simpl. ring.
- unfold minus, plus, opp, scal; simpl; unfold mult; simpl. ring.
Qed.

(** A decidable set that holds with every v all smaller ones is an interval, but for its end. *)
Lemma down_set_is_interval (D : R -> Prop) : (forall v, D v \/ ~ D v) ->
  (forall a b, 0 < a -> a <= b -> b < 1 -> D b -> D a) ->
  exists q, 0 <= q <= 1 /\ (forall v, 0 < v < q -> D v) /\ (forall v, q < v < 1 -> ~ D v).
Proof.
intros dec mono.
destruct (completeness (fun v => v = 0 \/ (0 < v < 1 /\ D v))) as [q [Hub Hlub]].
- exists 1. intros v [H|[H _]]; lra.
- exists 0; auto.
- exists q. assert (0 <= q) by (apply Hub; auto).
  assert (q <= 1) by (apply Hlub; intros v [Hv|[Hv _]]; lra).
  split; [lra|split].
  + intros v Hv. destruct (dec v) as [Dv|Dv]; auto. exfalso.
    assert (q <= v); [|lra]. apply Hlub. intros w [Hw|[Hw Dw]]; [lra|].
    apply Rnot_lt_le. intros Hvw. apply Dv. apply mono with w; auto; lra.
  + intros v Hv Dv. assert (v <= q); [|lra]. apply Hub. right. split; auto; lra.
Qed.

Section Noise.
Variable p : Z.
Hypothesis Hp : (1 < p)%Z.
Local Instance p_positive_law : Prec_gt_0 p. Proof. unfold Prec_gt_0; lia. Qed.
Notation fexp := (FLX_exp p).
Notation ulp := (ulp radix2 fexp).
Notation RN := (RN p).
Notation RD := (RD p).
Notation eta := (eta p).
Variable lam : R.
Hypothesis Hlam : 0 < lam.

(** Z as a function of u = U*; S = 1 subtracts it, S = -1 adds it. *)
Definition noise (u : R) : R := RN (lam * RN (- ln u)).

Lemma noise_sign u : RN (1 * lam * RN (ln u)) = - noise u /\ RN (-1 * lam * RN (ln u)) = noise u.
Proof.
unfold noise. assert (E : RN (ln u) = - RN (- ln u)) by (rewrite (RN_opp p); ring).
rewrite E. split; [rewrite <- (RN_opp p (lam * RN (- ln u)))|]; f_equal; ring.
Qed.

Lemma ln_neg u : 0 < u < 1 -> 0 < - ln u.
Proof. intros H. assert (ln u < ln 1) by (apply ln_increasing; lra). rewrite ln_1 in *. lra. Qed.

Lemma noise_pos u : 0 < u < 1 -> 0 < noise u.
Proof.
intros H. apply RN_pos; auto. apply Rmult_lt_0_compat; auto. apply RN_pos; auto. apply ln_neg; auto.
Qed.

Lemma noise_antitone a b : 0 < a -> a <= b -> noise b <= noise a.
Proof.
intros Ha Hab. apply RN_le; auto. apply Rmult_le_compat_l; [lra|]. apply RN_le; auto.
apply Ropp_le_contravar. apply ln_le; auto.
Qed.

(** zeta is a float, V = mid zeta. *)
Lemma reached_only_below zeta v : is_float p zeta -> 0 < mid p zeta -> 0 < v < 1 -> zeta <= noise (RD v) ->
  mid p zeta / lam - ulp (mid p zeta / lam) / 2 - 2 * eta <= - ln v.
Proof.
intros Fz Hz Hv H. assert (Hu := RD_in_unit p Hp v Hv). destruct (RD_bounds p Hp v) as [_ [Hd Hd']]; [lra|].
apply RN_reaches_only_from_mid in H; auto.
assert (HY : mid p zeta / lam <= RN (- ln (RD v))).
{ apply Rmult_le_reg_l with lam; auto. replace (lam * (mid p zeta / lam)) with (mid p zeta) by (field; lra). auto. }
apply RN_ge_inv in HY; auto. 2: apply ln_neg; auto.
assert (He := eta_pos p).
assert (ln v <= ln (RD v) + 2 * eta); [|lra].
rewrite <- (ln_exp (2 * eta)), <- ln_mult; [|lra|apply exp_pos].
apply ln_le; [lra|]. apply Rle_trans with (1 := Rlt_le _ _ Hd').
apply Rmult_le_compat_l; [lra|]. left. apply exp_ineq1. lra.
Qed.

Lemma missed_only_above zeta v : is_float p zeta -> 0 < mid p zeta -> 0 < v < 1 -> ~ zeta <= noise (RD v) ->
  - ln v <= mid p zeta / lam + ulp (mid p zeta / lam) / 2.
Proof.
intros Fz Hz Hv H. assert (Hu := RD_in_unit p Hp v Hv). destruct (RD_bounds p Hp v) as [_ [Hd Hd']]; [lra|].
assert (HY : RN (- ln (RD v)) <= mid p zeta / lam).
{ apply Rnot_lt_le. intros H1. apply H. apply RN_reaches_above_mid; auto.
  apply Rmult_lt_compat_l with (r := lam) in H1; auto.
  replace (lam * (mid p zeta / lam)) with (mid p zeta) in H1 by (field; lra). auto. }
apply RN_le_inv in HY; auto. 2: apply ln_neg; auto.
assert (ln (RD v) <= ln v) by (apply ln_le; lra). lra.
Qed.

Theorem law_of_noise zeta : is_float p zeta -> 0 < mid p zeta ->
  exists q, 0 < q <= 1 /\
  (forall v, 0 < v < q -> zeta <= noise (RD v)) /\ (forall v, q < v < 1 -> ~ zeta <= noise (RD v)) /\
  mid p zeta / lam - ulp (mid p zeta / lam) / 2 - 2 * eta <= - ln q <= mid p zeta / lam + ulp (mid p zeta / lam) / 2.
Proof.
intros Fz Hz.
destruct (down_set_is_interval (fun v => zeta <= noise (RD v))) as (q & Hq & Hin & Hout).
- intros v. destruct (Rle_dec zeta (noise (RD v))); auto.
- intros a b Ha Hab Hb H. apply Rle_trans with (1 := H). apply noise_antitone.
  + apply RD_in_unit; auto; lra.
  + apply RD_le; auto.
- exists q.
  set (v0 := mid p zeta / lam) in *.
  assert (Hv0 : 0 < v0) by (apply Rdiv_lt_0_compat; auto).
  assert (Hul : 0 <= ulp v0) by apply ulp_ge_0.
  set (M2 := exp (- (v0 + ulp v0 / 2))).
  assert (HM2 : 0 < M2 < 1).
  { split. apply exp_pos. rewrite <- exp_0. apply exp_increasing. lra. }
  assert (HqM2 : M2 <= q).
  { apply Rnot_lt_le. intros Hlt. set (v := (q + M2) / 2).
    assert (Hv : q < v < 1) by (unfold v; lra).
    assert (H := missed_only_above zeta v Fz Hz). fold v0 in H.
    assert (H1 : - ln v <= v0 + ulp v0 / 2) by (apply H; [unfold v; lra | auto]).
    assert (ln v < ln M2) by (apply ln_increasing; unfold v; lra).
    unfold M2 in *. rewrite ln_exp in *. lra. }
  split; [lra|]. split; auto. split; auto. split.
  + set (m := v0 - ulp v0 / 2 - 2 * eta).
    apply Rnot_lt_le. intros Hlt. set (v := (q + exp (- m)) / 2).
    assert (Hm : exp (- m) < q).
    { rewrite <- (exp_ln q) by lra. apply exp_increasing. lra. }
    assert (0 < exp (- m)) by apply exp_pos.
    assert (H1 : m <= - ln v).
    { apply reached_only_below; auto; [unfold v; lra|]. apply Hin. unfold v; lra. }
    assert (ln (exp (- m)) < ln v) by (apply ln_increasing; unfold v; lra).
    rewrite ln_exp in *. lra.
  + assert (ln M2 <= ln q) by (apply ln_le; lra). unfold M2 in *. rewrite ln_exp in *. lra.
Qed.
End Noise.

(** notes/theorem1.md, section 3, "II": inner outputs and values that do not see them from one side, as numbers. In
    units of lam: K is the width of the output's interval; l and r the distances of a value inside it to its ends, l + r
    = K; R the distance of a value beyond the end at r. Inside 2P = 2 - e^-l - e^-r, beyond 2P = e^-R - e^-(R+K), up to
    the errors of a reading. b = B/lam, D = Delta/lam. *)
From Coq Require Import Reals Lra Psatz.
From Snapping Require Import Exponential Readings.
Open Scope R_scope.

Lemma exp_1_ge : 27/10 <= exp 1.
Proof. apply Rle_trans with (2 := exp_ge_ten_terms 1 ltac:(lra)). unfold ten_terms. lra. Qed.

Lemma exp_minus_99 : exp (- (99/100)) <= 38/100.
Proof.
rewrite exp_Ropp. assert (E := exp_ge_ten_terms (99/100) ltac:(lra)). unfold ten_terms in E.
apply Rle_trans with (/ (100/38)); [apply Rinv_le_contravar|]; lra.
Qed.

(** l e^-l <= 1/e, and (l + 1) e^-l <= 1. *)
Lemma x_exp_minus_x l : l * exp (- l) <= 37038/100000.
Proof.
assert (E := exp_1_ge). assert (Q := exp_ge (l - 1)). assert (P1 := exp_pos (- l)).
assert (X : exp (- l) * exp (l - 1) * exp 1 = 1).
{ rewrite <- !exp_plus. replace (- l + (l - 1) + 1) with 0 by ring. apply exp_0. }
assert (A : exp (- l) * exp (l - 1) <= / (27/10)).
{ apply Rmult_le_reg_r with (27/10); [lra|]. rewrite Rinv_l by lra.
  apply Rle_trans with (exp (- l) * exp (l - 1) * exp 1); [|lra]. apply Rmult_le_compat_l; auto. left.
  apply Rmult_lt_0_compat; auto. apply exp_pos. }
assert (l * exp (- l) <= exp (l - 1) * exp (- l)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma x_plus_1_exp_minus_x l : (l + 1) * exp (- l) <= 1.
Proof.
apply Rle_trans with (exp l * exp (- l)); [|right; apply exp_inverse].
apply Rmult_le_compat_r; [left; apply exp_pos|]. assert (Q := exp_ge l). lra.
Qed.

Lemma exp_small z : 0 <= z <= / 200 -> exp z <= 1 + 101/100 * z.
Proof.
intros Hz. assert (Q := exp_ge (- z)). assert (P := exp_pos z).
apply Rmult_le_reg_l with (1 - z); [lra|]. apply Rle_trans with 1.
- apply Rle_trans with (exp (- z) * exp z); [apply Rmult_le_compat_r; lra|]. right. rewrite Rmult_comm.
  apply exp_inverse.
- assert (z * z <= / 200 * z) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Section Inside.
Variables eta b K D Loss : R.
Hypothesis Heta : 0 < eta <= / 2048.
Hypothesis Hb : 1 <= b.
Hypothesis Hbeta : b * eta <= / 128.
Hypothesis HK : 99/100 <= K <= 201/100.
Notation s := (spread eta).
Notation Reading := (reading eta).
Hypothesis HLoss : D + 112/10 * (b * eta) + 2 * eta <= Loss.

Lemma eta_le_b_eta : eta <= b * eta.
Proof. assert (1 * eta <= b * eta) by (apply Rmult_le_compat_r; lra). lra. Qed.

(** What errors do to a value inside: they raise 2P by at most a factor e^(2.4 eta), and lower it by at most e^(6.6
    eta). *)
Section OneInside.
Variables l r al ga : R.
Hypothesis Hl : 0 <= l.
Hypothesis Hr : 0 <= r.
Hypothesis Hlr : l + r = K.
Hypothesis Ra : Reading l al.
Hypothesis Rg : Reading r ga.
Notation exact := (2 - exp (- l) - exp (- r)).
Notation actual := (2 - exp (- al) - exp (- ga)).

Lemma exact_ge : 62/100 <= exact.
Proof.
assert (X : exp (- l) * exp (- r) <= 38/100).
{ apply Rle_trans with (2 := exp_minus_99). rewrite <- exp_plus. apply exp_le. lra. }
assert (L := exp_minus_le_1 l Hl). assert (R := exp_minus_le_1 r Hr).
assert (0 <= (1 - exp (- l)) * (1 - exp (- r))) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma actual_ge_0 : 0 <= actual.
Proof. assert (A := exp_minus_le_1 al (proj1 Ra)). assert (G := exp_minus_le_1 ga (proj1 Rg)). lra. Qed.

Lemma raised x g : 0 <= x -> Reading x g -> exp (- x) - 741/1000 * eta <= exp (- g).
Proof.
intros Hx (_ & _ & Hg). apply Rle_trans with (exp (- x) * (1 - s * x)).
- assert (Q := x_exp_minus_x x). assert (eta * (x * exp (- x)) <= eta * (37038/100000)) by (apply Rmult_le_compat_l;
    lra).
  unfold spread. replace (exp (- x) * (1 - 20005/10000 * eta * x)) with (exp (- x)
    - 20005/10000 * (eta * (x * exp (- x)))) by field. lra.
- apply Rle_trans with (exp (- x) * exp (- (s * x))).
  + apply Rmult_le_compat_l; [left; apply exp_pos|]. assert (Q := exp_ge (- (s * x))). lra.
  + rewrite <- exp_plus. apply exp_le. lra.
Qed.

Lemma lowered x g : 0 <= x <= 3 -> Reading x g -> exp (- g) <= exp (- x) + 203/100 * eta.
Proof.
intros Hx (_ & Hg & _). set (z := 20005/10000 * eta * (x + 1)).
assert (Hz : 0 <= z <= / 200).
{ assert (0 <= eta * (x + 1)) by (apply Rmult_le_pos; lra).
  assert (eta * (x + 1) <= / 2048 * 4) by (apply Rmult_le_compat; lra). unfold z. lra. }
apply Rle_trans with (exp (- x) * exp z).
- rewrite <- exp_plus. apply exp_le. unfold z, spread in *. lra.
- apply Rle_trans with (exp (- x) * (1 + 101/100 * z)).
  + apply Rmult_le_compat_l; [left; apply exp_pos|]. apply exp_small; auto.
  + assert (Q := x_plus_1_exp_minus_x x). assert (eta * ((x + 1) * exp (- x)) <= eta * 1) by (apply Rmult_le_compat_l;
      lra).
    unfold z. replace (exp (- x) * (1 + 101/100 * (20005/10000 * eta * (x + 1))))
      with (exp (- x) + 101/100 * (20005/10000) * (eta * ((x + 1) * exp (- x)))) by field. lra.
Qed.

Lemma inside_upper : actual <= exp (24/10 * eta) * exact.
Proof.
assert (A := raised l al Hl Ra). assert (A' := raised r ga Hr Rg). assert (E := exact_ge).
assert (Q := exp_ge (24/10 * eta)). apply Rle_trans with ((1 + 24/10 * eta) * exact).
- assert (eta * (62/100) <= eta * exact) by (apply Rmult_le_compat_l; lra). lra.
- apply Rmult_le_compat_r; lra.
Qed.

Lemma inside_lower : exact <= exp (66/10 * eta) * actual.
Proof.
assert (A := lowered l al ltac:(lra) Ra). assert (A' := lowered r ga ltac:(lra) Rg). assert (E := exact_ge).
assert (Q := exp_ge (66/10 * eta)). apply Rle_trans with ((1 + 66/10 * eta) * actual).
- assert (eta * (62/100) <= eta * exact) by (apply Rmult_le_compat_l; lra).
  apply Rle_trans with ((1 + 66/10 * eta) * (exact - 406/100 * eta)).
  + assert (eta * eta <= / 2048 * eta) by (apply Rmult_le_compat_r; lra). lra.
  + apply Rmult_le_compat_l; lra.
- apply Rmult_le_compat_r; [apply actual_ge_0|lra].
Qed.
End OneInside.

(** Both inside: moving by d changes ln P by at most d. *)
Lemma move l r d : 0 <= d <= r ->
  2 - exp (- l) - exp (- r) <= exp d * (2 - exp (- (l + d)) - exp (- (r - d))).
Proof.
intros Hd. set (E := exp d). set (y := exp (- r)).
assert (E1 : 1 <= E) by (unfold E; rewrite <- exp_0; apply exp_le; lra).
assert (X : E * exp (- (l + d)) = exp (- l)) by (unfold E; rewrite <- exp_plus; f_equal; ring).
assert (Y : E * y = exp (- (r - d))) by (unfold E, y; rewrite <- exp_plus; f_equal; ring).
assert (Y1 : E * y <= 1) by (rewrite Y; apply exp_minus_le_1; lra). assert (Y2 : y <= 1) by (apply exp_minus_le_1; lra).
rewrite <- X, <- Y. assert (0 <= (E - 1) * (2 - (E * y + y))) by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem both_inside l r d al ga al' ga' : 0 <= l -> 0 <= d <= r -> l + r = K -> d <= D ->
  Reading l al -> Reading r ga -> Reading (l + d) al' -> Reading (r - d) ga' ->
  2 - exp (- al) - exp (- ga) <= exp Loss * (2 - exp (- al') - exp (- ga')).
Proof.
intros Hl Hd Hlr HD Ra Rg Ra' Rg'. assert (Hbe := eta_le_b_eta).
assert (U := inside_upper l r al ga Hl ltac:(lra) Hlr Ra Rg).
assert (M := move l r d Hd).
assert (L := inside_lower (l + d) (r - d) al' ga' ltac:(lra) ltac:(lra) ltac:(lra) Ra' Rg').
assert (A0 := actual_ge_0 (l + d) (r - d) al' ga' Ra' Rg').
apply Rle_trans with (exp (24/10 * eta) * (exp d * (exp (66/10 * eta) * (2 - exp (- al') - exp (- ga'))))).
- apply Rle_trans with (1 := U). apply Rmult_le_compat_l; [left; apply exp_pos|]. apply Rle_trans with (1 := M).
  apply Rmult_le_compat_l; [left; apply exp_pos|exact L].
- rewrite <- !Rmult_assoc, <- !exp_plus. apply Rmult_le_compat_r; auto. apply exp_le. lra.
Qed.

Lemma slope_92 : slope (92/100) (2/3).
Proof. apply slope_by_ten_terms; unfold ten_terms; lra. Qed.
Lemma slope_99 : slope (99/100) (6/10).
Proof. apply slope_by_ten_terms; unfold ten_terms; lra. Qed.

Lemma width_ge_0 w : 0 <= w -> 0 <= 1 - exp (- w).
Proof. intros H. assert (Q := exp_minus_le_1 w H). lra. Qed.

(** One inside, one beyond. *)
Section OneBeyond.
Variables l r R al ga g2 g1 : R.
Hypothesis Hl : 0 <= l.
Hypothesis Hr : 0 <= r.
Hypothesis HR : 0 <= R.
Hypothesis Hlr : l + r = K.
Hypothesis Far : 2 * R + K <= 401/100 * b.
Hypothesis HD : r + R <= D.
Hypothesis Ra : Reading l al.
Hypothesis Rg : Reading r ga.
Hypothesis R2 : Reading R g2.
Hypothesis R1 : Reading (R + K) g1.
Notation W := (s * (2 * R + K) + 2 * eta).

(** The width g1 - g2 of the value beyond is K up to W. *)
Lemma W_size : 0 <= W <= 803/100 * (b * eta) + 2 * eta.
Proof.
unfold spread. assert (0 <= eta * (2 * R + K)) by (apply Rmult_le_pos; lra).
assert (eta * (2 * R + K) <= eta * (401/100 * b)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(** For the exact distances it is 1 <= cosh r; errors cost 9.4 b eta + 1.8 eta. *)
Theorem inside_over_beyond : 2 - exp (- al) - exp (- ga) <= exp Loss * (exp (- g2) - exp (- g1)).
Proof.
assert (HW := W_size). assert (Hbe := eta_le_b_eta). assert (I := inside_upper l r al ga Hl Hr Hlr Ra Rg).
destruct R2 as (_ & _ & U2). destruct R1 as (_ & L1 & _).
(* exact distances: 2 - e^-l - e^-r <= e^r (1 - e^-K) *)
assert (X : 2 - exp (- l) - exp (- r) <= exp r * (1 - exp (- K))).
{ replace (exp r * (1 - exp (- K))) with (exp r - exp (- l)).
  2: { rewrite Rmult_minus_distr_l, Rmult_1_r, <- exp_plus. do 2 f_equal. lra. }
  assert (Y := exp_pos (- r)). assert (Z := exp_inverse r). assert (0 < exp r) by apply exp_pos.
  assert (0 <= (exp r - 1) * (exp r - 1)) by apply Rle_0_sqr. nra. }
(* the width: 1 - e^-K <= e^(2W/3) (1 - e^-(g1 - g2)) *)
assert (Y : 1 - exp (- K) <= exp (2/3 * W) * (1 - exp (- (g1 - g2)))).
{ apply one_minus with (92/100); try lra. apply slope_92. }
assert (Y0 : 0 <= 1 - exp (- (g1 - g2))) by (apply width_ge_0; lra).
rewrite (split_width g2 g1).
apply Rle_trans with (exp (24/10 * eta) * (exp r * (exp (2/3 * W) * (1 - exp (- (g1 - g2)))))).
- apply Rle_trans with (1 := I). apply Rmult_le_compat_l; [left; apply exp_pos|]. apply Rle_trans with (1 := X).
  apply Rmult_le_compat_l; [left; apply exp_pos|exact Y].
- rewrite <- !Rmult_assoc, <- !exp_plus. apply Rmult_le_compat_r; auto. apply exp_le.
  assert (eta * R <= eta * (201/100 * b)) by (apply Rmult_le_compat_l; lra). unfold spread in *. lra.
Qed.

(** The other ratio: 2R is to spare, which covers all errors that grow with R. *)
Theorem beyond_over_inside : exp (- g2) - exp (- g1) <= exp Loss * (2 - exp (- al) - exp (- ga)).
Proof.
assert (HW := W_size). assert (Hbe := eta_le_b_eta). assert (I := inside_lower l r al ga Hl Hr Hlr Ra Rg).
destruct R2 as (_ & L2 & _). destruct R1 as (_ & _ & U1).
(* exact distances: 1 - e^-K <= 2 - e^-l - e^-r *)
assert (X : 1 - exp (- K) <= 2 - exp (- l) - exp (- r)).
{ assert (Z : exp (- K) = exp (- l) * exp (- r)) by (rewrite <- exp_plus; f_equal; lra). rewrite Z.
  assert (0 <= (1 - exp (- l)) * (1 - exp (- r))) by (apply Rmult_le_pos; apply width_ge_0; auto). lra. }
assert (Y : 1 - exp (- (g1 - g2)) <= exp (6/10 * W) * (1 - exp (- K))).
{ apply one_minus with (99/100); try lra. apply slope_99. }
rewrite (split_width g2 g1).
apply Rle_trans with (exp (- g2) * (exp (6/10 * W) * (exp (66/10 * eta) * (2 - exp (- al) - exp (- ga))))).
- apply Rmult_le_compat_l; [left; apply exp_pos|]. apply Rle_trans with (1 := Y).
  apply Rmult_le_compat_l; [left; apply exp_pos|]. lra.
- rewrite <- !Rmult_assoc, <- !exp_plus. apply Rmult_le_compat_r; [apply (actual_ge_0 l r); auto|]. apply exp_le.
  assert (eta * R <= / 2048 * R) by (apply Rmult_le_compat_r; lra).
  assert (eta * K <= eta * (201/100)) by (apply Rmult_le_compat_l; lra). unfold spread in *. lra.
Qed.
End OneBeyond.

(** One on each side, at distances R and R' of the nearer ends: K >= 0.99 is to spare. *)
Theorem across R R' g2 g1 g2' g1' : 0 <= R -> 0 <= R' -> R + K + R' <= D -> R + K + R' <= 2 * b ->
  Reading R g2 -> Reading (R + K) g1 -> Reading R' g2' -> Reading (R' + K) g1' ->
  exp (- g2) - exp (- g1) <= exp Loss * (exp (- g2') - exp (- g1')).
Proof.
intros HR HR' HD Far (_ & L2 & _) (_ & _ & U1) (_ & _ & U2') (_ & L1' & _). assert (Hbe := eta_le_b_eta).
assert (E0 : 0 <= eta * R) by (apply Rmult_le_pos; lra). assert (E0' : 0 <= eta * R') by (apply Rmult_le_pos; lra).
assert (EK : 0 <= eta * K) by (apply Rmult_le_pos; lra).
assert (EF : eta * (R + K + R') <= eta * (2 * b)) by (apply Rmult_le_compat_l; lra).
set (W := 2 * s * (R + K + R') + 4 * eta).
assert (HW : 0 <= W <= 8002/1000 * (b * eta) + 4 * eta) by (unfold W, spread; lra).
apply basic_inequality with (92/100) (2/3) W; try (unfold W, spread in *; lra). apply slope_92.
Qed.
End Inside.

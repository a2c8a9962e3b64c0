(** The inequalities about exp that the proof rests on. There is no derivative in it: 1 + x <= exp x, and where numbers
    are needed the first ten terms of the series, so that no interval arithmetic has to be trusted. *)
From Coq Require Import Reals Lra Psatz.
Open Scope R_scope.

Lemma exp_ge x : 1 + x <= exp x.
Proof. destruct (Req_dec x 0) as [->|H]; [rewrite exp_0; lra|]. left. apply exp_ineq1; auto. Qed.

Lemma exp_le a b : a <= b -> exp a <= exp b.
Proof. intros [H|H]; [left; apply exp_increasing; auto | rewrite H; lra]. Qed.

Lemma exp_inverse x : exp x * exp (- x) = 1.
Proof. rewrite <- exp_plus, Rplus_opp_r. apply exp_0. Qed.

Lemma exp_minus_le_1 x : 0 <= x -> exp (- x) <= 1.
Proof. intros H. rewrite <- exp_0. apply exp_le. lra. Qed.

(** exp from below by a partial sum of its series. *)
Lemma exp_ge_partial_sum x N : 0 <= x -> sum_f_R0 (fun i => / INR (fact i) * x ^ i) N <= exp x.
Proof.
intros Hx. apply (sum_incr (fun i => / INR (fact i) * x ^ i) N (exp x)).
- unfold exp. destruct (exist_exp x) as [l H]. exact H.
- intros n. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, INR_fact_lt_0 | apply pow_le; auto].
Qed.

Definition ten_terms (x : R) : R :=
  1 + x * (1 + x/2 * (1 + x/3 * (1 + x/4 * (1 + x/5 * (1 + x/6 * (1 + x/7 * (1 + x/8 * (1 + x/9)))))))).

Lemma exp_ge_ten_terms x : 0 <= x -> ten_terms x <= exp x.
Proof.
intros Hx. apply Rle_trans with (2 := exp_ge_partial_sum x 9 Hx). right. unfold ten_terms. cbn [sum_f_R0].
assert (F : forall n, INR (fact (S n)) = INR (S n) * INR (fact n)) by (intros n; rewrite fact_simpl; apply mult_INR).
rewrite !F. change (fact 0) with 1%nat. rewrite !S_INR. change (INR 0) with 0. field.
Qed.

(** n is at least the slope N(L) = 1/(e^L - 1) of ln(1 - e^-w) at w = L. *)
Definition slope (L n : R) : Prop := / (exp L - 1) <= n.

Lemma slope_by_ten_terms L n : 0 < L -> 0 < n -> 1 + / n <= ten_terms L -> slope L n.
Proof.
intros HL Hn H. assert (E := exp_ge_ten_terms L ltac:(lra)). assert (I : 0 < / n) by (apply Rinv_0_lt_compat; auto).
unfold slope. rewrite <- (Rinv_inv n). apply Rinv_le_contravar; lra.
Qed.

(** ln(1 - e^-w) grows by at most n W from w' >= L to w <= w' + W. *)
Lemma one_minus w w' L n W : 0 < L <= w' -> slope L n -> 0 <= W -> w - w' <= W ->
  1 - exp (- w) <= exp (n * W) * (1 - exp (- w')).
Proof.
intros HL Hn HW Hw. set (x := exp (- w')).
assert (E1 : 1 < exp L) by (rewrite <- exp_0; apply exp_increasing; lra).
assert (Hn1 : 1 <= n * (exp L - 1)).
{ apply Rle_trans with (/ (exp L - 1) * (exp L - 1)); [right; field; lra|]. apply Rmult_le_compat_r; [lra|exact Hn]. }
assert (Hx0 : 0 < x) by apply exp_pos.
assert (Hx1 : x * exp L <= 1).
{ rewrite <- (exp_inverse L), Rmult_comm. apply Rmult_le_compat_l; [lra|]. apply exp_le. lra. }
assert (Hx2 : x < 1) by nra.
(* x <= n (1 - x) *)
assert (A : x <= n * (1 - x)).
{ apply Rmult_le_reg_r with (exp L - 1); [lra|]. apply Rle_trans with (1 * (1 - x)); [lra|].
  replace (n * (1 - x) * (exp L - 1)) with (n * (exp L - 1) * (1 - x)) by ring. apply Rmult_le_compat_r; lra. }
(* e^-w >= x (1 - W) *)
assert (B : x * (1 - W) <= exp (- w)).
{ apply Rle_trans with (x * exp (- W)).
  - apply Rmult_le_compat_l; [lra|]. assert (Q := exp_ge (- W)). lra.
  - unfold x. rewrite <- exp_plus. apply exp_le. lra. }
assert (C := exp_ge (n * W)).
apply Rle_trans with ((1 + n * W) * (1 - x)); [|apply Rmult_le_compat_r; lra].
assert (x * W <= n * (1 - x) * W) by (apply Rmult_le_compat_r; auto). lra.
Qed.

Lemma split_width g2 g1 : exp (- g2) - exp (- g1) = exp (- g2) * (1 - exp (- (g1 - g2))).
Proof. replace (exp (- g1)) with (exp (- g2) * exp (- (g1 - g2))) by (rewrite <- exp_plus; f_equal; ring). ring. Qed.

(** notes/theorem1.md, section 4: the loss at an output seen from one side is g2' - g2 + f(w) - f(w'). *)
Theorem basic_inequality g2 g1 g2' g1' L n W G : 0 < L <= g1' - g2' -> slope L n -> 0 <= W ->
  (g1 - g2) - (g1' - g2') <= W -> g2' - g2 + n * W <= G ->
  exp (- g2) - exp (- g1) <= exp G * (exp (- g2') - exp (- g1')).
Proof.
intros HL Hn HW Hw HG. rewrite !split_width.
assert (Q := one_minus (g1 - g2) (g1' - g2') L n W HL Hn HW Hw).
assert (Q0 : 0 <= 1 - exp (- (g1' - g2'))) by (assert (H := exp_minus_le_1 (g1' - g2')); lra).
apply Rle_trans with (exp (- g2) * (exp (n * W) * (1 - exp (- (g1' - g2'))))).
- apply Rmult_le_compat_l; [left; apply exp_pos|auto].
- rewrite <- !Rmult_assoc, <- !exp_plus. apply Rmult_le_compat_r; auto. apply exp_le. lra.
Qed.

(** notes/theorem1.md, section 3, x = B or -B: both values beyond t*, and t* between them. *)
Lemma both_beyond g g' : 0 <= g -> 0 <= g' -> 1 - exp (- g) / 2 <= exp (Rabs (g - g')) * (1 - exp (- g') / 2).
Proof.
intros H H'. assert (E1 := exp_minus_le_1 g' H'). assert (Q := Rle_abs (g - g')). assert (E := exp_ge (Rabs (g - g'))).
destruct (Rle_or_lt g g') as [K|K].
- assert (exp (- g') <= exp (- g)) by (apply exp_le; lra). assert (R0 := Rabs_pos (g - g')). nra.
- rewrite Rabs_pos_eq in * by lra. assert (E2 := exp_ge (- (g - g'))).
  assert (exp (- g') * (1 - (g - g')) <= exp (- g)); [|nra].
  replace (exp (- g)) with (exp (- g') * exp (- (g - g'))) by (rewrite <- exp_plus; f_equal; ring).
  apply Rmult_le_compat_l; [left; apply exp_pos|lra].
Qed.

Lemma edge_between g g' : 1 - exp (- g) / 2 <= exp (g + g') * (exp (- g') / 2).
Proof.
rewrite exp_plus. assert (E := exp_inverse g'). assert (E2 := exp_inverse g).
replace (exp g * exp g' * (exp (- g') / 2)) with (exp g / 2 * (exp g' * exp (- g'))) by field. rewrite E.
assert (0 < exp (- g)) by apply exp_pos. assert (0 < exp g) by apply exp_pos.
assert (0 <= (exp g - 1) * (exp g - 1)) by apply Rle_0_sqr. nra.
Qed.

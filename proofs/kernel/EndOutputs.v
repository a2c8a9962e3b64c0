(** notes/theorem1.md, section 3, "x = B or -B": one edge, and everything beyond it. A value on the output's own side of
    t* has P = 1 - e^-g/2, one on the other side P = e^-g/2. 10.1 is enough here, for every Delta >= |c - c'|. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Law Thresholds Grid Probability Exponential Sizes Readings.
Open Scope R_scope.

(** In units of lam: T and T' are distances to t*, D = Delta/lam, b = B/lam. *)
Section Numbers.
Variables eta b D Loss T T' g g' : R.
Hypothesis Heta : 0 < eta.
Hypothesis HT : 0 <= T <= 251/100 * b.
Hypothesis HT' : 0 <= T' <= 251/100 * b.
Hypothesis HD : 0 <= D.
Hypothesis Hr : reading eta T g.
Hypothesis Hr' : reading eta T' g'.
Hypothesis HLoss : D + 101/10 * (b * eta) + 2 * eta <= Loss.

Lemma errors_of_two : 0 <= spread eta * T /\ 0 <= spread eta * T' /\
  spread eta * T + spread eta * T' <= 101/10 * (b * eta).
Proof.
unfold spread. assert (0 <= eta * T) by (apply Rmult_le_pos; lra). assert (0 <= eta * T') by (apply Rmult_le_pos; lra).
assert (eta * T <= eta * (251/100 * b)) by (apply Rmult_le_compat_l; lra).
assert (eta * T' <= eta * (251/100 * b)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma both_far : T' - T <= D -> exp (- g) / 2 <= exp Loss * (exp (- g') / 2).
Proof.
intros H. assert (E := errors_of_two). destruct Hr as (_ & L & _). destruct Hr' as (_ & _ & U').
replace (exp Loss * (exp (- g') / 2)) with (exp (Loss + - g') / 2) by (rewrite exp_plus; field).
assert (exp (- g) <= exp (Loss + - g')) by (apply exp_le; lra). lra.
Qed.

Lemma both_near : Rabs (T - T') <= D -> 1 - exp (- g) / 2 <= exp Loss * (1 - exp (- g') / 2).
Proof.
intros H. assert (E := errors_of_two). destruct Hr as (G & L & U). destruct Hr' as (G' & L' & U').
apply Rle_trans with (1 := both_beyond g g' G G'). apply Rabs_le_inv in H. apply Rmult_le_compat_r.
- assert (Q := exp_minus_le_1 g' G'). lra.
- apply exp_le. apply Rabs_le. lra.
Qed.

Lemma near_then_far : T + T' <= D -> 1 - exp (- g) / 2 <= exp Loss * (exp (- g') / 2).
Proof.
intros H. assert (E := errors_of_two). destruct Hr as (_ & _ & U). destruct Hr' as (_ & _ & U').
apply Rle_trans with (1 := edge_between g g'). apply Rmult_le_compat_r; [assert (Q := exp_pos (- g')); lra|].
apply exp_le. lra.
Qed.

Lemma far_then_near : exp (- g) / 2 <= exp Loss * (1 - exp (- g') / 2).
Proof.
assert (E := errors_of_two). assert (A := exp_minus_le_1 g (proj1 Hr)). assert (A' := exp_minus_le_1 g' (proj1 Hr')).
assert (A2 : 1 <= exp Loss) by (rewrite <- exp_0; apply exp_le; lra).
assert (1 * (1 - exp (- g') / 2) <= exp Loss * (1 - exp (- g') / 2)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
End Numbers.

Section EndOutputs.
Variables (p : Z) (lam B : R) (m : Z).
Notation Lam := (bpow radix2 m).
Hypothesis Cd : conditions p lam B Lam.
Notation eta := (eta p).
Variables (C Delta c c' : R).
Hypothesis HC : 101/10 <= C.
Hypothesis Bc : Rabs c <= B.
Hypothesis Bc' : Rabs c' <= B.
Hypothesis Dist : Rabs (c - c') <= Delta.
Notation Bound := (bound p lam B C Delta).

Section Edge.
Variable k : Z.
Hypothesis Hk : k = (top B m - 1)%Z \/ k = (- top B m)%Z.
Notation t := (mid p (edge m k)).

(** F = P(w < T | c); the two outputs have the probabilities F and 1 - F. All four positions of c and c'. *)
Theorem both_ends : exists F F', cdf p lam m k c F /\ cdf p lam m k c' F' /\ F <= Bound * F' /\
  1 - F <= Bound * (1 - F').
Proof.
assert (I := end_edge_fits Cd k Hk). destruct (basics Cd) as (Hl & _ & HB & [He _] & _).
assert (R := end_reach Cd k Hk c Bc). assert (R' := end_reach Cd k Hk c' Bc').
apply Rabs_le_inv in R. apply Rabs_le_inv in R'.
assert (Units : forall x y, x <= y -> x / lam <= y / lam).
{ intros x y H. apply Rmult_le_compat_r; auto. left. apply Rinv_0_lt_compat; auto. }
assert (Far : forall x y, x - y <= Delta -> x / lam - y / lam <= Delta / lam).
{ intros x y H. assert (Q := Units _ _ H). unfold Rdiv in *. lra. }
assert (Reach : forall x, 0 <= x -> x <= 251/100 * B -> 0 <= x / lam <= 251/100 * (B / lam)).
{ intros x H0 H. assert (Q := Units 0 x H0). assert (Q' := Units x _ H). unfold Rdiv in *. lra. }
assert (D0 : 0 <= Delta / lam).
{ assert (Q := Units 0 Delta ltac:(assert (Z := Rabs_pos (c - c')); lra)). unfold Rdiv in *. lra. }
apply Rabs_le_inv in Dist.
assert (HL : Delta / lam + 101/10 * (B / lam * eta) + 2 * eta <= Delta / lam + C * (B * eta / lam) + 2 * eta).
{ replace (B * eta / lam) with (B / lam * eta) by (field; lra).
  assert (0 <= B / lam * eta) by (apply Rmult_le_pos; [apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat]|]; lra).
  assert (101/10 * (B / lam * eta) <= C * (B / lam * eta)) by (apply Rmult_le_compat_r; auto). lra. }
destruct (Rle_or_lt t c) as [H|H]; destruct (Rle_or_lt t c') as [H'|H'].
- destruct (reading_right Cd k c I H) as (g & G & F).
  destruct (reading_right Cd k c' I H') as (g' & G' & F').
  exists (exp (- g) / 2), (exp (- g') / 2). split; [|split; [|split]]; auto.
  + apply both_far with eta (B / lam) (Delta / lam) ((c - t) / lam) ((c' - t) / lam); auto; try (apply Reach; lra).
    apply Far; lra.
  + apply both_near with eta (B / lam) (Delta / lam) ((c - t) / lam) ((c' - t) / lam); auto; try (apply Reach; lra).
    apply Rabs_le. assert (Q := Far (c - t) (c' - t) ltac:(lra)). assert (Q' := Far (c' - t) (c - t) ltac:(lra)). lra.
- destruct (reading_right Cd k c I H) as (g & G & F).
  destruct (reading_left Cd k c' I ltac:(lra)) as (g' & G' & F').
  exists (exp (- g) / 2), (1 - exp (- g') / 2). split; [|split; [|split]]; auto.
  + apply far_then_near with eta (B / lam) (Delta / lam) ((c - t) / lam) ((t - c') / lam); auto; apply Reach; lra.
  + replace (1 - (1 - exp (- g') / 2)) with (exp (- g') / 2) by ring.
    apply near_then_far with eta (B / lam) (Delta / lam) ((c - t) / lam) ((t - c') / lam); auto; try (apply Reach; lra).
    assert (Q := Far (c - t) (c' - t) ltac:(lra)). unfold Rdiv in *. lra.
- destruct (reading_left Cd k c I ltac:(lra)) as (g & G & F).
  destruct (reading_right Cd k c' I H') as (g' & G' & F').
  exists (1 - exp (- g) / 2), (exp (- g') / 2). split; [|split; [|split]]; auto.
  + apply near_then_far with eta (B / lam) (Delta / lam) ((t - c) / lam) ((c' - t) / lam); auto; try (apply Reach; lra).
    assert (Q := Far (t - c) (t - c') ltac:(lra)). unfold Rdiv in *. lra.
  + replace (1 - (1 - exp (- g) / 2)) with (exp (- g) / 2) by ring.
    apply far_then_near with eta (B / lam) (Delta / lam) ((t - c) / lam) ((c' - t) / lam); auto; apply Reach; lra.
- destruct (reading_left Cd k c I ltac:(lra)) as (g & G & F).
  destruct (reading_left Cd k c' I ltac:(lra)) as (g' & G' & F').
  exists (1 - exp (- g) / 2), (1 - exp (- g') / 2). split; [|split; [|split]]; auto.
  + apply both_near with eta (B / lam) (Delta / lam) ((t - c) / lam) ((t - c') / lam); auto; try (apply Reach; lra).
    apply Rabs_le. assert (Q := Far (t - c) (t - c') ltac:(lra)). assert (Q' := Far (t - c') (t - c) ltac:(lra)). lra.
  + replace (1 - (1 - exp (- g) / 2)) with (exp (- g) / 2) by ring.
    replace (1 - (1 - exp (- g') / 2)) with (exp (- g') / 2) by ring.
    apply both_far with eta (B / lam) (Delta / lam) ((t - c) / lam) ((t - c') / lam); auto; try (apply Reach; lra).
    apply Far; lra.
Qed.
End Edge.

Lemma B_positive : 0 < B.
Proof. destruct (basics Cd) as (Hl & _ & HB & _). lra. Qed.

Theorem top_output : P p lam B Lam B c <= Bound * P p lam B Lam B c'.
Proof.
destruct (both_ends (top B m - 1) (or_introl eq_refl)) as (F & F' & CF & CF' & _ & Q).
rewrite (P_top p lam B m B_positive _ _ CF), (P_top p lam B m B_positive _ _ CF'). exact Q.
Qed.

Theorem bottom_output : P p lam B Lam (- B) c <= Bound * P p lam B Lam (- B) c'.
Proof.
destruct (both_ends (- top B m) (or_intror eq_refl)) as (F & F' & CF & CF' & Q & _).
rewrite (P_bottom p lam B m B_positive _ _ CF), (P_bottom p lam B m B_positive _ _ CF'). exact Q.
Qed.
End EndOutputs.

Arguments B_positive {p lam B m} Cd.

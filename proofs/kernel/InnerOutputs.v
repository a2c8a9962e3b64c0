(** notes/theorem1.md, section 3, "II": an inner output and two values that do not see it from one side, for the
    probabilities of the program. 11.2 is enough here, for every Delta >= |c - c'|. Then, with the one-sided outputs,
    every inner output. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Law Thresholds Grid Probability Exponential Rows Sizes Readings
  Inside OneSided.
Open Scope R_scope.

Section InnerOutput.
Variables (p : Z) (lam B : R) (m : Z).
Notation Lam := (bpow radix2 m).
Hypothesis Cd : conditions p lam B Lam.
Notation eta := (eta p).
Variable k : Z.
Notation xr := (IZR k * Lam).
Hypothesis Hx : Rabs xr < B.
Notation lo := (mid p (edge m (k - 1))).
Notation hi := (mid p (edge m k)).
Notation Pr := (P p lam B Lam xr).
Variables C Delta : R.
Hypothesis HC : 112/10 <= C.
Notation Bound := (bound p lam B C Delta).
Notation K := ((hi - lo) / lam).
Notation b := (B / lam).

(** In units of lam. *)
Lemma scale_le x y : x <= y -> x / lam <= y / lam.
Proof.
intros H. destruct (basics Cd) as (Hl & _). apply Rmult_le_compat_r; auto. left. apply Rinv_0_lt_compat; auto.
Qed.

Lemma scale_ge_0 x : 0 <= x -> 0 <= x / lam.
Proof. intros H. assert (Q := scale_le 0 x H). unfold Rdiv in *. rewrite Rmult_0_l in Q. auto. Qed.

Lemma units : 0 < eta <= / 2048 /\ 1 <= b /\ b * eta <= / 128 /\ 99/100 <= K <= 201/100.
Proof.
destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4). assert (W := width_of_output Cd k Hx).
assert (E1 : lam / lam = 1) by (field; lra). assert (S1 := scale_le _ _ L2). assert (S2 := scale_le _ _ L4).
destruct W as [W1 W2]. apply scale_le in W1. apply scale_le in W2. unfold Rdiv in *. split; [auto|].
repeat split; try lra.
Qed.

Lemma enough : Delta / lam + 112/10 * (b * eta) + 2 * eta <= Delta / lam + C * (B * eta / lam) + 2 * eta.
Proof.
destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4). replace (B * eta / lam) with (b * eta) by (field; lra).
assert (0 <= b * eta) by (apply Rmult_le_pos; [apply scale_ge_0|]; lra).
assert (112/10 * (b * eta) <= C * (b * eta)) by (apply Rmult_le_compat_r; auto). lra.
Qed.

Ltac in_lam := unfold Rdiv; ring.
Lemma halve x y : x <= Bound * y -> x / 2 <= Bound * (y / 2).
Proof. intros H. unfold Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra. Qed.

Theorem inside_and_above c c' : Rabs c' <= B -> lo <= c <= hi -> hi <= c' -> c' - c <= Delta ->
  Pr c <= Bound * Pr c' /\ Pr c' <= Bound * Pr c.
Proof.
intros Bc' Hc Hc' HD. destruct units as (He & Hb & Hbe & HK). destruct (both_distances Cd k Hx c' Bc') as [F _].
destruct (P_inside Cd k Hx c Hc) as (al & ga & Ra & Rg & ->).
destruct (P_above Cd k Hx c' ltac:(lra) Hc') as (g2 & g1 & R2 & R1 & ->).
replace ((c' - lo) / lam) with ((c' - hi) / lam + K) in R1 by in_lam.
assert (Far : 2 * ((c' - hi) / lam) + K <= 401/100 * b) by (apply scale_le in F; unfold Rdiv in *; lra).
assert (Dist : (hi - c) / lam + (c' - hi) / lam <= Delta / lam) by (apply scale_le in HD; unfold Rdiv in *; lra).
assert (Sum : (c - lo) / lam + (hi - c) / lam = K) by in_lam. assert (Q := enough).
assert (A := scale_ge_0 (c - lo) ltac:(lra)). assert (A2 := scale_ge_0 (hi - c) ltac:(lra)).
assert (A3 := scale_ge_0 (c' - hi) ltac:(lra)).
split; apply halve; [apply inside_over_beyond with eta b K (Delta / lam) ((c - lo) / lam) ((hi - c) / lam) ((c' - hi)
  / lam)
  | apply beyond_over_inside with eta b K (Delta / lam) ((c - lo) / lam) ((hi - c) / lam) ((c' - hi) / lam)]; auto.
Qed.

Theorem inside_and_below c c' : Rabs c' <= B -> lo <= c <= hi -> c' <= lo -> c - c' <= Delta ->
  Pr c <= Bound * Pr c' /\ Pr c' <= Bound * Pr c.
Proof.
intros Bc' Hc Hc' HD. destruct units as (He & Hb & Hbe & HK). destruct (both_distances Cd k Hx c' Bc') as [_ F].
destruct (P_inside Cd k Hx c Hc) as (al & ga & Ra & Rg & ->).
destruct (P_below Cd k Hx c' Hc' ltac:(lra)) as (g2 & g1 & R2 & R1 & ->).
replace ((hi - c') / lam) with ((lo - c') / lam + K) in R1 by in_lam.
assert (Far : 2 * ((lo - c') / lam) + K <= 401/100 * b) by (apply scale_le in F; unfold Rdiv in *; lra).
assert (Dist : (c - lo) / lam + (lo - c') / lam <= Delta / lam) by (apply scale_le in HD; unfold Rdiv in *; lra).
assert (Sum : (hi - c) / lam + (c - lo) / lam = K) by in_lam. assert (Q := enough).
assert (A := scale_ge_0 (c - lo) ltac:(lra)). assert (A2 := scale_ge_0 (hi - c) ltac:(lra)).
assert (A3 := scale_ge_0 (lo - c') ltac:(lra)).
replace (2 - exp (- al) - exp (- ga)) with (2 - exp (- ga) - exp (- al)) by ring.
split; apply halve; [apply inside_over_beyond with eta b K (Delta / lam) ((hi - c) / lam) ((c - lo) / lam) ((lo - c')
  / lam)
  | apply beyond_over_inside with eta b K (Delta / lam) ((hi - c) / lam) ((c - lo) / lam) ((lo - c') / lam)]; auto.
Qed.

Theorem below_and_above c c' : Rabs c <= B -> Rabs c' <= B -> c <= lo -> hi <= c' -> c' - c <= Delta ->
  Pr c <= Bound * Pr c' /\ Pr c' <= Bound * Pr c.
Proof.
intros Bc Bc' Hc Hc' HD. destruct units as (He & Hb & Hbe & HK). assert (W := width_of_output Cd k Hx).
destruct (basics Cd) as (Hl & _). assert (Q := enough).
destruct (P_below Cd k Hx c Hc ltac:(lra)) as (g2 & g1 & R2 & R1 & ->).
destruct (P_above Cd k Hx c' ltac:(lra) Hc') as (g2' & g1' & R2' & R1' & ->).
replace ((hi - c) / lam) with ((lo - c) / lam + K) in R1 by in_lam.
replace ((c' - lo) / lam) with ((c' - hi) / lam + K) in R1' by in_lam.
assert (S : (lo - c) / lam + K + (c' - hi) / lam = (c' - c) / lam) by in_lam.
assert (Dist := scale_le _ _ HD). assert (Far : (c' - c) / lam <= 2 * b).
{ apply Rabs_le_inv in Bc. apply Rabs_le_inv in Bc'. assert (F : c' - c <= 2 * B) by lra. apply scale_le in F.
  unfold Rdiv in *. lra. }
assert (A := scale_ge_0 (lo - c) ltac:(lra)). assert (A' := scale_ge_0 (c' - hi) ltac:(lra)).
split; apply halve; [apply across with eta b K (Delta / lam) ((lo - c) / lam) ((c' - hi) / lam)
  | apply across with eta b K (Delta / lam) ((c' - hi) / lam) ((lo - c) / lam)]; auto; lra.
Qed.

Theorem both_inside_output c c' : lo <= c <= hi -> lo <= c' <= hi -> Rabs (c - c') <= Delta -> Pr c <= Bound * Pr c'.
Proof.
intros Hc Hc' HD. destruct units as (He & Hb & Hbe & HK). assert (Q := enough).
destruct (P_inside Cd k Hx c Hc) as (al & ga & Ra & Rg & ->).
destruct (P_inside Cd k Hx c' Hc') as (al' & ga' & Ra' & Rg' & ->).
assert (Sum : (c - lo) / lam + (hi - c) / lam = K) by in_lam.
assert (A := scale_ge_0 (c - lo) ltac:(lra)). assert (A2 := scale_ge_0 (hi - c) ltac:(lra)).
assert (A' := scale_ge_0 (c' - lo) ltac:(lra)). assert (A2' := scale_ge_0 (hi - c') ltac:(lra)).
apply Rabs_le_inv in HD. apply halve. destruct (Rle_or_lt c c') as [H|H].
- replace ((c' - lo) / lam) with ((c - lo) / lam + (c' - c) / lam) in * by in_lam.
  replace ((hi - c') / lam) with ((hi - c) / lam - (c' - c) / lam) in * by in_lam.
  assert (S0 := scale_ge_0 (c' - c) ltac:(lra)). assert (SD := scale_le (c' - c) Delta ltac:(lra)).
  apply both_inside with eta b K (Delta / lam) ((c - lo) / lam) ((hi - c) / lam) ((c' - c) / lam); auto; lra.
- replace ((hi - c') / lam) with ((hi - c) / lam + (c - c') / lam) in * by in_lam.
  replace ((c' - lo) / lam) with ((c - lo) / lam - (c - c') / lam) in * by in_lam.
  assert (S0 := scale_ge_0 (c - c') ltac:(lra)). assert (SD := scale_le (c - c') Delta ltac:(lra)).
  replace (2 - exp (- al) - exp (- ga)) with (2 - exp (- ga) - exp (- al)) by ring.
  replace (2 - exp (- al') - exp (- ga')) with (2 - exp (- ga') - exp (- al')) by ring.
  apply both_inside with eta b K (Delta / lam) ((hi - c) / lam) ((c - lo) / lam) ((c - c') / lam); auto; lra.
Qed.

(** Every inner output: where are c and c'? *)
Variables wide e0 : R.
Hypothesis Tb : table C wide e0.
Hypothesis He0 : eta <= e0 /\ e0 <= / 2048.
Hypothesis Hwide : 0 < wide /\ wide * (B * eta) <= lam.

Theorem inner_output c c' : is_float p c -> is_float p c' -> Rabs c <= B -> Rabs c' <= B -> c <> c' ->
  Rabs (c - c') <= Delta ->
  regular_core p B Delta -> Pr c <= Bound * Pr c'.
Proof.
intros Fc Fc' Bc Bc' N HD Reg. assert (W := width_of_output Cd k Hx). destruct (basics Cd) as (Hl & _).
assert (HD' := Rabs_le_inv _ _ HD).
assert (Below : c < lo -> c' < lo -> Pr c <= Bound * Pr c').
{ intros H H'. destruct (Rlt_or_le c c') as [L|L].
  - refine (proj2 (one_sided p lam B m Cd k Hx C wide e0 Tb He0 Hwide true Delta c' c _ _ _ _ _ _ _ _)); auto;
      unfold near; lra.
  - refine (proj1 (one_sided p lam B m Cd k Hx C wide e0 Tb He0 Hwide true Delta c c' _ _ _ _ _ _ _ _)); auto;
      unfold near; lra. }
assert (Above : hi < c -> hi < c' -> Pr c <= Bound * Pr c').
{ intros H H'. destruct (Rlt_or_le c c') as [L|L].
  - refine (proj1 (one_sided p lam B m Cd k Hx C wide e0 Tb He0 Hwide false Delta c c' _ _ _ _ _ _ _ _)); auto;
      unfold near; lra.
  - refine (proj2 (one_sided p lam B m Cd k Hx C wide e0 Tb He0 Hwide false Delta c' c _ _ _ _ _ _ _ _)); auto;
      unfold near; lra. }
destruct (Rlt_or_le c lo) as [A|A]; [|destruct (Rlt_or_le hi c) as [A2|A2]];
(destruct (Rlt_or_le c' lo) as [A'|A']; [|destruct (Rlt_or_le hi c') as [A2'|A2']]).
- auto.
- eapply proj1, (below_and_above c c'); auto; lra.
- eapply proj2, (inside_and_below c' c); auto; lra.
- eapply proj2, (below_and_above c' c); auto; lra.
- auto.
- eapply proj2, (inside_and_above c' c); auto; lra.
- eapply proj1, (inside_and_below c c'); auto; lra.
- eapply proj1, (inside_and_above c c'); auto; lra.
- apply (both_inside_output c c'); auto.
Qed.
End InnerOutput.

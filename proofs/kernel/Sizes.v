(** notes/theorem1.md, section 4, "theorem.premises": how large things can be. The conditions in linear form; edges within
    reach are floats with even significands; the distances from a value to the near and the far edge of an inner output,
    and to the edges of B and -B. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Snapping Require Import Statement Core Rounding Law Thresholds Grid Distance Offsets.
Open Scope R_scope.

Section Sizes.
Variables (p : Z) (lam B : R) (m : Z).
Notation Lam := (bpow radix2 m).
Hypothesis Cd : conditions p lam B Lam.
Notation eta := (eta p).

Lemma enough_bits : (1 < p)%Z.
Proof. destruct Cd. lia. Qed.

Lemma basics : 0 < lam /\ lam <= Lam < 2 * lam /\ lam <= B /\ 0 < eta <= / 2048 /\ B * eta <= lam / 128.
Proof.
destruct Cd as [Hp [Hl _] [HB _] [m' [E HL]] Hw]. repeat split; try lra.
- apply bpow_gt_0.
- change (/ 2048) with (bpow radix2 (-11)). apply bpow_le. lia.
- apply Rmult_le_compat_r with (r := lam) in Hw; [|lra].
  replace (B * eta / lam * lam) with (B * eta) in Hw by (field; lra). lra.
Qed.

(** An edge with such an index is a float with an even significand (Thresholds.edge_is_even). *)
Lemma index_fits k : Rabs (IZR k * Lam) < B + Lam -> (Z.abs (2 * k + 1) < 2 ^ (p - 1))%Z.
Proof.
intros Hk. destruct basics as (L0 & L1 & L2 & L3 & L4). assert (Hp : (11 <= p)%Z) by (destruct Cd; auto).
assert (HB : B <= lam * bpow radix2 (p - 7)).
{ apply Rmult_le_reg_r with eta; [lra|]. rewrite Rmult_assoc. unfold Statement.eta. rewrite <- bpow_plus.
  replace (p - 7 + - p)%Z with (-7)%Z by ring. change (bpow radix2 (-7)) with (/ 128). unfold Statement.eta in L4.
  lra. }
rewrite Rabs_mult, (Rabs_pos_eq Lam), <- abs_IZR in Hk by lra.
assert (K : IZR (Z.abs k) < bpow radix2 (p - 7) + 1).
{ apply Rmult_lt_reg_r with Lam; [lra|].
  assert (lam * bpow radix2 (p - 7) <= Lam * bpow radix2 (p - 7)) by (apply Rmult_le_compat_r; [apply bpow_ge_0|lra]).
  lra. }
rewrite <- IZR_Zpower in K by lia. rewrite <- plus_IZR in K. apply lt_IZR in K.
change (Zpower radix2 (p - 7)) with (2 ^ (p - 7))%Z in K.
replace (p - 1)%Z with (6 + (p - 7))%Z by ring. rewrite Z.pow_add_r by lia. change (2 ^ 6)%Z with 64%Z.
assert (2 ^ 4 <= 2 ^ (p - 7))%Z by (apply Z.pow_le_mono_r; lia). lia.
Qed.

(** An inner output x = k Lam. Its edges are k - 1 and k; t j is where the sum starts to reach edge j. *)
Section Inner.
Variable k : Z.
Notation xr := (IZR k * Lam).
Notation X := (Rabs xr).
Hypothesis Hx : X < B.
Notation t j := (mid p (edge m j)).
Notation hg := (half_gap p m).
Notation delta := (delta p m k).

Lemma edges_fit : (Z.abs (2 * k + 1) < 2 ^ (p - 1))%Z /\ (Z.abs (2 * (k - 1) + 1) < 2 ^ (p - 1))%Z.
Proof.
destruct basics as (L0 & L1 & L2 & L3 & L4). split; apply index_fits; [lra|].
rewrite minus_IZR. replace ((IZR k - 1) * Lam) with (xr - Lam) by ring.
apply Rle_lt_trans with (1 := Rabs_triang xr (- Lam)). rewrite Rabs_Ropp, (Rabs_pos_eq Lam); lra.
Qed.

(** Distances from c to the near and the far edge; b = true: c is below x. *)
Definition near (b : bool) (c : R) := if b then t (k - 1) - c else c - t k.
Definition far (b : bool) (c : R) := if b then t k - c else c - t (k - 1).

Lemma far_near b c : far b c = near b c + Lam + delta.
Proof.
unfold far, near, Offsets.delta, half_gap.
assert (E : edge m k = edge m (k - 1) + Lam) by (rewrite !edge_eq, minus_IZR; ring). destruct b; lra.
Qed.

Lemma near_eq b c : near b c = if b then xr - Lam / 2 - hg (k - 1) - c else c - xr - Lam / 2 + hg k.
Proof. unfold near, half_gap. rewrite !edge_eq, minus_IZR. destruct b; lra. Qed.

Lemma far_eq b c : far b c = if b then xr + Lam / 2 - hg k - c else c - xr + Lam / 2 + hg (k - 1).
Proof. unfold far, half_gap. rewrite !edge_eq, minus_IZR. destruct b; lra. Qed.

Lemma half_gaps : 0 < hg k <= eta * (X + Lam / 2) /\ 0 < hg (k - 1) <= eta * (X + Lam / 2).
Proof.
destruct basics as (L0 & L1 & L2 & L3 & L4). assert (Hp := enough_bits).
assert (T : forall j s, edge m j = xr + s * (Lam / 2) -> Rabs s = 1 -> 0 < hg j <= eta * (X + Lam / 2)).
{ intros j s E Es. destruct (half_gap_bounds p Hp m j) as [Q Q']. split; auto. apply Rle_trans with (1 := Q').
  apply Rmult_le_compat_l; [lra|]. rewrite E. apply Rle_trans with (1 := Rabs_triang _ _).
  rewrite (Rabs_mult s), Es, (Rabs_pos_eq (Lam / 2)) by lra. lra. }
split; [apply T with 1 | apply T with (-1)]; rewrite ?edge_eq, ?minus_IZR; try lra;
  [apply Rabs_R1 | rewrite Rabs_left; lra].
Qed.

Lemma small_products : eta * X <= Lam / 128 /\ eta * Lam <= Lam / 2048 /\ 0 <= X.
Proof.
destruct basics as (L0 & L1 & L2 & L3 & L4). assert (X0 := Rabs_pos xr). split; [|split]; auto.
- assert (eta * X <= eta * B) by (apply Rmult_le_compat_l; lra). lra.
- assert (eta * Lam <= / 2048 * Lam) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma step_pos : Lam / 2 < Lam + delta.
Proof.
destruct half_gaps as [G G']. destruct small_products as (S1 & S2 & S3). destruct basics as (L0 & L1 & L2 & L3 & L4).
unfold Offsets.delta. lra.
Qed.

Lemma reach b c : Rabs c <= B -> eta * far b c <= Lam / 60 /\ near b c < 2 * B /\
  far b c <= Rabs c + X + Lam / 2 + eta * (X + Lam / 2).
Proof.
intros Hc. destruct half_gaps as [G G']. destruct small_products as (S1 & S2 & S3).
destruct basics as (L0 & L1 & L2 & L3 & L4).
assert (C1 := Rle_abs c). assert (C2 := Rle_abs (- c)). rewrite Rabs_Ropp in C2.
assert (X1 := Rle_abs xr). assert (X2 := Rle_abs (- xr)). rewrite Rabs_Ropp in X2.
assert (Hf : far b c <= Rabs c + X + Lam / 2 + eta * (X + Lam / 2)) by (rewrite far_eq; destruct b; lra).
assert (E : eta * (X + Lam / 2) <= / 2048 * (X + Lam / 2)) by (apply Rmult_le_compat_r; lra).
split; [|split]; auto.
- apply Rle_trans with (eta * (Rabs c + X + Lam / 2 + eta * (X + Lam / 2))); [apply Rmult_le_compat_l; lra|].
  assert (eta * (eta * (X + Lam / 2)) <= eta * (/ 2048 * (X + Lam / 2))) by (apply Rmult_le_compat_l; lra).
  assert (eta * Rabs c <= eta * B) by (apply Rmult_le_compat_l; lra). lra.
- rewrite near_eq. destruct b; lra.
Qed.

Lemma width_of_output : 99/100 * lam <= t k - t (k - 1) <= 201/100 * lam.
Proof.
destruct basics as (L0 & L1 & L2 & L3 & L4). destruct half_gaps as [G G'].
assert (EX : eta * X <= eta * B) by (apply Rmult_le_compat_l; lra).
assert (EL : eta * lam <= / 2048 * lam) by (apply Rmult_le_compat_r; lra).
assert (EL' : eta * Lam <= eta * (2 * lam)) by (apply Rmult_le_compat_l; lra).
assert (Dl : t k - t (k - 1) = Lam + (hg (k - 1) - hg k)) by (unfold half_gap; rewrite !edge_eq, minus_IZR; lra).
rewrite Dl. lra.
Qed.

Lemma both_distances c : Rabs c <= B -> (c - t k) + (c - t (k - 1)) <= 401/100 * B /\
  (t k - c) + (t (k - 1) - c) <= 401/100 * B.
Proof.
intros Hc. destruct basics as (L0 & L1 & L2 & L3 & L4). destruct half_gaps as [G G'].
assert (EX : eta * (X + Lam / 2) <= / 2048 * (X + Lam / 2)) by (apply Rmult_le_compat_r; assert (Q := Rabs_pos xr);
  lra).
assert (Tk : t k = xr + Lam / 2 - hg k) by (unfold half_gap; rewrite !edge_eq; lra).
assert (Tk' : t (k - 1) = xr - Lam / 2 - hg (k - 1)) by (unfold half_gap; rewrite !edge_eq, minus_IZR; lra).
apply Rabs_le_inv in Hc. assert (X1 := Rle_abs xr). assert (X2 := Rle_abs (- xr)). rewrite Rabs_Ropp in X2. lra.
Qed.
End Inner.

(** The edges of x = B and x = -B. *)
Section Ends.
Variable k : Z.
Hypothesis Hk : k = (top B m - 1)%Z \/ k = (- top B m)%Z.

Lemma end_edge_fits : (Z.abs (2 * k + 1) < 2 ^ (p - 1))%Z.
Proof.
destruct basics as (L0 & L1 & L2 & L3 & L4). assert (T := top_bounds B m).
apply index_fits. destruct Hk as [-> | ->]; [rewrite minus_IZR | rewrite opp_IZR]; apply Rabs_def1; lra.
Qed.

Lemma end_reach c : Rabs c <= B -> Rabs (c - mid p (edge m k)) <= 251/100 * B.
Proof.
intros Hc. destruct basics as (L0 & L1 & L2 & L3 & L4). assert (T := top_bounds B m).
assert (T0 : (0 < top B m)%Z) by (apply lt_IZR; apply Rmult_lt_reg_r with Lam; lra).
assert (T1 : 1 <= IZR (top B m)) by (apply IZR_le; lia).
assert (AT : Rabs (edge m k) = IZR (top B m) * Lam - Lam / 2).
{ rewrite edge_eq. destruct Hk as [-> | ->].
  - rewrite minus_IZR, Rabs_pos_eq; [field|]. apply Rmult_le_pos; lra.
  - rewrite opp_IZR, Rabs_left; [field|]. nra. }
assert (AT' : Rabs (edge m k) <= 3/2 * B).
{ rewrite AT. destruct (Rle_or_lt Lam B) as [h|h]; [lra|].
  assert (E : (top B m = 1)%Z); [|rewrite E; lra]. assert (top B m < 2)%Z; [|lia]. apply lt_IZR. nra. }
assert (G := half_gap_bounds p enough_bits m k). unfold half_gap in G.
assert (eta * Rabs (edge m k) <= / 2048 * (3/2 * B)) by (apply Rmult_le_compat; try apply Rabs_pos; lra).
apply Rabs_le_inv in Hc. apply Rabs_le_inv in AT'. apply Rabs_le. lra.
Qed.
End Ends.
End Sizes.

Arguments enough_bits {p lam B m} Cd.
Arguments basics {p lam B m} Cd.
Arguments edges_fit {p lam B m} Cd.
Arguments half_gaps {p lam B m} Cd.
Arguments small_products {p lam B m} Cd.
Arguments step_pos {p lam B m} Cd.
Arguments reach {p lam B m} Cd.
Arguments width_of_output {p lam B m} Cd.
Arguments both_distances {p lam B m} Cd.
Arguments end_edge_fits {p lam B m} Cd.
Arguments end_reach {p lam B m} Cd.

(** notes/theorem1.md, section 3: one edge, read loosely. P(w < T | c) is e^-g/2 or 1 - e^-g/2, where g is the distance
    from c to t* in units of lam, up to a relative error of 2.0005 eta and an absolute one of 2 eta. The easy cases need
    no more; all errors are independent there. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Law Thresholds Grid Distance Offsets Probability Exponential
  Configuration Sizes Values.
Open Scope R_scope.

Definition spread (eta : R) : R := 20005/10000 * eta.   (* >= (1 + eta)^2 - 1 *)
Definition reading (eta T g : R) : Prop := 0 <= g /\ T - spread eta * T - 2 * eta <= g <= T + spread eta * T.

Section Readings.
Variables (p : Z) (lam B : R) (m : Z).
Notation Lam := (bpow radix2 m).
Hypothesis Cd : conditions p lam B Lam.
Notation eta := (eta p).
Notation t k := (mid p (edge m k)).
Notation fits k := (Z.abs (2 * k + 1) < 2 ^ (p - 1))%Z.
Notation cdf := (cdf p lam m).

Lemma reading_of_law b tau q : 0 < tau -> law_of p lam b tau q -> exists g, reading eta (tau / lam) g /\ exp (- g) = q.
Proof.
intros Ht L. destruct (basics Cd) as (Hl & _ & _ & He & _).
destruct (point_of Cd b tau q Ht L) as (y & [Hq Hb Hc Hy _ [N1 N2]]). destruct L as [Q _].
set (g := - ln q) in *.
exists g. split; [|unfold g; rewrite Ropp_involutive; apply exp_ln; lra].
apply pow2_pos in Hq. apply cell_err in Hc. set (V := mid p (float_above p b tau)) in *.
assert (G0 : 0 <= g) by (unfold g; assert (ln q <= ln 1) by (apply ln_le; lra); rewrite ln_1 in *; lra).
assert (E1 : eta * binade p b tau <= eta * tau) by (apply Rmult_le_compat_l; lra).
assert (E2 : eta * y <= eta * V) by (apply Rmult_le_compat_l; lra).
assert (E3 : eta * V <= eta * (tau + eta * tau)) by (apply Rmult_le_compat_l; lra).
assert (E4 : eta * (eta * tau) <= / 2048 * (eta * tau)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
assert (E5 : 0 < eta * tau) by (apply Rmult_lt_0_compat; lra).
unfold reading, spread. split; [exact G0|split]; apply Rmult_le_reg_r with lam; auto.
- replace ((tau / lam - 20005/10000 * eta * (tau / lam) - 2 * eta) * lam) with (tau - 20005/10000 * (eta * tau)
    - 2 * eta * lam)
    by (field; lra). lra.
- replace ((tau / lam + 20005/10000 * eta * (tau / lam)) * lam) with (tau + 20005/10000 * (eta * tau)) by (field;
    lra). lra.
Qed.

Lemma reading_at_0 tau : tau = 0 -> reading eta (tau / lam) 0 /\ exp (- 0) = 1.
Proof.
intros ->. destruct (basics Cd) as (Hl & _ & _ & He & _). rewrite Ropp_0, exp_0. unfold Rdiv. rewrite Rmult_0_l.
unfold reading, spread. lra.
Qed.

(** c at t* counts on both sides. *)
Lemma reading_right k c : fits k -> t k <= c -> exists g, reading eta ((c - t k) / lam) g /\ cdf k c (exp (- g) / 2).
Proof.
intros Hk H. assert (Hp := enough_bits Cd). destruct (basics Cd) as (Hl & _). destruct H as [H|H].
- destruct (cdf_right p Hp lam Hl m k Hk c H) as (q & L & F).
  destruct (reading_of_law false (c - t k) q ltac:(lra) L) as (g & Rg & E).
  exists g. rewrite E. auto.
- destruct (reading_at_0 (c - t k) ltac:(lra)) as [R0 E]. exists 0. rewrite E. split; auto.
  apply (cdf_at p Hp lam Hl m k Hk c). auto.
Qed.

Lemma reading_left k c : fits k -> c <= t k -> exists g, reading eta ((t k - c) / lam) g /\ cdf k c (1 - exp (- g) / 2).
Proof.
intros Hk H. assert (Hp := enough_bits Cd). destruct (basics Cd) as (Hl & _). destruct H as [H|H].
- destruct (cdf_left p Hp lam Hl m k Hk c H) as (q & L & F).
  destruct (reading_of_law true (t k - c) q ltac:(lra) L) as (g & Rg & E).
  exists g. rewrite E. auto.
- destruct (reading_at_0 (t k - c) ltac:(lra)) as [R0 E]. exists 0. rewrite E. split; auto.
  replace (1 - 1 / 2) with (1 / 2) by field. apply (cdf_at p Hp lam Hl m k Hk c). auto.
Qed.

(** An inner output x = k Lam: the three places that c can have. *)
Section Inner.
Variable k : Z.
Notation xr := (IZR k * Lam).
Hypothesis Hx : Rabs xr < B.
Notation lo := (t (k - 1)).
Notation hi := (t k).
Notation Pr := (P p lam B Lam xr).

Lemma P_inside c : lo <= c <= hi -> exists al ga,
  reading eta ((c - lo) / lam) al /\ reading eta ((hi - c) / lam) ga /\ Pr c = (2 - exp (- al) - exp (- ga)) / 2.
Proof.
intros [H1 H2]. destruct (edges_fit Cd k Hx) as [K2 K1].
destruct (reading_right (k - 1) c K1 H1) as (al & Ra & Fa). destruct (reading_left k c K2 H2) as (ga & Rg & Fg).
exists al, ga. split; [auto|split; [auto|]]. rewrite (P_inner p lam B m k c _ _ Hx Fg Fa). field.
Qed.

Lemma P_above c : lo <= c -> hi <= c -> exists g2 g1,
  reading eta ((c - hi) / lam) g2 /\ reading eta ((c - lo) / lam) g1 /\ Pr c = (exp (- g2) - exp (- g1)) / 2.
Proof.
intros H1 H2. destruct (edges_fit Cd k Hx) as [K2 K1].
destruct (reading_right (k - 1) c K1 H1) as (g1 & R1 & F1). destruct (reading_right k c K2 H2) as (g2 & R2 & F2).
exists g2, g1. split; [auto|split; [auto|]]. rewrite (P_inner p lam B m k c _ _ Hx F2 F1). field.
Qed.

Lemma P_below c : c <= lo -> c <= hi -> exists g2 g1,
  reading eta ((lo - c) / lam) g2 /\ reading eta ((hi - c) / lam) g1 /\ Pr c = (exp (- g2) - exp (- g1)) / 2.
Proof.
intros H1 H2. destruct (edges_fit Cd k Hx) as [K2 K1].
destruct (reading_left (k - 1) c K1 H1) as (g2 & R2 & F2). destruct (reading_left k c K2 H2) as (g1 & R1 & F1).
exists g2, g1. split; [auto|split; [auto|]]. rewrite (P_inner p lam B m k c _ _ Hx F1 F2). field.
Qed.
End Inner.
End Readings.

Arguments reading_right {p lam B m} Cd.
Arguments reading_left {p lam B m} Cd.
Arguments P_inside {p lam B m} Cd.
Arguments P_above {p lam B m} Cd.
Arguments P_below {p lam B m} Cd.

(** notes/theorem1.md, section 4: two p-bit values on one side of an inner output are a configuration. The law of the
    noise at each of their four distances; and the two kinds of Delta. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Law Thresholds Grid Distance Offsets Probability Rows
  Configuration Sizes.
Open Scope R_scope.

Section Values.
Variables (p : Z) (lam B : R) (m : Z).
Notation Lam := (bpow radix2 m).
Hypothesis Cd : conditions p lam B Lam.
Notation eta := (eta p).

Lemma point_of b tau q : 0 < tau -> law_of p lam b tau q ->
  exists y, point b eta lam tau (binade p b tau) (mid p (float_above p b tau)) y (- ln q).
Proof.
intros Ht [Hq Hl]. assert (Hp := enough_bits Cd). destruct (basics Cd) as (Ll & _).
assert (H1 := pred_above_pos p Hp b tau Ht). assert (H2 := float_above_pos p Hp b tau Ht).
set (V := mid p (float_above p b tau)) in *. assert (HV : 0 < V) by (unfold V, mid; lra).
destruct (ln_error p Hp lam V Ll HV) as (y & Hy & Hf & E). exists y. constructor; auto.
- apply binade_pow2; auto.
- apply binade_bounds; auto.
- rewrite <- width_binade. apply cell_of_distance; auto.
- simpl in Hl. unfold noise_law. set (v0 := V / lam) in *. assert (EV : v0 * lam = V) by (unfold v0; field; lra).
  split; rewrite <- EV; [apply Rle_trans with ((v0 - ulp radix2 (FLX_exp p) v0 / 2 - 2 * eta) * lam); [lra|]
    | apply Rle_trans with ((v0 + ulp radix2 (FLX_exp p) v0 / 2) * lam); [|lra]]; apply Rmult_le_compat_r; lra.
Qed.

(** An inner output x = k Lam, and a value beyond its near edge. *)
Variable k : Z.
Notation xr := (IZR k * Lam).
Hypothesis Hx : Rabs xr < B.
Notation near := (near p m k).
Notation far := (far p m k).
Notation delta := (delta p m k).

Theorem P_beyond b c : 0 < near b c -> exists q2 q1,
  law_of p lam b (near b c) q2 /\ law_of p lam b (far b c) q1 /\ P p lam B Lam xr c = (q2 - q1) / 2.
Proof.
intros H2. assert (H1 : 0 < far b c).
{ assert (St := step_pos Cd k Hx). assert (E := far_near p m k b c). assert (L := bpow_gt_0 radix2 m). lra. }
destruct (edges_fit Cd k Hx) as [K2 K1]. assert (Hp := enough_bits Cd).
destruct (basics Cd) as (Ll & _).
unfold Sizes.near, Sizes.far in *. destruct b.
- destruct (cdf_left p Hp lam Ll m k K2 c) as (q1 & Q1 & F1); [lra|].
  destruct (cdf_left p Hp lam Ll m (k - 1) K1 c) as (q2 & Q2 & F2); [lra|].
  exists q2, q1. split; [auto|split; [auto|]]. rewrite (P_inner p lam B m k c _ _ Hx F1 F2). field.
- destruct (cdf_right p Hp lam Ll m k K2 c) as (q2 & Q2 & F2); [lra|].
  destruct (cdf_right p Hp lam Ll m (k - 1) K1 c) as (q1 & Q1 & F1); [lra|].
  exists q2, q1. split; [auto|split; [auto|]]. rewrite (P_inner p lam B m k c _ _ Hx F2 F1). field.
Qed.

Variables (b : bool) (Delta c c' : R).
Hypothesis Fc : is_float p c.
Hypothesis Fc' : is_float p c'.
Hypothesis Bc : Rabs c <= B.
Hypothesis Bc' : Rabs c' <= B.
Hypothesis Pos : 0 < near b c.
Hypothesis Lt : near b c < near b c'.
Hypothesis Dist : near b c' - near b c <= Delta.
Notation V t := (mid p (float_above p b t)).
Notation Bin t := (binade p b t).

Variables wide e0 : R.
Hypothesis He0 : eta <= e0 /\ e0 <= / 2048.
Hypothesis Hwide : 0 < wide /\ wide * (B * eta) <= lam.

(** The four distances as a configuration. *)
Theorem config_of q2 q1 q2' q1' :
  law_of p lam b (near b c) q2 -> law_of p lam b (far b c) q1 -> law_of p lam b (near b c') q2' ->
    law_of p lam b (far b c') q1' ->
  exists y2 y1 y2' y1', config wide e0 b eta lam Lam B Delta delta (near b c) (far b c) (near b c') (far b c')
    (Bin (near b c)) (Bin (far b c)) (Bin (near b c')) (Bin (far b c')) (V (near b c)) (V (far b c)) (V (near b c'))
      (V (far b c'))
    y2 y1 y2' y1' (- ln q2) (- ln q1) (- ln q2') (- ln q1').
Proof.
intros Q2 Q1 Q2' Q1'. destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4). assert (Hp := enough_bits Cd).
assert (S := step_pos Cd k Hx).
assert (E := far_near p m k b c). assert (E' := far_near p m k b c').
destruct (reach Cd k Hx b c' Bc') as (R1 & R2 & R3).
destruct (point_of b (near b c) q2 ltac:(lra) Q2) as [y2 Y2].
destruct (point_of b (far b c) q1 ltac:(lra) Q1) as [y1 Y1].
destruct (point_of b (near b c') q2' ltac:(lra) Q2') as [y2' Y2'].
destruct (point_of b (far b c') q1' ltac:(lra) Q1') as [y1' Y1'].
exists y2, y1, y2', y1'. constructor; auto; try lra.
- exists m; auto.
- repeat split; apply binade_mono; auto; lra.
- split; apply middle_mono; auto; lra.
- rewrite <- width_binade. apply width_dvd_Lam; auto; try lra. exists m; auto.
Qed.

Lemma Delta_kind : regular_core p B Delta -> dvd (2 * eta * Bin (near b c))
  Delta \/ 2 * Delta <= 2 * eta * Bin (near b c).
Proof.
intros R. assert (Hp := enough_bits Cd). destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4).
destruct (reach Cd k Hx b c Bc) as (_ & R2 & _).
rewrite <- width_binade. apply regular_divided with p B; auto; try lra. apply width_pow2; auto.
apply width_le_ulp; auto. lra.
Qed.

(** On opposite sides of 0, Delta >= eta |c'|. *)
Lemma Delta_ge : (if b then c' < 0 else 0 < c') -> eta * Rabs c' <= Delta.
Proof.
intros H. assert (Hp := enough_bits Cd). rewrite near_eq, near_eq in *. destruct b.
- rewrite Rabs_left by auto. assert (Q := floats_apart p Hp (- c) (- c') (generic_format_opp _ _ _ Fc)
    (generic_format_opp _ _ _ Fc') ltac:(lra) ltac:(lra)). lra.
- rewrite Rabs_pos_eq by lra. assert (Q := floats_apart p Hp c c' Fc Fc' ltac:(lra) H). lra.
Qed.
End Values.

Arguments point_of {p lam B m} Cd.
Arguments P_beyond {p lam B m} Cd.
Arguments config_of {p lam B m} Cd.

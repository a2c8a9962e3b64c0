(** notes/theorem1.md, section 4: an inner output and two values that see it from one side, from the program to the
    bound, in both directions and with any constant whose table holds. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Law Thresholds Grid Distance Offsets Probability Rows
  Configuration OneSide Sizes Values Parity.
Open Scope R_scope.

Section OneSided.
Variables (p : Z) (lam B : R) (m : Z).
Notation Lam := (bpow radix2 m).
Hypothesis Cd : conditions p lam B Lam.
Variable k : Z.
Notation xr := (IZR k * Lam).
Hypothesis Hx : Rabs xr < B.
Notation near := (near p m k).
Notation far := (far p m k).
Notation X := (Rabs xr).
Notation Pr := (P p lam B Lam xr).
Variables C wide e0 : R.
Hypothesis Tb : table C wide e0.
Hypothesis He0 : eta p <= e0 /\ e0 <= / 2048.
Hypothesis Hwide : 0 < wide /\ wide * (B * eta p) <= lam.

Theorem one_sided (b : bool) (Delta c c' : R) : is_float p c -> is_float p c' -> Rabs c <= B -> Rabs c' <= B ->
  0 < near b c -> near b c < near b c' -> near b c' - near b c <= Delta -> regular_core p B Delta ->
  Pr c <= bound p lam B C Delta * Pr c' /\ Pr c' <= bound p lam B C Delta * Pr c.
Proof.
intros Fc Fc' Bc Bc' Pos Lt Dist Reg. destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4).
assert (St := step_pos Cd k Hx). assert (E := far_near p m k b c). assert (E' := far_near p m k b c').
destruct (P_beyond Cd k Hx b c Pos) as (q2 & q1 & Q2 & Q1 & EP).
destruct (P_beyond Cd k Hx b c' ltac:(lra)) as (q2' & q1' & Q2' & Q1' & EP').
destruct (config_of Cd k Hx b Delta c c' Bc' Pos Lt Dist wide e0 He0 Hwide q2 q1 q2' q1' Q2 Q1 Q2' Q1')
  as (y2 & y1 & y2' & y1' & Cf).
assert (G : forward_ok C (eta p) lam B Delta (- ln q2) (- ln q1) (- ln q2') (- ln q1') /\
            backward_ok C (eta p) lam B Delta (- ln q2) (- ln q1) (- ln q2') (- ln q1')).
2: { unfold forward_ok, backward_ok in G. rewrite !Ropp_involutive in G.
rewrite !exp_ln in G by (apply Q2 || apply Q1 || apply Q2' || apply Q1').
  rewrite EP, EP'. unfold bound. lra. }
assert (HXb : 0 <= X <= B) by (assert (Q := Rabs_pos xr); lra).
assert (Hyb : 0 <= Rabs c' <= B) by (assert (Q := Rabs_pos c'); lra).
assert (Dec : (opposite k b /\ if b then c' < 0 else 0 < c') \/ ~ (opposite k b /\ if b then c' < 0 else 0 < c')).
{ unfold opposite. destruct b.
  - destruct (Z_lt_le_dec 0 k), (Rlt_or_le c' 0); try (left; split; auto; fail); right; intros [? ?]; lia || lra.
  - destruct (Z_lt_le_dec k 0), (Rlt_or_le 0 c'); try (left; split; auto; fail); right; intros [? ?]; lia || lra. }
destruct Dec as [[O S]|N].
- destruct (offset_opposite Cd k b O) as (d0 & H0 & Ed & Cases).
  destruct (reach Cd k Hx b c' Bc') as (_ & _ & Hopp).
  assert (Opp : far b c' <= Rabs c' + X + Lam / 2 + e0 * (X + Lam / 2)).
  { apply Rle_trans with (1 := Hopp). apply Rplus_le_compat_l. apply Rmult_le_compat_r; lra. }
  assert (HXt : X < far b c') by (eapply X_lt_far; eauto).
  assert (Hreg : dvd (2 * eta p * binade p b (near b c)) Delta \/
    (2 * Delta <= 2 * eta p * binade p b (near b c) /\ eta p * Rabs c' <= Delta)).
  { assert (Hk : dvd (2 * eta p * binade p b (near b c)) Delta \/ 2 * Delta <= 2 * eta p * binade p b (near b c))
      by (eapply Delta_kind; eauto).
    destruct Hk; auto. right. split; auto.
    eapply (Delta_ge p lam B m Cd k) with (c := c) (b := b); eauto. }
  destruct Cases as [(D0 & X3 & NX)|(X2 & XL & D & Sg)]; split.
  + eapply A_forward with (d0 := d0) (X := X) (yc := Rabs c'); eauto. exists (Z.abs k). apply X_abs.
  + eapply opposite_backward with (d0 := d0) (X := X) (yc := Rabs c'); eauto; try lra.
    all: assert (Cf0 := Cf); destruct Cf0; assert (0 < binade p b (far b c')) by (apply pow2_pos; apply cf_1');
      first [lra | left; lra | idtac].
  + eapply power_forward with (d0 := d0) (X := X) (yc := Rabs c'); eauto; intros.
    * eapply par_far; eauto.
    * eapply par_near; eauto.
    * eapply par_half; eauto.
  + assert (Cf0 := Cf). destruct Cf0 as [? ? [? ?] HL ? ? ? ? ? A1' ? ? ? ? ? ?].
    assert (HP := pt_pow2 A1'). assert (Hb := pt_bin A1').
    eapply opposite_backward with (d0 := d0) (X := X) (yc := Rabs c'); eauto; try lra.
    * destruct (Rle_or_lt (binade p b (far b c')) Lam) as [T|T]; auto. left.
      apply pow2_lt_double in T; auto. destruct (Rle_or_lt X (binade p b (far b c'))) as [U|U]; [lra|].
      apply pow2_lt_double in U; auto. lra.
    * destruct (pow2_eq_or_double Lam X HL X2 XL); auto.
- destruct (offset_any Cd k) as (d0 & H0 & Ed & D).
  eapply same_side_ok with (d0 := d0) (X := X) (yc := Rabs c'); eauto.
  apply Rle_trans with (B + Lam / 2 + eta p * (B + Lam / 2)); [eapply same_side_reach; eauto|].
  apply Rplus_le_compat_l. apply Rmult_le_compat_r; lra.
Qed.
End OneSided.

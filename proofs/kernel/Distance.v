(** notes/theorem1.md, sections 2 and 4: a distance tau that the noise has to reach. The noise is a float, so it has to
    reach the first float at or above tau; the middle of the gap below that float is the middle V of the cell that holds
    tau. Here: the width of that cell, its binade, and what it divides. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Grid.
Open Scope R_scope.

Section Distance.
Variable p : Z.
Hypothesis Hp : (1 < p)%Z.
Local Instance p_positive_distance : Prec_gt_0 p. Proof. unfold Prec_gt_0; lia. Qed.
Notation fexp := (FLX_exp p).
Notation ulp := (ulp radix2 fexp).
Notation pred := (pred radix2 fexp).
Notation succ := (succ radix2 fexp).
Notation RD := (RD p).
Notation mid := (mid p).
Notation eta := (eta p).

(** The first float that is >= tau (closed) or > tau (not closed), and what it is to reach it. *)
Definition float_above (closed : bool) (tau : R) : R :=
  if closed then round radix2 fexp Zceil tau else succ (RD tau).
Definition reaches (closed : bool) (tau z : R) : Prop := if closed then tau <= z else tau < z.

Lemma float_above_is_float b tau : is_float p (float_above b tau).
Proof.
destruct b; simpl; [|apply generic_format_succ; auto with typeclass_instances];
apply generic_format_round; auto with typeclass_instances.
Qed.

Lemma float_above_bounds (b : bool) tau : 0 < tau ->
  if b then pred (float_above b tau) < tau <= float_above b tau else pred (float_above b tau)
  <= tau < float_above b tau.
Proof.
intros Ht. destruct b; simpl.
- assert (H : tau <= round radix2 fexp Zceil tau) by (apply round_UP_pt; auto with typeclass_instances).
  split; auto. apply Rnot_le_lt. intros H1.
  assert (round radix2 fexp Zceil tau <= pred (round radix2 fexp Zceil tau)).
  { apply round_UP_pt; auto with typeclass_instances. apply generic_format_pred; auto with typeclass_instances.
    apply generic_format_round; auto with typeclass_instances. }
  assert (Q := pred_lt_id radix2 fexp (round radix2 fexp Zceil tau)). lra.
- assert (F : is_float p (RD tau)) by (apply generic_format_round; auto with typeclass_instances).
  destruct (RD_bounds p Hp tau Ht) as [H0 [H1 _]].
  rewrite pred_succ; auto with typeclass_instances. split; auto.
  apply Rnot_le_lt. intros H2.
  assert (succ (RD tau) <= RD tau).
  { apply round_DN_pt; auto with typeclass_instances. apply generic_format_succ; auto with typeclass_instances. }
  assert (Q := succ_gt_id radix2 fexp (RD tau)). lra.
Qed.

Lemma reaches_iff b tau z : 0 < tau -> is_float p z -> reaches b tau z <-> float_above b tau <= z.
Proof.
intros Ht Fz. assert (A := float_above_bounds b tau Ht). assert (Fa := float_above_is_float b tau).
destruct b; simpl in *; split; intros H; try lra.
- apply round_UP_pt; auto with typeclass_instances.
- apply succ_le_lt; auto with typeclass_instances.
  + apply generic_format_round; auto with typeclass_instances.
  + apply Rle_lt_trans with (2 := H). apply round_DN_pt; auto with typeclass_instances.
Qed.

(** The middle of the width below that float is the middle of a cell, in the sense of Grid.v. *)
Definition width b tau := ulp (pred (float_above b tau)).
Lemma float_above_pos b tau : 0 < tau -> 0 < float_above b tau.
Proof. intros Ht. assert (A := float_above_bounds b tau Ht). destruct b; lra. Qed.

Lemma pred_above_pos b tau : 0 < tau -> 0 < pred (float_above b tau).
Proof.
intros Ht. assert (H := float_above_pos b tau Ht).
destruct (Rle_lt_or_eq_dec 0 (pred (float_above b tau))) as [E|E]; auto.
- apply pred_ge_0; auto with typeclass_instances. apply float_above_is_float.
- exfalso. assert (S : succ (pred (float_above b tau)) = float_above b tau).
  { apply succ_pred; auto with typeclass_instances. apply float_above_is_float. }
  rewrite <- E in S. rewrite succ_0 in S. rewrite ulp_FLX_0 in S. lra. auto with typeclass_instances.
Qed.

Lemma cell_of_distance b tau : 0 < tau -> 0 < width b tau /\ cell b tau (width b tau) (mid (float_above b tau)).
Proof.
intros Ht. assert (H := pred_above_pos b tau Ht). assert (A := float_above_bounds b tau Ht).
assert (Hg : 0 < width b tau).
{ unfold width. rewrite ulp_neq_0 by lra. apply bpow_gt_0. }
assert (E : pred (float_above b tau) + width b tau = float_above b tau).
{ apply pred_plus_ulp; auto with typeclass_instances. apply float_above_pos; auto. apply float_above_is_float. }
split; auto. unfold Rounding.mid. split.
- replace ((pred (float_above b tau) + float_above b tau) / 2 - width b tau / 2) with (pred (float_above b tau)) by lra.
  assert (F : generic_format radix2 fexp (pred (float_above b tau))).
  { apply generic_format_pred; auto with typeclass_instances. apply float_above_is_float. }
  exists (Ztrunc (scaled_mantissa radix2 fexp (pred (float_above b tau)))).
  unfold width. rewrite ulp_neq_0 by lra. exact F.
- destruct b; lra.
Qed.

Lemma width_bounds b tau : 0 < tau -> eta * tau <= width b tau <= 2 * eta * tau.
Proof.
intros Ht. assert (H := pred_above_pos b tau Ht). assert (A := float_above_bounds b tau Ht).
assert (E : pred (float_above b tau) + width b tau = float_above b tau).
{ apply pred_plus_ulp; auto with typeclass_instances. apply float_above_pos; auto. apply float_above_is_float. }
assert (He := eta_pos p). split.
- assert (F : generic_format radix2 fexp (pred (float_above b tau))).
  { apply generic_format_pred; auto with typeclass_instances. apply float_above_is_float. }
  set (x := pred (float_above b tau)) in *.
  assert (M : x + width b tau <= bpow radix2 (mag radix2 x)).
  { unfold width. fold x. apply id_p_ulp_le_bpow; auto with typeclass_instances.
    destruct (mag radix2 x) as [e He']; simpl. rewrite <- (Rabs_pos_eq x) by lra. apply He'. lra. }
  assert (G : width b tau = eta * bpow radix2 (mag radix2 x)).
  { unfold width. fold x. rewrite ulp_neq_0 by lra. unfold cexp, FLX_exp, Statement.eta. rewrite <- bpow_plus.
    f_equal. ring. }
  rewrite G at 1. apply Rmult_le_compat_l; [lra|]. destruct b; lra.
- assert (U := ulp_eta p Hp (pred (float_above b tau)) H). fold (width b tau) in U.
  assert (pred (float_above b tau) <= tau) by (destruct b; lra). nra.
Qed.

Lemma pow2_eta : pow2 eta. Proof. eexists; reflexivity. Qed.

Lemma width_pow2 b tau : 0 < tau -> pow2 (width b tau).
Proof.
intros Ht. assert (H := pred_above_pos b tau Ht). unfold width. rewrite ulp_neq_0 by lra. eexists; reflexivity.
Qed.

Lemma float_above_mono b tau tau' : tau <= tau' -> float_above b tau <= float_above b tau'.
Proof.
intros H. destruct b; simpl.
- apply round_le; auto with typeclass_instances.
- apply succ_le; auto with typeclass_instances; try (apply generic_format_round; auto with typeclass_instances).
  apply round_le; auto with typeclass_instances.
Qed.

Lemma pred_above_mono b tau tau' : tau <= tau' -> pred (float_above b tau) <= pred (float_above b tau').
Proof.
intros H. apply pred_le; auto with typeclass_instances; try apply float_above_is_float; auto.
apply float_above_mono; auto.
Qed.

Lemma width_mono b tau tau' : 0 < tau -> tau <= tau' -> width b tau <= width b tau'.
Proof.
intros Ht H. unfold width. apply ulp_le; auto with typeclass_instances.
assert (A := pred_above_pos b tau Ht). assert (A' := pred_above_mono b tau tau' H). rewrite !Rabs_pos_eq; lra.
Qed.

Lemma middle_mono b tau tau' : tau <= tau' -> mid (float_above b tau) <= mid (float_above b tau').
Proof. intros H. unfold mid. assert (A := float_above_mono b _ _ H). assert (A' := pred_above_mono b _ _ H). lra. Qed.

Lemma width_le_ulp b tau x : 0 < tau -> tau <= x -> width b tau <= ulp x.
Proof.
intros Ht H. unfold width. apply ulp_le; auto with typeclass_instances.
assert (A := pred_above_pos b tau Ht). assert (A' := float_above_bounds b tau Ht).
rewrite !Rabs_pos_eq; destruct b; lra.
Qed.

(** The power of two at the bottom of tau's binade. *)
Definition binade b tau := width b tau / (2 * eta).
Lemma binade_pow2 b tau : 0 < tau -> pow2 (binade b tau).
Proof. intros H. apply pow2_div. apply width_pow2; auto. apply pow2_mult. apply pow2_two. apply pow2_eta. Qed.
Lemma width_binade b tau : width b tau = 2 * eta * binade b tau.
Proof. assert (He := eta_pos p). unfold binade. field. lra. Qed.
Lemma binade_bounds b tau : 0 < tau -> binade b tau <= tau <= 2 * binade b tau.
Proof.
intros H. assert (He := eta_pos p). assert (G := width_bounds b tau H). rewrite width_binade in G.
split; apply Rmult_le_reg_l with eta; lra.
Qed.
Lemma binade_mono b tau tau' : 0 < tau -> tau <= tau' -> binade b tau <= binade b tau'.
Proof.
intros H H'. assert (He := eta_pos p). assert (G := width_mono b tau tau' H H'). rewrite !width_binade in G.
apply Rmult_le_reg_l with (2 * eta); lra.
Qed.

Lemma width_dvd_Lam b tau Lam : 0 < tau -> pow2 Lam -> 2 * eta * tau < Lam -> dvd (width b tau) Lam.
Proof.
intros H HL Hs. apply pow2_dvd; auto. apply width_pow2; auto. assert (G := width_bounds b tau H). lra.
Qed.

(** The error of LN at V/lam is at most (eta/lam) y, with y <= V, and y <= lam below 2 lam. *)
Lemma ln_error lam V : 0 < lam -> 0 < V ->
  exists y, 0 <= y <= V /\ (V < 2 * lam -> y <= lam) /\ ulp (V / lam) / 2 * lam = eta * y.
Proof.
intros Hl HV. assert (He := eta_pos p). exists (ulp (V / lam) / 2 * lam / eta).
assert (U : 0 <= ulp (V / lam)) by apply ulp_ge_0.
assert (V0 : 0 < V / lam) by (apply Rdiv_lt_0_compat; auto).
assert (Q := ulp_eta p Hp (V / lam) V0).
assert (E : ulp (V / lam) / 2 * lam / eta * eta = ulp (V / lam) / 2 * lam) by (field; lra).
split; [split|split]; [| |intros HV2|lra].
- apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; auto]. apply Rmult_le_pos; lra.
- apply Rmult_le_reg_r with eta; auto. rewrite E.
  replace (V * eta) with (eta * (V / lam) * lam) by (field; lra). apply Rmult_le_compat_r; lra.
- apply Rmult_le_reg_r with eta; auto. rewrite E. rewrite (Rmult_comm lam). apply Rmult_le_compat_r; [lra|].
  assert (V / lam < 2) by (apply Rmult_lt_reg_r with lam; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (ulp (V / lam) <= 2 * eta); [|lra]. rewrite ulp_neq_0 by lra.
  change 2 with (bpow radix2 1). unfold Statement.eta. rewrite <- bpow_plus. apply bpow_le. unfold cexp, FLX_exp.
  assert (mag radix2 (V / lam) <= 1)%Z; [|lia]. apply mag_le_bpow; [lra|]. rewrite Rabs_pos_eq by lra. simpl. lra.
Qed.
(** A float of size P/2 or more is a multiple of eta P. *)
Lemma float_multiple c P : is_float p c -> pow2 P -> P / 2 <= Rabs c -> dvd (eta * P) c.
Proof.
intros Fc HP Hc. assert (P0 := pow2_pos P HP).
assert (Hn : c <> 0) by (intros ->; rewrite Rabs_R0 in Hc; lra).
apply dvd_trans with (bpow radix2 (cexp radix2 (FLX_exp p) c)).
- apply pow2_dvd; [apply pow2_mult; auto; apply pow2_eta | eexists; reflexivity |].
  unfold cexp, FLX_exp, Statement.eta. replace (mag radix2 c - p)%Z with (- p + mag radix2 c)%Z by ring.
  rewrite bpow_plus.
  apply Rmult_le_compat_l; [apply bpow_ge_0|].
  destruct (mag radix2 c) as [e He]; simpl. specialize (He Hn).
  replace P with (2 * (P / 2)) by field. apply pow2_lt_double; [|eexists; reflexivity|lra].
  apply pow2_div; auto. apply pow2_two.
- exists (Ztrunc (scaled_mantissa radix2 (FLX_exp p) c)). exact Fc.
Qed.

(** h at most the spacing at 2B divides a regular Delta, or is at least twice as large. *)
Lemma regular_divided B Delta h : pow2 h -> 0 < B -> h <= ulp (2 * B) -> regular_core p B Delta ->
  dvd h Delta \/ 2 * Delta <= h.
Proof.
intros Hh HB Hu [[t ->]|[n ->]].
- assert (Ht : pow2 (bpow radix2 t)) by (exists t; auto).
  destruct (Rle_or_lt h (bpow radix2 t)) as [H|H]; [left; apply pow2_dvd | right; apply pow2_lt_double]; auto.
- left. apply dvd_trans with (ulp (2 * B)); [|exists n; auto].
  apply pow2_dvd; auto. rewrite ulp_neq_0 by lra. eexists; reflexivity.
Qed.
End Distance.

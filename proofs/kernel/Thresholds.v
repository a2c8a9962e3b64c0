(** notes/theorem1.md, section 2, "Thresholds": an output is a set of sums w between two edges T = (2k+1) Lam/2, or
    beyond one. An edge is a float with an even significand, so w >= T exactly where the exact sum is at least t* = mid
    T; and so the event is one about the noise alone. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Law.
Open Scope R_scope.

(** The edge between the outputs k Lam and (k+1) Lam, where Lam = 2^m. *)
Definition edge (m k : Z) : R := IZR (2 * k + 1) * bpow radix2 (m - 1).

Lemma edge_neq_0 m k : edge m k <> 0.
Proof.
unfold edge. apply Rmult_integral_contrapositive_currified; [apply IZR_neq; lia | apply Rgt_not_eq, bpow_gt_0].
Qed.

Lemma edge_eq m k : edge m k = (IZR k + 1 / 2) * bpow radix2 m.
Proof.
unfold edge. rewrite plus_IZR, mult_IZR. replace m with (1 + (m - 1))%Z at 2 by ring. rewrite bpow_plus.
change (bpow radix2 1) with 2. lra.
Qed.

Lemma edge_le_iff m i j : edge m i <= edge m j <-> (i <= j)%Z.
Proof.
unfold edge. assert (L := bpow_gt_0 radix2 (m - 1)). split; intros H.
- apply Rmult_le_reg_r in H; auto. apply le_IZR in H. lia.
- apply Rmult_le_compat_r; [lra|]. apply IZR_le. lia.
Qed.

Section Sum.
Variable p : Z.
Hypothesis Hp : (1 < p)%Z.
Local Instance p_positive_edge : Prec_gt_0 p. Proof. unfold Prec_gt_0; lia. Qed.
Notation fexp := (FLX_exp p).
Local Instance ties_to_even : Exists_NE radix2 fexp. Proof. apply exists_NE_FLX. right; auto. Qed.
Notation RN := (RN p).
Notation RD := (RD p).
Notation mid := (mid p).

Lemma tie_goes_to_even (xu : float radix2) : canonical radix2 fexp xu -> Z.even (Fnum xu) = true -> F2R xu <> 0 ->
  F2R xu <= RN (mid (F2R xu)).
Proof.
intros Hc He Hn. set (T := F2R xu) in *.
assert (FT : generic_format radix2 fexp T) by (apply generic_format_canonical; auto).
assert (FP : generic_format radix2 fexp (pred radix2 fexp T)) by (apply generic_format_pred;
  auto with typeclass_instances).
assert (Hlt : pred radix2 fexp T < T) by (apply pred_lt_id; auto).
right. apply (round_unique (Rnd_NE_pt radix2 fexp)) with (mid T).
- apply Rnd_NE_pt_monotone; auto with typeclass_instances.
- split.
  + split; auto. intros g Fg. unfold Rounding.mid. rewrite (Rabs_pos_eq (T - _)) by lra.
    destruct (Rle_or_lt T g) as [H|H].
    * rewrite Rabs_pos_eq; lra.
    * assert (g <= pred radix2 fexp T) by (apply pred_ge_gt; auto with typeclass_instances). rewrite Rabs_left1; lra.
  + left. exists xu. auto.
- apply round_NE_pt; auto with typeclass_instances.
Qed.

Lemma edge_is_even m k : (Z.abs (2 * k + 1) < 2 ^ (p - 1))%Z ->
  exists xu, F2R xu = edge m k /\ canonical radix2 fexp xu /\ Z.even (Fnum xu) = true.
Proof.
intros Hk. set (e := cexp radix2 fexp (edge m k)).
assert (Hn := edge_neq_0 m k).
assert (He : (e <= m - 2)%Z).
{ unfold e, cexp, FLX_exp. assert (mag radix2 (edge m k) <= p - 1 + (m - 1))%Z; [|lia].
  apply mag_le_bpow; auto. unfold edge. rewrite Rabs_mult, (Rabs_pos_eq (bpow _ _)) by apply bpow_ge_0.
  rewrite bpow_plus. apply Rmult_lt_compat_r. apply bpow_gt_0. rewrite <- abs_IZR.
  rewrite <- IZR_Zpower by lia. apply IZR_lt. exact Hk. }
exists (Float radix2 ((2 * k + 1) * 2 ^ (m - 1 - e)) e).
assert (E : F2R (Float radix2 ((2 * k + 1) * 2 ^ (m - 1 - e)) e) = edge m k).
{ unfold F2R, edge; simpl Fnum; simpl Fexp. rewrite mult_IZR.
  change (2 ^ (m - 1 - e))%Z with (Zpower radix2 (m - 1 - e)). rewrite IZR_Zpower by lia.
  rewrite Rmult_assoc, <- bpow_plus. do 2 f_equal. ring. }
split; auto. split.
- unfold canonical. rewrite E. reflexivity.
- simpl Fnum. replace (m - 1 - e)%Z with (Z.succ (m - 2 - e)) by ring. rewrite Z.pow_succ_r by lia.
  rewrite !Z.even_mul. simpl. apply Bool.orb_true_r.
Qed.

(** t* = mid T is where the sum starts to reach T; it does not depend on c. *)
Theorem sum_reaches_edge_iff m k : (Z.abs (2 * k + 1) < 2 ^ (p - 1))%Z ->
  forall r, edge m k <= RN r <-> mid (edge m k) <= r.
Proof.
intros Hk r. destruct (edge_is_even m k Hk) as (xu & E & Hc & He).
assert (Hn := edge_neq_0 m k).
assert (FT : is_float p (edge m k)) by (rewrite <- E; apply generic_format_canonical; auto).
split; intros H.
- apply RN_reaches_only_from_mid; auto.
- apply Rle_trans with (RN (mid (edge m k))). rewrite <- E. apply tie_goes_to_even; auto; rewrite E; auto.
  apply RN_le; auto.
Qed.

(** What the noise must reach. *)
Variable lam : R.
Hypothesis Hlam : 0 < lam.
Notation noise := (noise p lam).

Lemma minus_noise_below_edge_iff m k c u : (Z.abs (2 * k + 1) < 2 ^ (p - 1))%Z ->
  noisy p lam c 1 u < edge m k <-> c - mid (edge m k) < noise u.
Proof.
intros Hk. unfold noisy. rewrite (proj1 (noise_sign p lam u)).
assert (H := sum_reaches_edge_iff m k Hk (c + - noise u)). split; intros H1.
- apply Rnot_le_lt. intros H2. apply (Rlt_not_le _ _ H1). apply H. lra.
- apply Rnot_le_lt. intros H2. apply H in H2. lra.
Qed.

Lemma plus_noise_reaches_edge_iff m k c u : (Z.abs (2 * k + 1) < 2 ^ (p - 1))%Z ->
  edge m k <= noisy p lam c (-1) u <-> mid (edge m k) - c <= noise u.
Proof.
intros Hk. unfold noisy. rewrite (proj2 (noise_sign p lam u)). rewrite (sum_reaches_edge_iff m k Hk). split; lra.
Qed.
End Sum.

(** Rounding to the lattice, in terms of edges. *)
Lemma index_ge_iff m k w : (k <= Zfloor (w / bpow radix2 m + 1 / 2))%Z <-> edge m (k - 1) <= w.
Proof.
assert (HL := bpow_gt_0 radix2 m).
assert (E : edge m (k - 1) = (IZR k - 1 / 2) * bpow radix2 m) by (rewrite edge_eq, minus_IZR; field).
rewrite E. split; intros H.
- apply Rmult_le_reg_r with (/ bpow radix2 m). apply Rinv_0_lt_compat; auto.
  rewrite Rmult_assoc, Rinv_r by lra. apply IZR_le in H.
  assert (H1 := Zfloor_lb (w / bpow radix2 m + 1 / 2)). unfold Rdiv in *. lra.
- apply Zfloor_lub. apply Rmult_le_compat_r with (r := / bpow radix2 m) in H.
  2: left; apply Rinv_0_lt_compat; auto.
  rewrite Rmult_assoc, Rinv_r in H by lra. unfold Rdiv in *. lra.
Qed.

Lemma to_lattice_eq_iff m k w : to_lattice (bpow radix2 m) w = IZR k * bpow radix2 m <-> edge m (k - 1) <= w < edge m k.
Proof.
assert (HL := bpow_gt_0 radix2 m). unfold to_lattice. set (z := Zfloor _).
assert (A : to_lattice (bpow radix2 m) w = IZR k * bpow radix2 m <-> z = k).
{ unfold to_lattice. fold z. split; intros H.
  - apply eq_IZR. apply Rmult_eq_reg_l with (bpow radix2 m); lra.
  - rewrite H. ring. }
unfold to_lattice in A. fold z in A. rewrite A. clear A.
assert (A := index_ge_iff m k w). assert (A' := index_ge_iff m (k + 1) w). fold z in A, A'.
replace (k + 1 - 1)%Z with k in A' by ring. split.
- intros ->. split. apply A; lia. apply Rnot_le_lt. intros H. apply A' in H. lia.
- intros [H1 H2]. apply A in H1. assert (~ (k + 1 <= z)%Z); [|lia]. intros H. apply A' in H. lra.
Qed.

(** An output strictly inside (-B, B). *)
Lemma inner_output_iff B m k w : Rabs (IZR k * bpow radix2 m) < B ->
  clamp B (to_lattice (bpow radix2 m) w) = IZR k * bpow radix2 m <-> edge m (k - 1) <= w < edge m k.
Proof.
intros H. rewrite <- to_lattice_eq_iff. apply Rabs_lt_inv in H. unfold clamp.
set (y := to_lattice _ _). split; intros H1.
- destruct (Rle_or_lt B y). rewrite Rmin_left, Rmax_right in H1; lra.
  rewrite Rmin_right in H1 by lra. destruct (Rle_or_lt (-B) y).
  rewrite Rmax_right in H1; lra. rewrite Rmax_left in H1; lra.
- rewrite H1. rewrite Rmin_right, Rmax_right; lra.
Qed.

(** The outputs B and -B, and the x that are never returned. *)
Section Outputs.
Variables (B : R) (m : Z).
Notation Lam := (bpow radix2 m).
Hypothesis HB : 0 < B.
Definition top : Z := Zceil (B / Lam).      (* the first lattice point >= B *)

Lemma top_bounds : B <= IZR top * Lam < B + Lam.
Proof.
assert (L := bpow_gt_0 radix2 m). assert (E : B / Lam * Lam = B) by (field; lra).
assert (U := Zceil_ub (B / Lam)). fold top in U.
assert (U' : IZR top < B / Lam + 1).
{ unfold top. destruct (Req_dec (IZR (Zfloor (B / Lam))) (B / Lam)) as [e|e].
  - rewrite <- e at 1. rewrite Zceil_IZR. lra.
  - rewrite Zceil_floor_neq by auto. rewrite plus_IZR. assert (Z := Zfloor_lb (B / Lam)). lra. }
split; nra.
Qed.

Lemma to_lattice_index w : exists j, to_lattice Lam w = IZR j * Lam /\ edge m (j - 1) <= w < edge m j.
Proof.
exists (Zfloor (w / Lam + 1 / 2)). assert (E : to_lattice Lam w = IZR (Zfloor (w / Lam + 1 / 2)) * Lam)
  by (unfold to_lattice; ring).
split; auto. apply to_lattice_eq_iff; auto.
Qed.

Lemma output_B_iff w : clamp B (to_lattice Lam w) = B <-> edge m (top - 1) <= w.
Proof.
assert (L := bpow_gt_0 radix2 m). destruct (to_lattice_index w) as (j & E & H1 & H2). rewrite E.
assert (T := top_bounds).
assert (A : clamp B (IZR j * Lam) = B <-> B <= IZR j * Lam).
{ unfold clamp. destruct (Rle_or_lt B (IZR j * Lam)) as [h|h].
  - rewrite Rmin_left, Rmax_right by lra. split; auto.
  - rewrite Rmin_right by lra. split; [|lra]. intros h'. exfalso. destruct (Rmax_Rle (- B) (IZR j * Lam) B) as [Q _].
    destruct (Q ltac:(lra)); lra. }
rewrite A. split; intros H.
- apply Rle_trans with (2 := H1). apply edge_le_iff. assert (top < j + 1)%Z; [|lia]. apply lt_IZR. rewrite plus_IZR.
  nra.
- assert (edge m (top - 1) < edge m j) by lra. assert (top <= j)%Z.
  { destruct (Z_le_gt_dec top j); auto. exfalso. assert (edge m j <= edge m (top - 1)) by (apply edge_le_iff; lia).
    lra. }
  apply IZR_le in H3. nra.
Qed.

Lemma output_minus_B_iff w : clamp B (to_lattice Lam w) = - B <-> w < edge m (- top).
Proof.
assert (L := bpow_gt_0 radix2 m). destruct (to_lattice_index w) as (j & E & H1 & H2). rewrite E.
assert (T := top_bounds).
assert (A : clamp B (IZR j * Lam) = - B <-> IZR j * Lam <= - B).
{ unfold clamp. destruct (Rle_or_lt (IZR j * Lam) (- B)) as [h|h].
  - rewrite Rmin_right, Rmax_left by lra. split; auto.
  - split; [|lra]. intros h'. exfalso. assert (Q := Rmax_r (- B) (Rmin B (IZR j * Lam))). rewrite h' in Q.
    destruct (Rmin_Rgt B (IZR j * Lam) (- B)) as [_ R]. assert (R' := R ltac:(split; lra)). lra. }
rewrite A. split; intros H.
- apply Rlt_le_trans with (1 := H2). apply edge_le_iff. assert (j < - top + 1)%Z; [|lia]. apply lt_IZR.
  rewrite plus_IZR, opp_IZR. nra.
- assert (j <= - top)%Z.
  { destruct (Z_le_gt_dec j (- top)); auto. exfalso.
    assert (edge m (- top) <= edge m (j - 1)) by (apply edge_le_iff; lia). lra. }
  apply IZR_le in H0. rewrite opp_IZR in H0. nra.
Qed.

(** An x that is neither +-B nor an inner lattice point is never returned. *)
Lemma never_returned x w : x <> B -> x <> - B -> (forall k, x = IZR k * Lam -> ~ Rabs x < B) ->
  clamp B (to_lattice Lam w) <> x.
Proof.
intros N1 N2 N3 E. destruct (to_lattice_index w) as (j & Ej & _). rewrite Ej in E. unfold clamp in E.
destruct (Rle_or_lt B (IZR j * Lam)) as [h|h].
- rewrite Rmin_left, Rmax_right in E; lra.
- rewrite Rmin_right in E by lra. destruct (Rle_or_lt (IZR j * Lam) (- B)) as [h'|h'].
  + rewrite Rmax_left in E; lra.
  + rewrite Rmax_right in E by lra. apply (N3 j); auto. rewrite <- E. apply Rabs_def1; lra.
Qed.
End Outputs.

(** Four kinds of x. *)
Lemma output_kinds B m x : x = B \/ x = - B \/ (exists k, x = IZR k * bpow radix2 m /\ Rabs x < B) \/
  (x <> B /\ x <> - B /\ forall k, x = IZR k * bpow radix2 m -> ~ Rabs x < B).
Proof.
assert (L := bpow_gt_0 radix2 m).
destruct (Req_dec x B); auto. destruct (Req_dec x (- B)); auto. right; right.
destruct (Rlt_or_le (Rabs x) B) as [h|h].
- destruct (Req_dec x (IZR (Zfloor (x / bpow radix2 m)) * bpow radix2 m)) as [e|e].
  + left. eexists; eauto.
  + right. repeat split; auto. intros k Ek. exfalso. apply e. rewrite Ek at 2.
    replace (IZR k * bpow radix2 m / bpow radix2 m) with (IZR k) by (field; lra). rewrite Zfloor_IZR. auto.
- right. repeat split; auto. intros k Ek. lra.
Qed.

(** From the page to the proof: the mechanism, the conditions and the Delta of Statement.v are those of Core.v. The
    inner clamp acts here: whatever f is, the value c = clamp f is a p-bit number within [-B, B], and clamping takes no
    two values further apart. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Thresholds Sizes Probability.
Open Scope R_scope.

Lemma p_bit_float p x : (1 < p)%Z -> is_p_bit p x <-> is_float p x.
Proof.
intros Hp. assert (Pp : Prec_gt_0 p) by (unfold Prec_gt_0; lia). split.
- intros (s & e & E & Hs). apply generic_format_FLX. exists (Float radix2 s e); auto.
- intros F. apply FLX_format_generic in F; auto. destruct F as [[s e] E Hs]. exists s, e. auto.
Qed.

Section Clamp.
Variable B : R.
Hypothesis HB : 0 < B.

Lemma clamp_within f : Rabs (clamp B f) <= B.
Proof.
unfold clamp. apply Rabs_le. split; [apply Rmax_l|]. apply Rmax_lub; [lra|apply Rmin_l].
Qed.

Lemma clamp_float p f : is_float p B -> is_float p f -> is_float p (clamp B f).
Proof.
intros FB Ff. unfold clamp, Rmax, Rmin.
destruct (Rle_dec B f); destruct (Rle_dec _ _); auto; apply generic_format_opp; auto.
Qed.

Lemma clamp_not_further f f' : Rabs (clamp B f - clamp B f') <= Rabs (f - f').
Proof.
assert (Q := Rle_abs (f - f')). assert (Q' := Rle_abs (- (f - f'))). rewrite Rabs_Ropp in Q'.
apply Rabs_le. unfold clamp, Rmax, Rmin.
destruct (Rle_dec B f); destruct (Rle_dec B f'); repeat destruct (Rle_dec _ _); lra.
Qed.
End Clamp.

Lemma conditions_of_admissible p lam B Lam l most : (11 <= l)%Z -> most <= / 128 -> admissible p lam B Lam l most ->
  conditions p lam B Lam.
Proof.
intros Hl Hm [Hp [Fl L0] [FB HB] ([m E] & HL & Least) Hw]. assert (P1 : (1 < p)%Z) by lia.
constructor; try lia; try lra; try (split; auto; apply p_bit_float; auto).
exists m. split; [auto|split; auto]. subst Lam. apply Rnot_le_lt. intros N.
assert (E : bpow radix2 m = 2 * bpow radix2 (m - 1)).
{ replace m with (1 + (m - 1))%Z at 1 by ring. rewrite bpow_plus. reflexivity. }
assert (Q : bpow radix2 m <= bpow radix2 (m - 1)) by (apply Least; [eexists; reflexivity | lra]).
assert (Z := bpow_gt_0 radix2 (m - 1)). lra.
Qed.

Lemma regular_is_core p B Delta : 0 < B -> regular p B Delta -> regular_core p B Delta.
Proof.
intros HB [[t E]|(h & (e & He & Eh) & (n & En))]; [left; exists t; auto|]. right. exists n. rewrite En. f_equal.
rewrite ulp_neq_0 by lra. rewrite Eh. unfold cexp, FLX_exp. do 2 f_equal. symmetry. apply mag_unique_pos.
replace (e + 1 - 1)%Z with e by ring. auto.
Qed.

(** The probability of x given f is that of x given the clamped value. *)
Section Program.
Variables p : Z.
Variables lam B Lam : R.
Hypothesis Cd : conditions p lam B Lam.

Lemma mechanism_is_snap f S u : S = 1 \/ S = -1 -> mechanism p lam B Lam f S u = snap p lam B Lam (clamp B f) S u.
Proof.
intros HS. unfold mechanism, snap, noisy, LN. do 6 f_equal.
assert (Hp : (1 < p)%Z) by (destruct Cd; lia). assert (Pp : Prec_gt_0 p) by (unfold Prec_gt_0; lia).
assert (F : is_float p lam) by (destruct Cd as [_ [_ F] _ _ _]; auto).
unfold RN. apply round_generic; auto with typeclass_instances. destruct HS as [-> | ->].
- rewrite Rmult_1_l. exact F.
- replace (-1 * lam) with (- lam) by ring. apply generic_format_opp. exact F.
Qed.

Lemma returns_is_hit x f S v : S = 1 \/ S = -1 -> returns p lam B Lam x f S v = hit p lam B Lam (clamp B f) S x v.
Proof. intros HS. unfold returns, hit. rewrite mechanism_is_snap; auto. Qed.

Lemma Pr_is_P x f : Pr p lam B Lam x f = P p lam B Lam x (clamp B f).
Proof.
unfold Pr, P. rewrite (RInt_ext (returns p lam B Lam x f 1) (hit p lam B Lam (clamp B f) 1 x)),
  (RInt_ext (returns p lam B Lam x f (-1)) (hit p lam B Lam (clamp B f) (-1) x)); auto; intros v _;
    apply returns_is_hit; auto.
Qed.

(** The integrals exist. *)
Lemma hit_integrable c S x : S = 1 \/ S = -1 -> ex_RInt (hit p lam B Lam c S x) 0 1.
Proof.
intros HS. assert (Cd' := Cd). destruct Cd' as [_ _ _ [m [E _]] _]. subst Lam.
destruct (basics Cd) as (Hl & _ & HlB & _). assert (HB : 0 < B) by lra. assert (Hp := enough_bits Cd).
assert (I : forall k, (Z.abs (2 * k + 1) < 2 ^ (p - 1))%Z -> exists q, is_RInt (below_edge p lam m k c S) 0 1 q).
{ intros k Hk. destruct (cdf_exists p Hp lam Hl m k Hk c) as (F & F1 & F2 & I1 & I2 & _).
  destruct HS as [-> | ->]; eexists; eauto. }
destruct (output_kinds B m x) as [->|[->|[(k & -> & Hx)|(N1 & N2 & N3)]]].
- destruct (I _ (end_edge_fits Cd _ (or_introl eq_refl))) as [q Q]. eexists. apply hit_top; eauto.
- destruct (I _ (end_edge_fits Cd _ (or_intror eq_refl))) as [q Q]. eexists. apply hit_bottom; eauto.
- destruct (edges_fit Cd k Hx) as [K2 K1]. destruct (I _ K2) as [q2 Q2]. destruct (I _ K1) as [q1 Q1].
  eexists. eapply hit_inner; eauto.
- eexists. apply hit_never; auto.
Qed.

Lemma P_ge_0 x c : 0 <= P p lam B Lam x c.
Proof.
assert (A : forall S, S = 1 \/ S = -1 -> 0 <= RInt (hit p lam B Lam c S x) 0 1).
{ intros S HS. apply RInt_ge_0; [lra | apply hit_integrable; auto |]. intros v _. unfold hit.
  destruct (Req_EM_T _ _); lra. }
unfold P. assert (A1 := A 1 ltac:(auto)). assert (A2 := A (-1) ltac:(auto)). lra.
Qed.
End Program.

(** notes/theorem1.md, section 2: probabilities from distances. For each edge T the number P(w < T | c); the probability
    of an output is a difference of two of them, or one of them for x = B and x = -B. In passing: the integrals
    exist. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Law Thresholds Grid Distance.
Open Scope R_scope.

Section Probability.
Variable p : Z.
Hypothesis Hp : (1 < p)%Z.
Local Instance p_positive_probability : Prec_gt_0 p. Proof. unfold Prec_gt_0; lia. Qed.
Notation ulp := (ulp radix2 (FLX_exp p)).
Notation RD := (RD p).
Notation mid := (mid p).
Notation eta := (eta p).
Variable lam : R.
Hypothesis Hlam : 0 < lam.
Notation noise := (noise p lam).
Notation float_above := (float_above p).

(** q is the probability that the noise reaches tau (closed), or exceeds it (not closed): what Law.v says of it. *)
Definition law_of (b : bool) (tau q : R) : Prop := 0 < q <= 1 /\
  (let v0 := mid (float_above b tau) / lam in v0 - ulp v0 / 2 - 2 * eta <= - ln q <= v0 + ulp v0 / 2).

Theorem law_of_distance b tau : 0 < tau -> exists q, law_of b tau q /\
  (forall v, 0 < v < q -> reaches b tau (noise (RD v))) /\ (forall v, q < v < 1 -> ~ reaches b tau (noise (RD v))).
Proof.
intros Ht. assert (F : forall u, is_float p (noise u)) by (intros u; apply generic_format_round;
  auto with typeclass_instances).
destruct (law_of_noise p Hp lam Hlam (float_above b tau)) as (q & Hq & Hin & Hout & Hb).
- apply float_above_is_float; auto.
- assert (H := pred_above_pos p Hp b tau Ht). assert (H' := float_above_pos p Hp b tau Ht). unfold Rounding.mid. lra.
- exists q. split; [split; auto|]. split; intros v Hv; [|intros H; apply (Hout v Hv); revert H];
  apply (reaches_iff p Hp b tau); auto.
Qed.

(** Is w below the edge? With S = 1 always where c <= t*, otherwise where the noise exceeds c - t*; with S = -1 never
    where t* <= c, otherwise where the noise does not reach t* - c. *)
Definition below_edge (m k : Z) (c S v : R) : R := if Rlt_dec (noisy p lam c S (RD v)) (edge m k) then 1 else 0.

Section Edge.
Variables m k : Z.
Hypothesis Hk : (Z.abs (2 * k + 1) < 2 ^ (p - 1))%Z.
Variable c : R.
Notation t := (mid (edge m k)).

Lemma noise_of_RD_pos v : 0 < v < 1 -> 0 < noise (RD v).
Proof. intros Hv. apply noise_pos; auto. apply RD_in_unit; auto. Qed.

Lemma minus_always_below : c <= t -> is_RInt (below_edge m k c 1) 0 1 1.
Proof.
intros Hc. apply integral_of_first_part; [lra| |]; intros v Hv; [|lra]. unfold below_edge.
destruct (Rlt_dec _ _) as [L|L]; auto.
exfalso. apply L. apply (minus_noise_below_edge_iff p Hp lam m k c _ Hk). assert (Q := noise_of_RD_pos v Hv). lra.
Qed.

Lemma plus_never_below : t <= c -> is_RInt (below_edge m k c (-1)) 0 1 0.
Proof.
intros Hc. replace 0 with (1 - 1) at 2 by ring.
apply integral_of_second_part; [lra| |]; intros v Hv; [|lra]. unfold below_edge. destruct (Rlt_dec _ _) as [L|L]; auto.
exfalso. apply (Rlt_not_le _ _ L). apply (plus_noise_reaches_edge_iff p Hp lam m k c _ Hk).
assert (Q := noise_of_RD_pos v Hv). lra.
Qed.

Lemma minus_sometimes_below : t < c -> exists q, law_of false (c - t) q /\ is_RInt (below_edge m k c 1) 0 1 q.
Proof.
intros Ht. destruct (law_of_distance false (c - t)) as (q & Hq & Hin & Hout); [lra|]. exists q. split; auto.
destruct Hq as [Hq _].
apply integral_of_first_part; [lra| |]; intros v Hv; unfold below_edge; destruct (Rlt_dec _ _) as [L|L]; auto; exfalso.
- apply L. apply (minus_noise_below_edge_iff p Hp lam m k c _ Hk). apply (Hin v Hv).
- apply (Hout v Hv). apply (minus_noise_below_edge_iff p Hp lam m k c _ Hk). auto.
Qed.

Lemma plus_sometimes_below : c < t -> exists q, law_of true (t - c) q /\ is_RInt (below_edge m k c (-1)) 0 1 (1 - q).
Proof.
intros Ht. destruct (law_of_distance true (t - c)) as (q & Hq & Hin & Hout); [lra|]. exists q. split; auto.
destruct Hq as [Hq _].
apply integral_of_second_part; [lra| |]; intros v Hv; unfold below_edge; destruct (Rlt_dec _ _) as [L|L]; auto; exfalso.
- apply (Rlt_not_le _ _ L). apply (plus_noise_reaches_edge_iff p Hp lam m k c _ Hk). apply (Hin v Hv).
- apply (Hout v Hv). apply (plus_noise_reaches_edge_iff p Hp lam m k c _ Hk). apply Rnot_lt_le; auto.
Qed.

(** F = P(w < T | c), the mean over the sign. *)
Definition cdf (F : R) : Prop := exists F1 F2,
  is_RInt (below_edge m k c 1) 0 1 F1 /\ is_RInt (below_edge m k c (-1)) 0 1 F2 /\ F = (F1 + F2) / 2.

Theorem cdf_right : t < c -> exists q, law_of false (c - t) q /\ cdf (q / 2).
Proof.
intros H. destruct (minus_sometimes_below H) as (q & Hq & I). exists q. split; auto.
exists q, 0. split; [auto|split; [apply plus_never_below; lra|field]].
Qed.

Theorem cdf_left : c < t -> exists q, law_of true (t - c) q /\ cdf (1 - q / 2).
Proof.
intros H. destruct (plus_sometimes_below H) as (q & Hq & I). exists q. split; auto.
exists 1, (1 - q). split; [apply minus_always_below; lra|split; [auto|field]].
Qed.

Theorem cdf_at : c = t -> cdf (1 / 2).
Proof.
intros H. exists 1, 0. split; [apply minus_always_below; lra|split; [apply plus_never_below; lra|field]].
Qed.

Lemma cdf_exists : exists F, cdf F.
Proof.
destruct (Rtotal_order c t) as [H|[H|H]]; [destruct (cdf_left H) as (q & _ & Q) | assert (Q := cdf_at H)
  | destruct (cdf_right H) as (q & _ & Q)];
eexists; exact Q.
Qed.
End Edge.

(** From edges to outputs: x = k Lam strictly inside, x = B, x = -B, and every other x. *)
Section Output.
Variables (B : R) (m : Z).
Notation Lam := (bpow radix2 m).
Notation hit := (hit p lam B Lam).
Hypothesis HB : 0 < B.

Lemma hit_inner k c S q2 q1 : Rabs (IZR k * Lam) < B ->
  is_RInt (below_edge m k c S) 0 1 q2 -> is_RInt (below_edge m (k - 1) c S) 0 1 q1 ->
    is_RInt (hit c S (IZR k * Lam)) 0 1 (q2 - q1).
Proof.
intros Hx I2 I1. apply is_RInt_ext with (2 := is_RInt_minus _ _ _ _ _ _ I2 I1). intros v _.
assert (A := inner_output_iff B m k (noisy p lam c S (RD v)) Hx).
assert (T : edge m (k - 1) < edge m k) by (apply Rmult_lt_compat_r; [apply bpow_gt_0 | apply IZR_lt; lia]).
unfold minus, plus, opp; simpl. unfold Core.hit, below_edge, snap.
destruct (Req_EM_T _ _) as [E|E]; [apply A in E|]; destruct (Rlt_dec _ (edge m k));
  destruct (Rlt_dec _ (edge m (k - 1))); lra.
Qed.

Lemma hit_top c S q : is_RInt (below_edge m (top B m - 1) c S) 0 1 q -> is_RInt (hit c S B) 0 1 (1 - q).
Proof.
intros I. assert (I2 := is_RInt_minus _ _ _ _ _ _ (is_RInt_const 0 1 (1 : R)) I).
match type of I2 with is_RInt _ _ _ ?t => replace t with (1 - q) in I2
  by (unfold minus, plus, opp, scal; simpl; unfold mult; simpl; ring) end.
apply is_RInt_ext with (2 := I2). intros v _. assert (E := output_B_iff B m HB (noisy p lam c S (RD v))).
unfold minus, plus, opp; simpl. unfold Core.hit, below_edge, snap. destruct (Req_EM_T _ _); destruct (Rlt_dec _ _); lra.
Qed.

Lemma hit_bottom c S q : is_RInt (below_edge m (- top B m) c S) 0 1 q -> is_RInt (hit c S (- B)) 0 1 q.
Proof.
intros I. apply is_RInt_ext with (2 := I). intros v _. assert (E := output_minus_B_iff B m HB (noisy p lam c S (RD v))).
unfold Core.hit, below_edge, snap. destruct (Req_EM_T _ _); destruct (Rlt_dec _ _); lra.
Qed.

Lemma hit_never c S x : x <> B -> x <> - B -> (forall k, x = IZR k * Lam -> ~ Rabs x < B) -> is_RInt (hit c S x) 0 1 0.
Proof.
intros N1 N2 N3. apply integral_of_first_part; [lra|intros; lra|]. intros v _. unfold Core.hit, snap.
destruct (Req_EM_T _ _) as [e|e]; auto.
exfalso. revert e. apply never_returned; auto.
Qed.

Notation Pr := (P p lam B Lam).
Lemma P_of_integrals x c I J : is_RInt (hit c 1 x) 0 1 I -> is_RInt (hit c (-1) x) 0 1 J -> Pr x c = (I + J) / 2.
Proof. intros HI HJ. unfold P. rewrite (is_RInt_unique _ _ _ _ HI), (is_RInt_unique _ _ _ _ HJ). reflexivity. Qed.

Theorem P_inner k c F2 F1 : Rabs (IZR k * Lam) < B -> cdf m k c F2 -> cdf m (k - 1) c F1 ->
  Pr (IZR k * Lam) c = F2 - F1.
Proof.
intros Hx (a2 & b2 & A2 & B2 & ->) (a1 & b1 & A1 & B1 & ->).
rewrite (P_of_integrals _ _ _ _ (hit_inner k c 1 _ _ Hx A2 A1) (hit_inner k c (-1) _ _ Hx B2 B1)). field.
Qed.

Theorem P_top c F : cdf m (top B m - 1) c F -> Pr B c = 1 - F.
Proof. intros (a & b & A & A' & ->). rewrite (P_of_integrals _ _ _ _ (hit_top c 1 _ A) (hit_top c (-1) _ A')). field.
Qed.

Theorem P_bottom c F : cdf m (- top B m) c F -> Pr (- B) c = F.
Proof. intros (a & b & A & A' & ->). apply (P_of_integrals _ _ _ _ (hit_bottom c 1 _ A) (hit_bottom c (-1) _ A')). Qed.

Theorem P_never x c : x <> B -> x <> - B -> (forall k, x = IZR k * Lam -> ~ Rabs x < B) -> Pr x c = 0.
Proof.
intros N1 N2 N3. rewrite (P_of_integrals _ _ _ _ (hit_never c 1 x N1 N2 N3) (hit_never c (-1) x N1 N2 N3)). field.
Qed.
End Output.
End Probability.

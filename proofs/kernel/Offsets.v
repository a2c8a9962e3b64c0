(** notes/theorem1.md, section 4, "Offsets": T - t* is half the gap below the edge T. From one edge of an output to the
    other it changes by delta, which is 0 unless k = 0 or |k| is a power of two. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Law Thresholds.
Open Scope R_scope.

Section Offsets.
Variable p : Z.
Hypothesis Hp : (1 < p)%Z.
Local Instance p_positive_offsets : Prec_gt_0 p. Proof. unfold Prec_gt_0; lia. Qed.
Notation fexp := (FLX_exp p).
Notation ulp := (ulp radix2 fexp).
Notation pred := (pred radix2 fexp).
Notation mid := (mid p).
Notation eta := (eta p).
Variable m : Z.
Notation Lam := (bpow radix2 m).

Definition half_gap (k : Z) : R := edge m k - mid (edge m k).
Definition delta (k : Z) : R := half_gap (k - 1) - half_gap k.

Lemma ulp_edge k e : (2 ^ e <= Z.abs (2 * k + 1) < 2 ^ (e + 1))%Z -> (0 <= e)%Z ->
  ulp (edge m k) = eta * bpow radix2 (e + m).
Proof.
intros H He. rewrite ulp_neq_0 by apply edge_neq_0. unfold cexp, FLX_exp.
rewrite (mag_unique radix2 (edge m k) (e + m)).
- unfold Statement.eta. rewrite <- bpow_plus. f_equal. ring.
- unfold edge. rewrite Rabs_mult, (Rabs_pos_eq (bpow _ _)) by apply bpow_ge_0. rewrite <- abs_IZR.
  replace (e + m - 1)%Z with (e + (m - 1))%Z by ring. replace (e + m)%Z with ((e + 1) + (m - 1))%Z by ring.
  rewrite (bpow_plus radix2 e (m - 1)), (bpow_plus radix2 (e + 1) (m - 1)).
  rewrite <- (IZR_Zpower radix2 e), <- (IZR_Zpower radix2 (e + 1)) by lia.
  assert (0 < bpow radix2 (m - 1)) by apply bpow_gt_0. split.
  + apply Rmult_le_compat_r; [lra|]. apply IZR_le. apply H.
  + apply Rmult_lt_compat_r; auto. apply IZR_lt. apply H.
Qed.

(** The edge float_above 0 is a power of two, with a smaller width below it; no other edge is. *)
Lemma half_gap_0 : half_gap 0 = eta / 4 * Lam.
Proof.
unfold half_gap, Rounding.mid. assert (E : edge m 0 = bpow radix2 (m - 1)) by (unfold edge; simpl; ring).
rewrite E, pred_bpow. replace (fexp (m - 1)) with (- p + (-1 + m))%Z by (unfold FLX_exp; ring).
rewrite !bpow_plus. fold eta. change (bpow radix2 (-1)) with (/ 2). unfold Statement.eta. lra.
Qed.

Lemma half_gap_ulp k : k <> 0%Z -> half_gap k = ulp (edge m k) / 2.
Proof.
intros Hk. unfold half_gap, Rounding.mid. assert (Hn := edge_neq_0 m k).
assert (L := bpow_gt_0 radix2 m).
destruct (Z_lt_le_dec k 0) as [H|H].
- assert (T0 : edge m k < 0).
  { rewrite edge_eq. assert (IZR k <= -1) by (apply IZR_le; lia). nra. }
  unfold Ulp.pred. rewrite succ_eq_pos by lra. rewrite ulp_opp. lra.
- assert (T0 : 0 < edge m k).
  { rewrite edge_eq. assert (1 <= IZR k) by (apply IZR_le; lia). nra. }
  rewrite pred_eq_pos by lra. unfold Ulp.pred_pos. rewrite Req_bool_false; [lra|].
  intros E. set (e := (mag radix2 (edge m k) - 1)%Z) in E. unfold edge in E.
  assert (E2 : IZR (2 * k + 1) = bpow radix2 (e - (m - 1))).
  { apply Rmult_eq_reg_r with (bpow radix2 (m - 1)); [|apply Rgt_not_eq, bpow_gt_0].
    rewrite E, <- bpow_plus. f_equal. ring. }
  destruct (Z_lt_le_dec 0 (e - (m - 1))) as [H1|H1].
  + rewrite <- IZR_Zpower in E2 by lia. apply eq_IZR in E2.
    replace (e - (m - 1))%Z with (Z.succ (e - (m - 1) - 1)) in E2 by ring.
    change (2 * k + 1 = 2 ^ Z.succ (e - (m - 1) - 1))%Z in E2.
    rewrite Z.pow_succ_r in E2 by lia. lia.
  + assert (bpow radix2 (e - (m - 1)) <= bpow radix2 0) by (apply bpow_le; lia). simpl bpow in *.
    assert (3 <= IZR (2 * k + 1)) by (apply IZR_le; lia). lra.
Qed.

Lemma half_gap_bounds k : 0 < half_gap k <= eta * Rabs (edge m k).
Proof.
assert (He := eta_pos p). assert (L := bpow_gt_0 radix2 m).
destruct (Z.eq_dec k 0) as [->|Hk].
- rewrite half_gap_0, edge_eq. rewrite Rabs_pos_eq by (simpl; lra). simpl IZR. nra.
- rewrite half_gap_ulp by auto. assert (Hn := edge_neq_0 m k). rewrite <- ulp_abs.
  assert (A : 0 < Rabs (edge m k)) by (apply Rabs_pos_lt; auto).
  split; [|apply ulp_eta; auto]. rewrite ulp_neq_0 by lra.
  assert (Q := bpow_gt_0 radix2 (cexp radix2 fexp (Rabs (edge m k)))). lra.
Qed.

Lemma half_gap_value k e : k <> 0%Z -> (2 ^ e <= Z.abs (2 * k + 1) < 2 ^ (e + 1))%Z -> (0 <= e)%Z ->
  half_gap k = eta / 2 * (IZR (2 ^ e) * Lam).
Proof.
intros Hk H He. rewrite half_gap_ulp, (ulp_edge k e) by auto. rewrite bpow_plus, <- (IZR_Zpower radix2) by lia.
change (Zpower radix2 e) with (2 ^ e)%Z. field.
Qed.

Lemma delta_0 : delta 0 = eta / 4 * Lam.
Proof.
unfold delta. rewrite half_gap_0, (half_gap_value (0 - 1) 0) by (simpl; lia). simpl. field.
Qed.

(** 2n-1 and 2n+1 lie in one binade, or n = 2^e. *)
Lemma odd_binades n : (1 <= n)%Z -> exists e, (0 <= e)%Z /\ (2 ^ e <= 2 * n - 1 < 2 ^ (e + 1))%Z /\
  ((2 * n + 1 < 2 ^ (e + 1) /\ 3 <= n /\ forall j, (0 <= j)%Z ->
    n <> 2 ^ j)%Z \/ (n = 2 ^ e /\ 2 ^ (e + 1) <= 2 * n + 1 < 2 ^ (e + 1 + 1))%Z).
Proof.
intros Hn. exists (Z.log2 (2 * n - 1)). assert (S := Z.log2_spec (2 * n - 1) ltac:(lia)).
assert (N := Z.log2_nonneg (2 * n - 1)). set (e := Z.log2 (2 * n - 1)) in *. clearbody e.
replace (Z.succ e) with (e + 1)%Z in S by ring. split; [auto|split;[auto|]].
assert (E1 : (2 ^ (e + 1) = 2 * 2 ^ e)%Z) by (rewrite Z.pow_add_r by lia; ring).
assert (E2 : (2 ^ (e + 1 + 1) = 2 * 2 ^ (e + 1))%Z) by (rewrite (Z.pow_add_r 2 (e + 1)) by lia; ring).
assert (E0 : (0 < 2 ^ e)%Z) by (apply Z.pow_pos_nonneg; lia).
destruct (Z_lt_le_dec (2 * n + 1) (2 ^ (e + 1))) as [H|H].
- left. split; auto. split.
  2: { intros j Hj Ej. assert (Ej2 : (2 * n = 2 ^ (j + 1))%Z) by (rewrite Z.pow_add_r, Ej by lia; ring).
    assert (e < j + 1)%Z by (apply (Z.pow_lt_mono_r_iff 2); lia).
    assert (j + 1 < e + 1)%Z by (apply (Z.pow_lt_mono_r_iff 2); lia). lia. }
  destruct (Z.eq_dec n 1) as [->|]; [exfalso|].
  + destruct (Z.eq_dec e 0) as [->|]; [simpl in *; lia|]. 
    assert (2 ^ 1 <= 2 ^ e)%Z by (apply Z.pow_le_mono_r; lia). simpl in *. lia.
  + destruct (Z.eq_dec n 2) as [->|]; [exfalso|lia].
    destruct (Z_lt_le_dec e 2) as [h|h].
    * assert (2 ^ (e + 1) <= 2 ^ 2)%Z by (apply Z.pow_le_mono_r; lia). simpl in *. lia.
    * assert (2 ^ 2 <= 2 ^ e)%Z by (apply Z.pow_le_mono_r; lia). simpl in *. lia.
- right. split; lia.
Qed.

Lemma pow_next e : (0 <= e)%Z -> IZR (2 ^ (e + 1)) = 2 * IZR (2 ^ e).
Proof. intros He. rewrite Z.pow_add_r by lia. rewrite mult_IZR. change (2 ^ 1)%Z with 2%Z. ring. Qed.

Theorem delta_neg k : (k < 0)%Z -> (delta k = 0 /\ (3 <= Z.abs k)%Z /\ forall j, (0 <= j)%Z -> Z.abs k <> (2 ^ j)%Z) \/
  (exists e, (0 <= e)%Z /\ Z.abs k = (2 ^ e)%Z /\ delta k = eta / 2 * (IZR (Z.abs k) * Lam)).
Proof.
intros Hk. destruct (odd_binades (Z.abs k) ltac:(lia)) as (e & He & H1 & [[H2 H3]|[H2 H3]]).
- left. split; auto. unfold delta. rewrite (half_gap_value (k - 1) e), (half_gap_value k e) by lia. ring.
- right. exists e. repeat split; auto. unfold delta.
  rewrite (half_gap_value (k - 1) (e + 1)), (half_gap_value k e) by lia. rewrite H2.
  rewrite pow_next by auto. field.
Qed.

Theorem delta_pos k : (0 < k)%Z -> (delta k = 0 /\ (3 <= Z.abs k)%Z /\ forall j, (0 <= j)%Z -> Z.abs k <> (2 ^ j)%Z) \/
  (exists e, (0 <= e)%Z /\ Z.abs k = (2 ^ e)%Z /\
   ((k = 1%Z /\ delta k = - (3 / 4 * eta * Lam)) \/ ((2 <= k)%Z /\ delta k = - (eta / 2 * (IZR (Z.abs k) * Lam))))).
Proof.
intros Hk. destruct (odd_binades (Z.abs k) ltac:(lia)) as (e & He & H1 & [[H2 H3]|[H2 H3]]).
- left. split; auto. unfold delta. rewrite (half_gap_value (k - 1) e), (half_gap_value k e) by lia. ring.
- right. exists e. repeat split; auto. unfold delta.
  destruct (Z.eq_dec k 1) as [->|Hk1]; [left|right]; split; auto; try lia.
  + rewrite (half_gap_value 1 1) by (simpl; lia). change (1 - 1)%Z with 0%Z. rewrite half_gap_0.
    change (2 ^ 1)%Z with 2%Z. field.
  + rewrite (half_gap_value (k - 1) e), (half_gap_value k (e + 1)) by lia. rewrite H2.
    rewrite pow_next by auto. field.
Qed.
End Offsets.

(** Is the page what it says it is? RN, RD, the law of U*, the lattice and rounding to it, each by the property that a
    reader has in mind. No other file uses this one. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Law Bridge.
Open Scope R_scope.

Section Meaning.
Variable p : Z.
Hypothesis Hp : (1 < p)%Z.
Local Instance p_positive_meaning : Prec_gt_0 p. Proof. unfold Prec_gt_0; lia. Qed.

Theorem RN_is_nearest x : is_p_bit p (RN p x) /\ forall y, is_p_bit p y -> Rabs (RN p x - x) <= Rabs (y - x).
Proof.
split.
- apply p_bit_float; auto. apply generic_format_round; auto with typeclass_instances.
- intros y Fy. apply p_bit_float in Fy; auto. apply round_N_pt; auto with typeclass_instances.
Qed.

(** Where two p-bit numbers are equally near, RN takes one with an even significand (of the form that has no shorter one
    in its binade). *)
Theorem RN_ties_to_even x : Rnd_NE_pt radix2 (FLX_exp p) x (RN p x).
Proof. assert (E : Exists_NE radix2 (FLX_exp p)) by (apply exists_NE_FLX; right; auto).
apply round_NE_pt; auto with typeclass_instances. Qed.

Theorem RD_is_largest_below x : is_p_bit p (RD p x) /\ RD p x <= x /\ forall y, is_p_bit p y -> y <= x -> y <= RD p x.
Proof.
split; [|split].
- apply p_bit_float; auto. apply generic_format_round; auto with typeclass_instances.
- apply round_DN_pt; auto with typeclass_instances.
- intros y Fy H. apply p_bit_float in Fy; auto. apply round_DN_pt; auto with typeclass_instances.
Qed.

Theorem RU_is_smallest_above x : is_p_bit p (RU p x) /\ x <= RU p x /\ forall y, is_p_bit p y -> x <= y -> RU p x <= y.
Proof.
split; [|split].
- apply p_bit_float; auto. apply generic_format_round; auto with typeclass_instances.
- apply round_UP_pt; auto with typeclass_instances.
- intros y Fy H. apply p_bit_float in Fy; auto. apply round_UP_pt; auto with typeclass_instances.
Qed.

(** P(U* < t) = t for every p-bit t in (0, 1]; and U* is a p-bit number in (0, 1). *)
Theorem law_of_uniform t : is_p_bit p t -> 0 < t <= 1 -> is_RInt (fun v => if Rlt_dec (RD p v) t then 1 else 0) 0 1 t.
Proof.
intros Ft Ht.
apply integral_of_first_part; [lra| |]; intros v Hv; destruct (RD_is_largest_below v) as (_ & H1 & H2);
  destruct (Rlt_dec _ _) as [L|L]; auto; exfalso.
- apply L. lra.
- assert (t <= RD p v) by (apply H2; auto; lra). lra.
Qed.

Theorem uniform_in_unit v : 0 < v < 1 -> is_p_bit p (RD p v) /\ 0 < RD p v < 1.
Proof. intros Hv. split; [apply RD_is_largest_below | apply RD_in_unit; auto]. Qed.
End Meaning.

(** Lam exists, and there is only one. *)
Theorem smallest_power_exists lam : 0 < lam -> exists Lam, smallest_power lam Lam /\
  forall L, smallest_power lam L -> L = Lam.
Proof.
intros Hl.
assert (E : exists Lam, smallest_power lam Lam).
{ destruct (mag radix2 lam) as [e He]. assert (H := He ltac:(lra)). rewrite Rabs_pos_eq in H by lra. clear He.
  destruct (Req_dec lam (bpow radix2 (e - 1))) as [E|N].
  - exists lam. split; [exists (e - 1)%Z; auto | split; [lra|auto]].
  - exists (bpow radix2 e). split; [exists e; auto | split; [lra|]]. intros x [j ->] Hx. apply bpow_le.
    assert (e - 1 < j)%Z; [|lia]. apply (lt_bpow radix2). lra. }
destruct E as [Lam E]. exists Lam. split; auto. intros L (P1 & G1 & M1). destruct E as (P2 & G2 & M2).
apply Rle_antisym; auto.
Qed.

(** The nearest multiple of Lam, the upper one of two. *)
Theorem to_lattice_is_nearest Lam x : 0 < Lam ->
  exists n : Z, to_lattice Lam x = IZR n * Lam /\ - (Lam / 2) < to_lattice Lam x - x <= Lam / 2.
Proof.
intros HL. exists (Zfloor (x / Lam + 1 / 2)). unfold to_lattice. split; [ring|].
assert (F1 := Zfloor_lb (x / Lam + 1 / 2)). assert (F2 := Zfloor_ub (x / Lam + 1 / 2)).
set (n := IZR (Zfloor (x / Lam + 1 / 2))) in *.
assert (E : x / Lam * Lam = x) by (field; lra).
apply Rmult_le_compat_r with (r := Lam) in F1; [|lra]. apply Rmult_lt_compat_r with (r := Lam) in F2; lra.
Qed.

(** notes/theorem1.md, section 4, "Cells" and "Parity": rounding to nested grids. Everything follows from one fact:
    a multiple of h that is less than h is at most 0. Nothing here is about floats. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Snapping Require Import Statement.
Open Scope R_scope.

(** Powers of two: of two of them the smaller divides the larger, and is at most half of it. *)
Notation pow2 := power_of_two.
Notation dvd := multiple_of.

Lemma pow2_pos x : pow2 x -> 0 < x.
Proof. intros [e ->]. apply bpow_gt_0. Qed.

Lemma pow2_mult x y : pow2 x -> pow2 y -> pow2 (x * y).
Proof. intros [e ->] [f ->]. exists (e + f)%Z. symmetry. apply bpow_plus. Qed.

Lemma pow2_div x y : pow2 x -> pow2 y -> pow2 (x / y).
Proof. intros [e ->] [f ->]. exists (e + - f)%Z. rewrite bpow_plus, bpow_opp. reflexivity. Qed.

Lemma pow2_two : pow2 2. Proof. exists 1%Z. reflexivity. Qed.

Lemma pow2_lt_double x y : pow2 x -> pow2 y -> x < y -> 2 * x <= y.
Proof.
intros [e ->] [f ->] H. apply lt_bpow in H. change 2 with (bpow radix2 1). rewrite <- bpow_plus. apply bpow_le. lia.
Qed.

Lemma pow2_dvd x y : pow2 x -> pow2 y -> x <= y -> dvd x y.
Proof.
intros [e ->] [f ->] H. apply le_bpow in H. exists (2 ^ (f - e))%Z.
change (2 ^ (f - e))%Z with (Zpower radix2 (f - e)). rewrite IZR_Zpower by lia. rewrite <- bpow_plus. f_equal. ring.
Qed.

Lemma pow2_eq_or_double x y : pow2 x -> pow2 y -> x <= y -> x = y \/ 2 * x <= y.
Proof. intros Hx Hy [H|H]; [right; apply pow2_lt_double|left]; auto. Qed.

Lemma pow2_times x : pow2 x -> pow2 (2 * x).
Proof. intros H. apply pow2_mult; auto. apply pow2_two. Qed.

(** Multiples. *)
Lemma dvd_plus h x y : dvd h x -> dvd h y -> dvd h (x + y).
Proof. intros [n ->] [k ->]. exists (n + k)%Z. rewrite plus_IZR. ring. Qed.
Lemma dvd_minus h x y : dvd h x -> dvd h y -> dvd h (x - y).
Proof. intros [n ->] [k ->]. exists (n - k)%Z. rewrite minus_IZR. ring. Qed.
Lemma dvd_trans h x y : dvd h x -> dvd x y -> dvd h y.
Proof. intros [n ->] [k ->]. exists (k * n)%Z. rewrite mult_IZR. ring. Qed.
Lemma dvd_refl h : dvd h h. Proof. exists 1%Z. ring. Qed.


Lemma multiple_below_step h x : 0 < h -> dvd h x -> x < h -> x <= 0.
Proof.
intros Hh [n ->] H. assert (n < 1)%Z.
{ apply lt_IZR. apply Rmult_lt_reg_r with h; lra. }
assert (IZR n <= 0) by (apply IZR_le; lia). nra.
Qed.


(** V is the middle of the cell of width h that holds t: (lo, lo + h] if closed, [lo, lo + h) if not. *)
Definition cell (closed : bool) (t h V : R) : Prop :=
  dvd h (V - h / 2) /\ if closed then V - h / 2 < t <= V + h / 2 else V - h / 2 <= t < V + h / 2.

Lemma cell_err b tau h V : cell b tau h V -> tau - h / 2 <= V <= tau + h / 2.
Proof. intros [_ H]. destruct b; lra. Qed.
Arguments cell_err {b tau h V}.

Ltac dv := repeat first [assumption | apply dvd_refl | match goal with |- dvd _ (_ - _)
  => apply dvd_minus | |- dvd _ (_ + _) => apply dvd_plus end].

(** Four distances: t2 and t1 = t2 + Lam + delta of the nearer value, t2' and t1' = t2' + Lam + delta of the other. *)
Section Four.
Variables (b : bool) (t2 t1 t2' t1' h2 h1 h2' H V2 V1 V2' V1' Delta Lam delta : R).
Hypothesis P2 : 0 < h2.
Hypothesis P1 : 0 < h1.
Hypothesis P2' : 0 < h2'.
Hypothesis PH : 0 < H.
Hypothesis C2 : cell b t2 h2 V2.
Hypothesis C1 : cell b t1 h1 V1.
Hypothesis C2' : cell b t2' h2' V2'.
Hypothesis C1' : cell b t1' H V1'.
Hypothesis D21 : dvd h2 h1.
Hypothesis D22 : dvd h2 h2'.
Hypothesis D1H : dvd h1 H.
Hypothesis D2H : dvd h2' H.
Hypothesis Hd : 0 <= t2' - t2 <= Delta.
Hypothesis Hfar : t1 = t2 + Lam + delta.
Hypothesis Hfar' : t1' = t2' + Lam + delta.
Hypothesis DL : dvd H Lam.

(** The lower ends of all four cells are multiples of h2, the finest width. *)
Lemma lo_dvd : dvd h2 (V2 - h2/2) /\ dvd h2 (V1 - h1/2) /\ dvd h2 (V2' - h2'/2) /\ dvd h2 (V1' - H/2) /\ dvd h2 H.
Proof.
assert (dvd h2 H) by (apply dvd_trans with h1; auto).
repeat split; auto.
- apply C2.
- apply dvd_trans with h1; auto. apply C1.
- apply dvd_trans with h2'; auto. apply C2'.
- apply dvd_trans with H; auto. apply C1'.
Qed.

Ltac bounds := destruct C2 as [_ B2]; destruct C1 as [_ B1]; destruct C2' as [_ B2']; destruct C1' as [_ B1'];
  destruct b; lra.

(** V2' - V2 where h2 divides Delta ... *)
Lemma near_if_divided : dvd h2 Delta -> V2' - V2 - Delta <= (h2' - h2) / 2.
Proof.
intros DD. destruct lo_dvd as (L2 & L1 & L2' & L1' & LH).
assert (S : (V2' - h2'/2) - (V2 - h2/2) - Delta <= 0); [|lra].
apply multiple_below_step with h2; auto; [dv|bounds].
Qed.

(** ... and where Delta is at most half of h2. *)
Lemma near_if_small : 2 * Delta <= h2 -> V2' - V2 <= (h2' + h2) / 2.
Proof.
intros DD. destruct lo_dvd as (L2 & L1 & L2' & L1' & LH).
assert (S : (V2' - h2'/2) - (V2 - h2/2) - h2 <= 0); [|lra].
apply multiple_below_step with h2; auto; [dv|bounds].
Qed.

(** (V2' - V2) - (V1' - V1), always ... *)
Lemma moves_differ_little : (V2' - V2) - (V1' - V1) <= (h1 + h2' + H - h2) / 2.
Proof.
destruct lo_dvd as (L2 & L1 & L2' & L1' & LH).
assert (S : (V2' - h2'/2) - (V2 - h2/2) - (V1' - H/2) + (V1 - h1/2) - H <= 0); [|lra].
apply multiple_below_step with h2; auto; [dv|bounds].
Qed.

(** V1 - V2 against Lam, from float_above and from below. *)
Lemma step_not_longer : delta <= 0 -> V1 - V2 - Lam <= (h1 - h2) / 2.
Proof.
intros Dn. destruct lo_dvd as (L2 & L1 & L2' & L1' & LH).
assert (dvd h2 Lam) by (apply dvd_trans with H; auto).
assert (S : (V1 - h1/2) - (V2 - h2/2) - Lam <= 0); [|lra].
apply multiple_below_step with h2; auto; [dv|bounds].
Qed.
Lemma step_not_shorter : 0 <= delta -> - (H - h2') / 2 <= V1' - V2' - Lam.
Proof.
intros Dn. destruct lo_dvd as (L2 & L1 & L2' & L1' & LH).
assert (dvd h2' Lam) by (apply dvd_trans with H; auto).
assert (S : (V2' - h2'/2) + Lam - (V1' - H/2) + h2' - H <= 0); [|lra].
apply multiple_below_step with h2'; auto; [|bounds].
assert (dvd h2' (V2' - h2'/2)) by apply C2'.
assert (dvd h2' (V1' - H/2)) by (apply dvd_trans with H; auto; apply C1'). dv.
Qed.
(** delta > 0 can cost one cell more. *)
Lemma step_one_cell_longer : 0 <= delta <= h2 -> V1 - V2 - Lam <= (h1 + h2) / 2.
Proof.
intros Dn. destruct lo_dvd as (L2 & L1 & L2' & L1' & LH).
assert (dvd h2 Lam) by (apply dvd_trans with H; auto).
assert (S : (V1 - h1/2) - (V2 - h2/2) - Lam - h2 <= 0); [|lra].
apply multiple_below_step with h2; auto; [dv|bounds].
Qed.
(** ... and where delta = 0. *)
Lemma moves_differ_less : delta = 0 -> (V2' - V2) - (V1' - V1) <= (h1 - h2 + H - h2') / 2.
Proof. intros E. assert (A := step_not_longer). assert (A' := step_not_shorter). lra. Qed.
End Four.

(** Parity: t is a multiple of H/2 up to a g that, with delta, stays below H/2: then delta moves nothing into another
    cell. *)
Lemma index_le_of_lt H (i j : Z) : 0 < H -> IZR i * H < (IZR j + 1) * H -> (i <= j)%Z.
Proof.
intros HH H1. assert (i < j + 1)%Z; [|lia]. apply lt_IZR. rewrite plus_IZR. apply Rmult_lt_reg_r with H; auto.
Qed.

Lemma parity_open t H V V' Lam delta g j : 0 < H -> cell false t H V -> cell false (t + Lam + delta) H V' ->
  dvd H Lam ->
  t = IZR j * (H / 2) + g -> 0 <= g -> 0 <= delta -> g + delta < H / 2 -> V' - V = Lam.
Proof.
intros HH [[n En] C] [[n' En'] C'] [k Ek] Et Hg Hd Hs.
assert (X : (2 * n <= j)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite mult_IZR; lra).
assert (X1 : (j <= 2 * n + 1)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite plus_IZR, mult_IZR; lra).
assert (Y : (2 * n' <= j + 2 * k)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite plus_IZR, !mult_IZR; lra).
assert (Y1 : (j + 2 * k <= 2 * n' + 1)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite !plus_IZR, !mult_IZR;
  lra).
assert (E : n' = (n + k)%Z) by lia. rewrite E, plus_IZR in En'. lra.
Qed.

Lemma parity_closed t H V V' Lam delta g j : 0 < H -> cell true t H V -> cell true (t + Lam + delta) H V' ->
  dvd H Lam ->
  t = IZR j * (H / 2) + g -> g <= 0 -> delta <= 0 -> - (H / 2) < g + delta -> V' - V = Lam.
Proof.
intros HH [[n En] C] [[n' En'] C'] [k Ek] Et Hg Hd Hs.
assert (X : (2 * n + 1 <= j)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite plus_IZR, mult_IZR; lra).
assert (X1 : (j <= 2 * n + 2)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite plus_IZR, mult_IZR; lra).
assert (Y : (2 * n' + 1 <= j + 2 * k)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite !plus_IZR, !mult_IZR;
  lra).
assert (Y1 : (j + 2 * k <= 2 * n' + 2)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite !plus_IZR, !mult_IZR;
  lra).
assert (E : n' = (n + k)%Z) by lia. rewrite E, plus_IZR in En'. lra.
Qed.

Lemma parity_half_open t H V V' Lam delta g j : 0 < H -> cell false t (H / 2) V ->
  cell false (t + Lam + delta) H V' -> dvd H Lam ->
  t = IZR j * (H / 2) + g -> 0 <= g -> 0 <= delta -> g + delta < H / 2 -> V' - V <= Lam + H / 4.
Proof.
intros HH [[n En] C] [[n' En'] C'] [k Ek] Et Hg Hd Hs.
assert (X : (n <= j)%Z) by (apply index_le_of_lt with (H / 2); lra).
assert (X1 : (j <= n)%Z) by (apply index_le_of_lt with (H / 2); lra).
assert (Y : (2 * n' <= j + 2 * k)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite plus_IZR, !mult_IZR; lra).
assert (E : n = j) by lia. subst n. apply IZR_le in Y. rewrite plus_IZR, !mult_IZR in Y.
apply Rmult_le_compat_r with (r := H / 2) in Y; lra.
Qed.

Lemma parity_half_closed t H V V' Lam delta g j : 0 < H -> cell true t (H / 2) V ->
  cell true (t + Lam + delta) H V' -> dvd H Lam ->
  t = IZR j * (H / 2) + g -> g <= 0 -> delta <= 0 -> - (H / 2) < g + delta -> V' - V <= Lam + H / 4.
Proof.
intros HH [[n En] C] [[n' En'] C'] [k Ek] Et Hg Hd Hs.
assert (X : (n + 1 <= j)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite plus_IZR; lra).
assert (X1 : (j <= n + 1)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite plus_IZR; lra).
assert (Y : (2 * n' + 1 <= j + 2 * k)%Z) by (apply index_le_of_lt with (H / 2); [lra|]; rewrite !plus_IZR, !mult_IZR;
  lra).
assert (E : j = (n + 1)%Z) by lia. subst j. apply IZR_le in Y. rewrite !plus_IZR, !mult_IZR in Y. rewrite plus_IZR in *.
apply Rmult_le_compat_r with (r := H / 2) in Y; lra.
Qed.

(** Both kinds of cells at once: g and delta point away from the closed end, and stay below half a cell. *)
Definition harmless (b : bool) (H g delta : R) : Prop :=
  if b then g <= 0 /\ delta <= 0 /\ - (H / 2) < g + delta else 0 <= g /\ 0 <= delta /\ g + delta < H / 2.
Lemma parity b t H V V' Lam delta g : 0 < H -> cell b t H V -> cell b (t + Lam + delta) H V' -> dvd H Lam ->
  dvd (H / 2) (t - g) -> harmless b H g delta -> V' - V = Lam.
Proof.
intros HH C C' DL [j Ej] Hh. assert (Et : t = IZR j * (H / 2) + g) by lra.
destruct b; simpl in Hh; destruct Hh as (G & D & S);
[eapply parity_closed | eapply parity_open]; eauto.
Qed.
Lemma parity_half b t H V V' Lam delta g : 0 < H -> cell b t (H / 2) V -> cell b (t + Lam + delta) H V' -> dvd H Lam ->
  dvd (H / 2) (t - g) -> harmless b H g delta -> V' - V <= Lam + H / 4.
Proof.
intros HH C C' DL [j Ej] Hh. assert (Et : t = IZR j * (H / 2) + g) by lra.
destruct b; simpl in Hh; destruct Hh as (G & D & S);
[eapply parity_half_closed | eapply parity_half_open]; eauto.
Qed.

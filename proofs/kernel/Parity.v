(** notes/theorem1.md, section 4, "Offsets" and "Parity", for an inner output and the values that see it from one side:
    how large delta is, and that where |x| = P/2 and tau2' >= P it moves nothing into another cell. *)
From Coq Require Import Reals ZArith Lra Lia Psatz.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement Core Rounding Law Thresholds Grid Distance Offsets Sizes.
Open Scope R_scope.

Section Parity.
Variables (p : Z) (lam B : R) (m : Z).
Notation Lam := (bpow radix2 m).
Hypothesis Cd : conditions p lam B Lam.
Notation eta := (eta p).
Variable k : Z.
Notation xr := (IZR k * Lam).
Hypothesis Hx : Rabs xr < B.
Notation near := (near p m k).
Notation far := (far p m k).
Notation hg := (half_gap p m).
Notation delta := (delta p m k).
Notation X := (Rabs xr).

Lemma X_abs : X = IZR (Z.abs k) * Lam.
Proof. rewrite Rabs_mult, (Rabs_pos_eq Lam) by apply bpow_ge_0. rewrite abs_IZR. reflexivity. Qed.

Definition opposite (b : bool) : Prop := if b then (0 < k)%Z else (k < 0)%Z.

(** delta at an output on the other side of 0 from the values, and at any output. *)
Lemma offset_opposite b : opposite b -> exists d0, 0 <= d0 /\ Rabs delta = eta * d0 /\
  ((d0 = 0 /\ 3 * Lam <= X /\ ~ pow2 X) \/
   (pow2 X /\ Lam <= X /\ (2 * d0 = X \/ (b = true /\ X = Lam /\ 4 * d0 = 3 * X)) /\
     if b then delta <= 0 else 0 <= delta)).
Proof.
intros O. assert (Hp := enough_bits Cd). destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4).
assert (T : (3 <= Z.abs k)%Z -> 3 * Lam <= X) by (intros H; rewrite X_abs; apply Rmult_le_compat_r; [lra|];
  apply IZR_le; auto).
assert (U : forall e, (0 <= e)%Z -> Z.abs k = (2 ^ e)%Z -> pow2 X /\ Lam <= X).
{ intros e He Ek. rewrite X_abs, Ek. split.
  - exists (e + m)%Z. rewrite bpow_plus, <- (IZR_Zpower radix2 e) by lia. reflexivity.
  - assert (1 <= IZR (2 ^ e)) by (apply IZR_le; assert (0 < 2 ^ e)%Z by (apply Z.pow_pos_nonneg; lia); lia). nra. }
assert (N : (3 <= Z.abs k)%Z -> (forall j, (0 <= j)%Z -> Z.abs k <> (2 ^ j)%Z) -> ~ pow2 X).
{ intros K3 NK [e Ee]. rewrite X_abs in Ee. assert (H : IZR (Z.abs k) = bpow radix2 (e - m)).
  { unfold Zminus. rewrite bpow_plus, bpow_opp, <- Ee. field. lra. }
  destruct (Z_lt_le_dec (e - m) 0) as [h|h].
  - assert (bpow radix2 (e - m) < bpow radix2 0) by (apply bpow_lt; auto). simpl (bpow radix2 0) in *.
    apply IZR_le in K3. lra.
  - apply (NK _ h). apply eq_IZR. rewrite H. rewrite <- (IZR_Zpower radix2) by auto. reflexivity. }
assert (X0 := Rabs_pos xr). destruct b; simpl in O.
- destruct (delta_pos p m k O) as [(D & K & NK)|(e & He & Ek & [[K D]|[K D]])]; rewrite <- ?X_abs in D.
  + exists 0. rewrite D, Rabs_R0. repeat split; try lra. left; auto.
  + destruct (U e He Ek). assert (XL : X = Lam) by (rewrite X_abs, K; simpl; ring).
    exists (3 / 4 * Lam). rewrite D, Rabs_Ropp, Rabs_pos_eq by (apply Rmult_le_pos; lra). split; [lra|split; [lra|]].
    right. assert (0 <= 3 / 4 * eta * Lam) by (apply Rmult_le_pos; lra).
    split; [auto|split; [auto|split; [right; repeat split; lra|lra]]].
  + destruct (U e He Ek). assert (0 <= eta / 2 * X) by (apply Rmult_le_pos; lra).
    exists (X / 2). rewrite D, Rabs_Ropp, (Rabs_pos_eq (eta / 2 * X)) by auto. split; [lra|split; [lra|]]. right.
    split; [auto|split; [auto|split; [left; lra|lra]]].
- destruct (delta_neg p m k O) as [(D & K & NK)|(e & He & Ek & D)]; rewrite <- ?X_abs in D.
  + exists 0. rewrite D, Rabs_R0. repeat split; try lra. left; auto.
  + destruct (U e He Ek). assert (0 <= eta / 2 * X) by (apply Rmult_le_pos; lra).
    exists (X / 2). rewrite D, (Rabs_pos_eq (eta / 2 * X)) by auto. split; [lra|split; [lra|]]. right.
    split; [auto|split; [auto|split; [left; lra|lra]]].
Qed.

Lemma offset_any : exists d0, 0 <= d0 /\ Rabs delta = eta * d0 /\ (4 * d0 <= 3 * X \/ 4 * d0 <= Lam).
Proof.
assert (Hp := enough_bits Cd). destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4).
assert (X0 := Rabs_pos xr).
destruct (Z.eq_dec k 0) as [E|E].
- exists (Lam / 4). rewrite E, delta_0, Rabs_pos_eq by (auto; apply Rmult_le_pos; lra).
  split; [lra|split; [lra|right; lra]].
- assert (O : exists b, opposite b) by (destruct (Z_lt_le_dec k 0); [exists false | exists true]; simpl; lia).
  destruct O as [b O]. destruct (offset_opposite b O) as (d0 & H0 & Ed & [[D _]|(_ & _ & D & _)]); exists d0;
    repeat split; auto; left; lra.
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
Notation t2 := (near b c).
Notation t1 := (far b c).
Notation t2' := (near b c').
Notation t1' := (far b c').
Notation P := (Bin t1').

(** Parity: the value itself is a multiple of eta P = H/2. *)
Definition rest := if b then - hg (k - 1) else hg k.
Lemma on_grid cc : opposite b -> is_float p cc -> Rabs cc <= B -> 2 * X = P -> pow2 P -> eta * P <= Lam / 60 ->
  Lam <= X ->
  P - eta * P <= near b cc -> (if b then cc < 0 else 0 < cc) -> dvd (eta * P) (near b cc - rest).
Proof.
intros O F Hcc HX HP He HL Hn Hs. destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4).
assert (Hp := enough_bits Cd).
destruct (half_gaps Cd k) as [G G']. assert (P0 := pow2_pos P HP).
assert (G2 : eta * (X + Lam / 2) <= eta * P) by (apply Rmult_le_compat_l; lra).
assert (HP2 : pow2 (eta * P)) by (apply pow2_mult; auto; apply pow2_eta).
assert (DX : dvd (eta * P) X).
{ apply pow2_dvd; auto. replace X with (P / 2) by lra. apply pow2_div; auto. apply pow2_two.
  assert (eta * P <= / 2048 * P) by (apply Rmult_le_compat_r; lra). lra. }
assert (DL : dvd (eta * P) (Lam / 2)).
{ apply pow2_dvd; auto; [|lra]. apply pow2_div; [exists m; auto | apply pow2_two]. }
assert (D0 : forall z, dvd (eta * P) z -> dvd (eta * P) (0 - z)) by (intros z [n ->]; exists (- n)%Z; rewrite opp_IZR;
  ring).
assert (DC : dvd (eta * P) cc).
{ apply float_multiple; auto. rewrite near_eq in Hn. unfold opposite in O. destruct b.
  - rewrite Rabs_left by auto. assert (xr = X); [|lra]. rewrite Rabs_pos_eq; auto.
    apply Rmult_le_pos; [apply IZR_le; lia|lra].
  - rewrite Rabs_pos_eq by lra. assert (- xr = X); [|lra]. rewrite Rabs_left; auto.
    assert (IZR k <= -1) by (apply IZR_le; lia). nra. }
rewrite near_eq. unfold rest, opposite in *. destruct b.
- assert (E : xr = X) by (rewrite Rabs_pos_eq; auto; apply Rmult_le_pos; [apply IZR_le; lia|lra]).
  replace (xr - Lam / 2 - hg (k - 1) - cc - - hg (k - 1)) with (X - Lam / 2 - cc) by lra. repeat apply dvd_minus; auto.
- assert (E : - xr = X) by (rewrite Rabs_left; auto; assert (IZR k <= -1) by (apply IZR_le; lia); nra).
  replace (cc - xr - Lam / 2 + hg k - hg k) with (cc + X - Lam / 2) by lra. apply dvd_minus; auto. apply dvd_plus; auto.
Qed.

Lemma rest_harmless : 2 * X = P -> Lam <= X -> (if b then delta <= 0 else 0 <= delta) ->
  harmless b (2 * eta * P) rest delta.
Proof.
intros HX HL Hs. destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4). destruct (half_gaps Cd k) as [G G'].
assert (G2 : eta * (X + Lam / 2) < eta * P) by (apply Rmult_lt_compat_l; lra).
unfold harmless, rest in *. destruct b; unfold Offsets.delta in *; repeat split; lra.
Qed.
(** x = 0, or c' not on the other side of 0 from x. *)
Lemma same_side_reach : ~ (opposite b /\ if b then c' < 0 else 0 < c') -> t1' <= B + Lam / 2 + eta * (B + Lam / 2).
Proof.
intros N. destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4). destruct (half_gaps Cd k) as [G G'].
assert (E : eta * (X + Lam / 2) <= eta * (B + Lam / 2)) by (apply Rmult_le_compat_l; lra).
assert (C1 := Rle_abs c'). assert (C2 := Rle_abs (- c')). rewrite Rabs_Ropp in C2.
assert (X1 := Rle_abs xr). assert (X2 := Rle_abs (- xr)). rewrite Rabs_Ropp in X2.
rewrite far_eq. unfold opposite in N. destruct b.
- destruct (Z_lt_le_dec 0 k) as [K|K]; [destruct (Rlt_or_le c' 0); [exfalso; apply N; auto|lra]|].
  assert (IZR k <= 0) by (apply IZR_le; lia). assert (xr <= 0) by nra. lra.
- destruct (Z_lt_le_dec k 0) as [K|K]; [destruct (Rlt_or_le 0 c'); [exfalso; apply N; auto|lra]|].
  assert (0 <= IZR k) by (apply IZR_le; lia). assert (0 <= xr) by nra. lra.
Qed.

Lemma X_lt_far : opposite b -> (if b then c' < 0 else 0 < c') -> X < t1'.
Proof.
intros O S. destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4). destruct (half_gaps Cd k) as [G G'].
destruct (small_products Cd k Hx) as (S1 & S2 & S3). rewrite far_eq. unfold opposite in O. destruct b.
- rewrite Rabs_pos_eq in * by (apply Rmult_le_pos; [apply IZR_le; lia|lra]). lra.
- assert (IZR k <= -1) by (apply IZR_le; lia). assert (xr < 0) by nra. rewrite Rabs_left in * by auto. lra.
Qed.

(** The three facts of parity. *)
Section ParityFacts.
Hypothesis O : opposite b.
Hypothesis S : if b then c' < 0 else 0 < c'.
Hypothesis HX : 2 * X = P.
Hypothesis HL : Lam <= X.
Hypothesis Sg : if b then delta <= 0 else 0 <= delta.
Hypothesis K : Bin t2' = P.

Lemma parity_setup : (1 < p)%Z /\ pow2 P /\ 0 < 2 * eta * P /\ eta * P <= Lam / 60 /\ dvd (2 * eta * P) Lam /\
  P <= t2' /\
  (0 < t1 /\ 0 < t1') /\ harmless b (2 * eta * P) (rest) delta.
Proof.
destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4). assert (Hp := enough_bits Cd).
assert (St := step_pos Cd k Hx). assert (E := far_near p m k b c). assert (E' := far_near p m k b c').
destruct (reach Cd k Hx b c' Bc') as (R1 & _ & _).
assert (HP : pow2 P) by (apply binade_pow2; auto; lra). assert (P0 := pow2_pos _ HP).
assert (Q := binade_bounds p Hp b t1' ltac:(lra)). assert (Q' := binade_bounds p Hp b t2' ltac:(lra)).
assert (eta * P <= eta * t1') by (apply Rmult_le_compat_l; lra).
repeat split; auto; try lra.
- apply Rmult_lt_0_compat; lra.
- rewrite <- width_binade. apply width_dvd_Lam; auto; try lra. exists m; auto.
- apply rest_harmless; auto.
Qed.

Lemma par_far : V t1' - V t2' = Lam.
Proof.
destruct parity_setup as (Hp & HP & P0 & R & D & T & [T1 T1'] & Hh). assert (He := eta_pos p).
apply parity with b t2' (2 * eta * P) delta (rest); auto.
- rewrite <- K at 1. rewrite <- width_binade. apply cell_of_distance; auto. lra.
- rewrite <- (far_near p m k b c'). rewrite <- width_binade. apply cell_of_distance; auto.
- replace (2 * eta * P / 2) with (eta * P) by field. apply on_grid; auto; nra.
Qed.

Lemma near_side cc : P - eta * P <= near b cc -> if b then cc < 0 else 0 < cc.
Proof.
intros H. destruct parity_setup as (Hp & HP & P0 & R & D & T & _ & Hh).
destruct (basics Cd) as (L0 & L1 & L2 & L3 & L4).
destruct (half_gaps Cd k) as [G G']. rewrite near_eq in H. assert (X1 := Rle_abs xr).
assert (X2 := Rle_abs (- xr)). rewrite Rabs_Ropp in X2.
destruct b; nra.
Qed.

Lemma par_near : Bin t2 = P -> V t1 - V t2 = Lam.
Proof.
intros K2. destruct parity_setup as (Hp & HP & P0 & R & D & T & [T1 T1'] & Hh). assert (He := eta_pos p).
assert (Q := binade_bounds p Hp b t2 Pos). assert (St := step_pos Cd k Hx). assert (L := bpow_gt_0 radix2 m).
assert (E := far_near p m k b c). assert (E' := far_near p m k b c').
assert (K1 : Bin t1 = P).
{ apply Rle_antisym; [apply binade_mono; auto; lra|]. rewrite <- K2. apply binade_mono; auto; lra. }
assert (N : P - eta * P <= t2) by nra.
apply parity with b t2 (2 * eta * P) delta (rest); auto.
- rewrite <- K2 at 1. rewrite <- width_binade. apply cell_of_distance; auto.
- rewrite <- E, <- K1, <- width_binade. apply cell_of_distance; auto.
- replace (2 * eta * P / 2) with (eta * P) by field. apply on_grid; auto. apply near_side; auto.
Qed.

Lemma par_half : 2 * Bin t2 = P -> 2 * Delta <= 2 * eta * Bin t2 -> V t1 - V t2 <= Lam + eta * Bin t2.
Proof.
intros K2 Co. destruct parity_setup as (Hp & HP & P0 & R & D & T & [T1 T1'] & Hh). assert (He := eta_pos p).
assert (St := step_pos Cd k Hx). assert (L := bpow_gt_0 radix2 m).
assert (E := far_near p m k b c). assert (E' := far_near p m k b c').
assert (N : P - eta * P <= t2) by nra.
assert (K1 : Bin t1 = P).
{ destruct (pow2_eq_or_double (Bin t1) P) as [e|e]; [apply binade_pow2; auto|exact HP|apply binade_mono; auto;
    lra|exact e|exfalso].
  assert (Q := binade_bounds p Hp b t1 T1). nra. }
replace (eta * Bin t2) with (2 * eta * P / 4) by (rewrite <- K2; field).
apply parity_half with b t2 delta (rest); auto.
- replace (2 * eta * P / 2) with (2 * eta * Bin t2) by (rewrite <- K2; field). rewrite <- width_binade.
  apply cell_of_distance; auto.
- rewrite <- E, <- K1, <- width_binade. apply cell_of_distance; auto.
- replace (2 * eta * P / 2) with (eta * P) by field. apply on_grid; auto. apply near_side; auto.
Qed.
End ParityFacts.
End Parity.

Arguments offset_opposite {p lam B m} Cd.
Arguments offset_any {p lam B m} Cd.

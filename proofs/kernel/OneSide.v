(** notes/theorem1.md, section 4, the case distinction: two values on one side of an inner output, both ratios. With P
    <= tau1' < 2P the cases are A: delta = 0; C, D, E: |x| <= P/4, = P/2, = P (|x| >= 2P does not occur); and x = 0 or x
    on the side of c'. *)
From Coq Require Import Reals ZArith Lra Psatz.
From Flocq Require Import Core.
From Snapping Require Import Statement Exponential Grid Rows Configuration.
Open Scope R_scope.

Section OneSide.
Variables (C wide e0 : R).
Hypothesis Tb : table C wide e0.
Variables (b : bool) (eta lam Lam B Delta delta : R).
Variables t2 t1 t2' t1' p2 p1 p2' P V2 V1 V2' V1' y2 y1 y2' y1' g2 g1 g2' g1' : R.
Hypothesis Cf : config wide e0 b eta lam Lam B Delta delta
  t2 t1 t2' t1' p2 p1 p2' P V2 V1 V2' V1' y2 y1 y2' y1' g2 g1 g2' g1'.
Variables d0 X yc : R.
Hypothesis H0 : 0 <= d0.
Hypothesis Ed : Rabs delta = eta * d0.
Hypothesis HX : 0 <= X <= B.
Hypothesis Hyc : 0 <= yc <= B.

Notation Forward := (forward_ok C eta lam B Delta g2 g1 g2' g1').
Notation Backward := (backward_ok C eta lam B Delta g2 g1 g2' g1').

Ltac facts := assert (St := setting_of_config Cf d0 X yc H0 Ed HX Hyc);
  assert (RW := Tb _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ St); destruct St as [_ F2 F1 F2' F1' _ Fn _ _ Fe Fy _ _];
  destruct Cf as [He He0 [Hl Hl2] HL HB Hwide A2 A1 A2' A1' Ho Hm Hd Hf Hf' Hv].
Ltac row_of L := eapply L; [eassumption | ..]; unfold same_side, opposite_sides, small_offset, half_offset; auto;
  try lra.
Ltac cfg L := eapply L; [exact Cf | ..].

Theorem same_side_ok : t1' <= B + Lam / 2 + e0 * (B + Lam / 2) -> 4 * d0 <= 3 * X \/ 4 * d0 <= Lam ->
  Forward /\ Backward.
Proof.
intros Hs Hd0. facts. split.
- cfg forward_row; [row_of same | unfold independent; lra | lra | cfg near_indep | cfg apart_indep | cfg wide_any;
    exact Ed].
- cfg backward_row; eauto. row_of back_same.
Qed.

Lemma size_Lam : P <= Lam \/ 2 * Lam = P \/ 4 * Lam = P \/ 8 * Lam = P \/ 16 * Lam = P \/ 32 * Lam <= P.
Proof.
facts. assert (HP2 := pt_pow2 A1').
destruct (Rle_or_lt P Lam) as [G|G]; auto. right. apply pow2_lt_double in G; auto.
assert (T1 := pow2_times _ HL). assert (T2 := pow2_times _ T1). assert (T3 := pow2_times _ T2).
assert (T4 := pow2_times _ T3).
destruct (pow2_eq_or_double _ _ T1 HP2 G) as [E|E]; auto. right.
destruct (pow2_eq_or_double _ _ T2 HP2 E) as [E'|E']; [left; lra|right].
destruct (pow2_eq_or_double _ _ T3 HP2 E') as [E''|E'']; [left; lra|right].
destruct (pow2_eq_or_double _ _ T4 HP2 E'') as [E3|E3]; [left; lra|right; lra].
Qed.

(** x and c' on opposite sides of 0. *)
Section Opposite.
Hypothesis Hopp : t1' <= yc + X + Lam / 2 + e0 * (X + Lam / 2).
Hypothesis Hreg : dvd (2 * eta * p2) Delta \/ (2 * Delta <= 2 * eta * p2 /\ eta * yc <= Delta).

(** A: delta = 0. |x| is a multiple of Lam and no power of two, so at least Lam away from P/2. *)
Lemma not_half : ~ pow2 X -> dvd Lam X -> 2 * Lam <= P -> off_half Lam P X.
Proof.
intros NX DX HLP. facts. assert (HP2 := pt_pow2 A1').
assert (HH : pow2 (P / 2)) by (apply pow2_div; auto; apply pow2_two).
assert (DH : dvd Lam (P / 2)) by (apply pow2_dvd; auto; lra).
destruct (Rtotal_order X (P / 2)) as [G|[G|G]]; [right| |left].
- apply Rnot_lt_le. intros N. assert (P / 2 - X <= 0) by (apply multiple_below_step with Lam; [lra|apply dvd_minus;
    auto|lra]). lra.
- exfalso. apply NX. rewrite G. auto.
- apply Rnot_lt_le. intros N. assert (X - P / 2 <= 0) by (apply multiple_below_step with Lam; [lra|apply dvd_minus;
    auto|lra]). lra.
Qed.

Theorem A_forward : d0 = 0 -> 3 * Lam <= X -> ~ pow2 X -> dvd Lam X -> Forward.
Proof.
intros E0 H3 NX DX. facts. assert (Z : delta = 0) by (rewrite E0, Rmult_0_r in Fe; lra).
destruct Hreg as [R|[R R']]; clear Hreg.
- cfg forward_row; [row_of A_fine | unfold aligned; lra | | cfg near_fine; auto | cfg apart_eq; auto | cfg wide_eq;
    auto]; lra.
- cfg forward_row; [ | | | cfg near_coarse; eauto | cfg apart_eq; auto | cfg wide_eq; auto]; [|unfold aligned; lra|lra].
  destruct (pow2_eq_or_double p2' P) as [E|E]; try apply A2'; try apply A1'; try lra.
  + assert (SL := size_Lam). assert (SX := not_half NX DX).
    destruct SL as [G|[G|[G|[G|[G|G]]]]]; [row_of A_coarse_4 | row_of A_coarse_4 | row_of A_coarse_4
      | row_of A_coarse_8 | row_of A_coarse_16 | row_of A_coarse_32]; apply SX; lra.
  + row_of A_coarse_low. destruct (Rle_or_lt P (4 * Lam)) as [G|G]; auto. left.
    replace (8 * Lam) with (2 * (2 * (2 * Lam))) by ring. apply pow2_lt_double; try apply A1'; [|lra].
    repeat apply pow2_times; auto.
Qed.

Section Power.
Hypothesis X2 : pow2 X.
Hypothesis HLX : Lam <= X.
Hypothesis HXt : X < t1'.
Hypothesis Hd0 : 2 * d0 = X \/ (b = true /\ X = Lam /\ 4 * d0 = 3 * X).
Hypothesis Hsign : if b then delta <= 0 else 0 <= delta.
Hypothesis Par' : 2 * X = P -> p2' = P -> V1' - V2' = Lam.
Hypothesis Par  : 2 * X = P -> p2' = P -> p2 = P -> V1 - V2 = Lam.
Hypothesis Half : 2 * X = P -> p2' = P -> 2 * p2 = P -> 2 * Delta <= 2 * eta * p2 -> V1 - V2 <= Lam + eta * p2.

Lemma size_X : X = P \/ 2 * X = P \/ 4 * X <= P.
Proof.
facts. assert (HP2 := pt_pow2 A1').
destruct (Rle_or_lt X P) as [G|G].
- destruct (pow2_eq_or_double X P) as [E|E]; auto. right.
  destruct (pow2_eq_or_double (2 * X) P) as [E'|E']; auto; [apply pow2_times; auto|]. right. lra.
- apply pow2_lt_double in G; auto. clear - G HXt F1'. lra.
Qed.

(** C, E. *)
Lemma CE_forward : X = P \/ 4 * X <= P -> Forward.
Proof.
intros S. assert (D : 4 * d0 <= 3 * X) by (clear - Hd0 HX; lra). facts.
destruct Hreg as [R|[R R']]; clear Hreg Hd0 Par Par' Half Hsign.
- cfg forward_row; [ | | | cfg near_fine; auto | cfg apart_nested | cfg wide_any; exact Ed]; [|unfold nested; lra|lra].
  destruct S as [S|S]; [row_of E_fine | row_of C_fine].
- cfg forward_row; [ | | | cfg near_coarse; eauto | cfg apart_nested | cfg wide_any; exact Ed]; [|unfold nested;
    lra|lra].
  destruct S as [S|S]; [row_of E_coarse | row_of C_coarse].
Qed.

Lemma half_or_less : 2 * p2 <= P -> 2 * p2 = P \/ 4 * p2 <= P.
Proof.
intros H. facts. destruct (pow2_eq_or_double (2 * p2) P) as [E|E]; auto; [apply pow2_times;
  apply A2 | apply A1' | right; lra].
Qed.

(** D, tau2' < P. *)
Lemma D_low_forward : 2 * X = P -> 2 * p2' <= P -> Forward.
Proof.
intros S K. facts. assert (SL := size_Lam). assert (Fl := corner_of_config Cf).
assert (D : 2 * d0 = X \/ 2 * Lam = P) by (destruct Hd0 as [D|(_ & D & _)]; [left; auto | right; rewrite <- D; auto]).
assert (D' : 4 * d0 <= 3 * X) by (clear - Hd0 HX; lra).
destruct Hreg as [R|[R R']]; clear Hreg Hd0 Par Par' Half Hsign.
- cfg forward_row; [ | | | cfg near_fine; auto | cfg apart_nested | cfg wide_any; exact Ed]; [|clear SL Fl D;
    unfold nested; lra|clear SL Fl D; lra].
  destruct SL as [G|[G|[G|[G|[G|G]]]]]; [lra|row_of corner_fine|..]; clear Fl;
  [row_of D_fine_4; apply half_or_less; lra|row_of D_fine_8|row_of D_fine_16|row_of D_fine_32].
- cfg forward_row; [ | | | cfg near_coarse; eauto | cfg apart_coarse; auto | cfg wide_any; exact Ed]; [|clear SL Fl D;
    lra|clear SL Fl D; lra].
  destruct SL as [G|[G|[G|[G|[G|G]]]]]; [lra|row_of corner_coarse|..]; clear Fl;
  [row_of D_coarse_16|row_of D_coarse_16|row_of D_coarse_16|row_of D_coarse_32].
Qed.

(** D, P <= tau2': parity. *)
Lemma D_high_forward : 2 * X = P -> p2' = P -> Forward.
Proof.
intros S K. assert (PV := Par' S K). facts. assert (D : 4 * d0 <= 3 * X) by (clear - Hd0 HX; lra).
destruct Hreg as [R|[R R']]; clear Hreg.
- destruct (Bool.bool_dec b true) as [Bt|Bf].
  + cfg forward_row; [row_of D_closed | | | cfg near_fine; auto | cfg apart_closed; auto | ]; try lra.
    rewrite Bt in Hsign; lra.
  + assert (D' : 2 * d0 = X) by (destruct Hd0 as [|[D' _]]; auto; contradiction).
    apply Bool.not_true_is_false in Bf. assert (Sg : 0 <= delta) by (rewrite Bf in Hsign; lra).
    assert (Q := Rle_abs delta). destruct (Rle_or_lt d0 (2 * p2)) as [T|T].
    * cfg forward_row; [row_of D_open | | | cfg near_fine; auto | cfg apart_open; auto | ]; try lra.
      assert (eta * d0 <= eta * (2 * p2)) by (apply Rmult_le_compat_l; lra). lra.
    * cfg forward_row; [row_of D_open_tiny | | | cfg near_fine; auto | cfg apart_tiny; eauto | ]; lra.
- assert (HP2 := pt_pow2 A1'). assert (H22 := pt_pow2 A2).
  assert (eta * p2 <= / 2048 * p2) by (apply Rmult_le_compat_r; lra).
  destruct (pow2_eq_or_double p2 P) as [E|E]; auto; try lra.
  + assert (PV2 := Par S K E). cfg forward_row; [row_of D_whole | | | cfg near_coarse; eauto | | ]; lra.
  + destruct (pow2_eq_or_double (2 * p2) P) as [E'|E']; auto; [apply pow2_times; auto| |lra].
    assert (PV2 := Half S K E' R). cfg forward_row; [row_of D_half | | | cfg near_coarse; eauto | | ]; lra.
Qed.

Theorem power_forward : Forward.
Proof.
destruct size_X as [S|[S|S]]; [apply CE_forward; auto| |apply CE_forward; auto].
facts. destruct (pow2_eq_or_double p2' P) as [E|E]; try apply A2'; try apply A1'; try lra.
- apply D_high_forward; auto.
- apply D_low_forward; auto.
Qed.
End Power.

Theorem opposite_backward : Lam <= X -> X < t1' -> 4 * d0 <= 3 * X -> 2 * d0 <= P \/ P <= Lam ->
  2 * Lam <= X \/ X = Lam -> Backward.
Proof.
intros HLX HXt D D' K. facts. assert (Fl := corner_of_config Cf).
assert (E0 : e0 * (X + Lam / 2) <= / 2048 * (X + Lam / 2)) by (apply Rmult_le_compat_r; lra).
cfg backward_row; eauto. destruct (pow2_eq_or_double p2' P) as [E|E]; try apply A2'; try apply A1'; try lra;
destruct size_Lam as [G|[G|[G|[G|[G|G]]]]];
 [row_of back_1 | destruct K; [row_of back_2 | ] | row_of back_4 | row_of back_8 | row_of back_16 | row_of back_32 |
  row_of back_1 | destruct K; [row_of back_2 | ] | row_of back_4 | row_of back_8 | row_of back_16 | row_of back_32].
- row_of back_2_high.
- row_of corner_back.
Qed.
End Opposite.
End OneSide.

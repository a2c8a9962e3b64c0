(** notes/theorem1.md, section 4: an inner output and two values on one side of it, as numbers. What Grid.v says of
    their cells, in units of eta; and how a row of the table, with the law of the noise at the four distances, gives the
    ratio of two probabilities. *)
From Coq Require Import Reals ZArith Lra Psatz.
From Flocq Require Import Core.
From Snapping Require Import Statement Exponential Grid Rows.
Open Scope R_scope.

(** g = -ln P(the noise reaches a distance), V the middle of the distance's cell, eta y/lam the error of LN. *)
Definition noise_law (eta lam V y g : R) : Prop := V - eta * y - 2 * eta * lam <= g * lam <= V + eta * y.

(** A distance tau: its binade q, the middle V of its cell, y and g as above. *)
Record point (b : bool) (eta lam tau q V y g : R) : Prop := {
  pt_pow2 : pow2 q;
  pt_bin  : q <= tau <= 2 * q;
  pt_cell : cell b tau (2 * eta * q) V;
  pt_y    : 0 <= y <= V;
  pt_fine : V < 2 * lam -> y <= lam;
  pt_law  : noise_law eta lam V y g }.

Arguments pt_pow2 {b eta lam tau q V y g}.
Arguments pt_bin {b eta lam tau q V y g}.
Arguments pt_cell {b eta lam tau q V y g}.

Lemma point_y b eta lam tau q V y g e0 : 0 < eta <= e0 -> point b eta lam tau q V y g -> 0 < q /\ y <= (1 + e0) * tau.
Proof.
intros He [Hq Hb Hc Hy _ _]. apply pow2_pos in Hq. apply cell_err in Hc. split; auto.
assert (eta * q <= e0 * tau) by (apply Rmult_le_compat; lra). lra.
Qed.

Arguments point_y {b eta lam tau q V y g e0}.

(** e0 bounds eta, and wide is at most lam/(B eta). *)
Record config (wide e0 : R) (b : bool)
  (eta lam Lam B Delta delta t2 t1 t2' t1' p2 p1 p2' P V2 V1 V2' V1' y2 y1 y2' y1' g2 g1 g2' g1' : R) : Prop := {
  cf_eta  : 0 < eta <= e0;
  cf_e0   : e0 <= / 2048;
  cf_lam  : 0 < lam <= Lam /\ Lam < 2 * lam;
  cf_Lam  : pow2 Lam;
  cf_B    : lam <= B;
  cf_wide : 0 < wide /\ wide * (B * eta) <= lam;
  cf_2    : point b eta lam t2 p2 V2 y2 g2;
  cf_1    : point b eta lam t1 p1 V1 y1 g1;
  cf_2'   : point b eta lam t2' p2' V2' y2' g2';
  cf_1'   : point b eta lam t1' P V1' y1' g1';
  cf_ord  : p2 <= p1 <= P /\ p2 <= p2' <= P;
  cf_mono : V2 <= V2' /\ V1 <= V1';
  cf_d    : 0 <= t2' - t2 <= Delta;
  cf_far  : t1 = t2 + Lam + delta;
  cf_far' : t1' = t2' + Lam + delta;
  cf_dvd  : dvd (2 * eta * P) Lam }.

Section Ratio.
Variables C wide e0 eta lam Lam B : R.
Hypothesis Heta : 0 < eta <= e0.
Hypothesis Hlam : 0 < lam <= Lam.
Hypothesis HB : 0 < B.
Hypothesis Hwide : 0 < wide /\ wide * (B * eta) <= lam.

(** The last line of a row: the width of the probabilities is at least L. *)
Lemma width_at_least L w y1 y2 V1 V2 g1 g2 : 0 < L -> 0 <= w + y1 + y2 ->
  (w + y1 + y2 <= wide * (1 - L - 2 * e0) * B \/ (L + 2 * e0) * lam + e0 * (w + y1 + y2) <= Lam) ->
  Lam - eta * w <= V1 - V2 -> noise_law eta lam V1 y1 g1 -> noise_law eta lam V2 y2 g2 -> L <= g1 - g2.
Proof.
intros HL Hw Hs HV [G1 _] [_ G2]. apply Rmult_le_reg_r with lam; [lra|].
assert (E : eta * lam <= e0 * lam) by (apply Rmult_le_compat_r; lra).
assert (Q : (L + 2 * e0) * lam + eta * (w + y1 + y2) <= Lam); [|lra].
destruct Hs as [Hs|Hs].
- set (r := 1 - L - 2 * e0) in *. assert (WB : 0 < wide * B) by (apply Rmult_lt_0_compat; lra).
  assert (Hr : 0 <= r) by (apply Rnot_lt_le; intros N; assert (wide * B * r < 0) by nra; lra).
  assert (eta * (w + y1 + y2) <= r * lam); [|replace (L + 2 * e0) with (1 - r) by (unfold r; ring); lra].
  apply Rle_trans with (r * (wide * (B * eta))); [|apply Rmult_le_compat_l; lra].
  apply Rmult_le_compat_l with (r := eta) in Hs; lra.
- assert (eta * (w + y1 + y2) <= e0 * (w + y1 + y2)) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Variables V2 V1 V2' V1' y2 y1 y2' y1' g2 g1 g2' g1' Delta a u w : R.
Hypothesis G2 : noise_law eta lam V2 y2 g2.
Hypothesis G1 : noise_law eta lam V1 y1 g1.
Hypothesis G2' : noise_law eta lam V2' y2' g2'.
Hypothesis G1' : noise_law eta lam V1' y1' g1'.
Hypothesis Hy : 0 <= y2 /\ 0 <= y1 /\ 0 <= y2' /\ 0 <= y1'.
Hypothesis Hu : 0 <= u.
Hypothesis Hw : 0 <= w.
Notation Bound := (exp (Delta / lam + C * (B * eta / lam) + 2 * eta)).

Lemma to_loss z : z * lam <= Delta + eta * (C * B) + 2 * eta * lam -> z <= Delta / lam + C * (B * eta / lam) + 2 * eta.
Proof.
intros H. apply Rmult_le_reg_r with lam; [lra|].
replace ((Delta / lam + C * (B * eta / lam) + 2 * eta) * lam) with (Delta + eta * (C * B) + 2 * eta * lam) by (field;
  lra). auto.
Qed.

Theorem forward_ratio : row C wide e0 lam Lam B y2 y1 y2' y1' a u w ->
  (V2' - V2) - Delta <= eta * a -> (V2' - V2) - (V1' - V1) <= eta * u -> Lam - eta * w <= V1' - V2' ->
  exp (- g2) - exp (- g1) <= Bound * (exp (- g2') - exp (- g1')).
Proof.
intros (L & n & HL & [Hn _] & Hloss & Hwidth) Ha Hd Hv. set (E := eta * (u + (y1 + y2 + y1' + y2') + 4 * lam)).
assert (E0 : 0 <= E) by (apply Rmult_le_pos; lra). assert (El : E / lam * lam = E) by (field; lra).
apply basic_inequality with (L := L) (n := n) (W := E / lam); auto.
- split; auto. apply width_at_least with w y1' y2' V1' V2'; auto; lra.
- apply Rmult_le_pos; auto. left; apply Rinv_0_lt_compat; lra.
- apply Rmult_le_reg_r with lam; [lra|]. rewrite El. unfold E, noise_law in *. lra.
- apply to_loss. replace ((g2' - g2 + n * (E / lam)) * lam) with (g2' * lam - g2 * lam + n * (E / lam * lam)) by ring.
  rewrite El.
  apply Rmult_le_compat_l with (r := eta) in Hloss; [|lra]. unfold E, noise_law in *. lra.
Qed.

(** The other ratio, with the roles of c and c' in the row exchanged. *)
Theorem backward_ratio : row C wide e0 lam Lam B y2' y1' y2 y1 0 u w -> 0 <= Delta ->
  V2 <= V2' -> V1' - V1 <= Delta + eta * u -> Lam - eta * w <= V1 - V2 ->
  exp (- g2') - exp (- g1') <= Bound * (exp (- g2) - exp (- g1)).
Proof.
intros (L & n & HL & [Hn Hn1] & Hloss & Hwidth) HD Hm Hd Hv. set (E := eta * (u + (y1' + y2' + y1 + y2) + 4 * lam)).
assert (E0 : 0 <= E) by (apply Rmult_le_pos; lra). assert (El : (Delta + E) / lam * lam = Delta + E) by (field; lra).
apply basic_inequality with (L := L) (n := n) (W := (Delta + E) / lam); auto.
- split; auto. apply width_at_least with w y1 y2 V1 V2; auto; lra.
- apply Rmult_le_pos; [lra|]. left; apply Rinv_0_lt_compat; lra.
- apply Rmult_le_reg_r with lam; [lra|]. rewrite El. unfold E, noise_law in *. lra.
- apply to_loss. replace ((g2 - g2' + n * ((Delta + E) / lam)) * lam) with (g2 * lam - g2' * lam + n * ((Delta + E)
    / lam * lam)) by ring. rewrite El.
  apply Rmult_le_compat_l with (r := eta) in Hloss; [|lra].
  assert (n * Delta <= 1 * Delta) by (apply Rmult_le_compat_r; lra). unfold E, noise_law in *. lra.
Qed.
End Ratio.

Section Config.
Variables (C wide e0 : R) (b : bool) (eta lam Lam B Delta delta t2 t1 t2' t1' p2 p1 p2' P V2 V1 V2' V1' y2 y1 y2' y1'
  g2 g1 g2' g1' : R).
Hypothesis Cf : config wide e0 b eta lam Lam B Delta delta t2 t1 t2' t1' p2 p1 p2' P V2 V1 V2' V1' y2 y1 y2' y1' g2 g1
  g2' g1'.

Ltac open_config := destruct Cf as [He He0 [Hl Hl2] HL HB Hbeta A2 A1 A2' A1' Ho Hm Hd Hf Hf' Hv];
  destruct (point_y He A2) as [q2 Y2]; destruct (point_y He A1) as [q1 Y1];
  destruct (point_y He A2') as [q2' Y2']; destruct (point_y He A1') as [q1' Y1'];
  assert (K2 := pt_cell A2); assert (K1 := pt_cell A1);
  assert (K2' := pt_cell A2'); assert (K1' := pt_cell A1');
  assert (E2 := cell_err K2); assert (E1 := cell_err K1);
  assert (E2' := cell_err K2'); assert (E1' := cell_err K1').

Lemma spacing_dvd q q' : pow2 q -> pow2 q' -> q <= q' -> 0 < eta -> dvd (2 * eta * q) (2 * eta * q').
Proof.
intros H H' Hle He. destruct (pow2_dvd q q' H H' Hle) as [n ->]. exists n. ring.
Qed.

(** All that Grid.v asks for. *)
Lemma cells : (0 < 2 * eta * p2 /\ 0 < 2 * eta * p1 /\ 0 < 2 * eta * p2' /\ 0 < 2 * eta * P) /\
  (dvd (2 * eta * p2) (2 * eta * p1) /\ dvd (2 * eta * p2) (2 * eta * p2') /\ dvd (2 * eta * p1) (2 * eta * P) /\
   dvd (2 * eta * p2') (2 * eta * P)).
Proof.
open_config. repeat split; try (apply Rmult_lt_0_compat; lra);
apply spacing_dvd; try lra; solve [apply A2 | apply A1 | apply A2' | apply A1'].
Qed.
Ltac with_cells := open_config; destruct cells as [(? & ? & ? & ?) (? & ? & ? & ?)].
Tactic Notation "by_cell" constr(L) := eapply (L b t2 t1 t2' t1' (2 * eta * p2) (2 * eta * p1) (2 * eta * p2')
  (2 * eta * P) V2 V1 V2' V1'); try eassumption.

(** D2 - Delta. *)
Lemma near_fine : dvd (2 * eta * p2) Delta -> (V2' - V2) - Delta <= eta * fine p2 p2'.
Proof.
intros DD. with_cells. unfold fine. assert (V2' - V2 - Delta <= (2 * eta * p2' - 2 * eta * p2) / 2); [|lra].
by_cell near_if_divided.
Qed.
Lemma coarse_step : 2 * Delta <= 2 * eta * p2 -> V2' - V2 <= eta * (p2' + p2).
Proof.
intros DD. with_cells. assert (V2' - V2 <= (2 * eta * p2' + 2 * eta * p2) / 2); [|lra].
by_cell near_if_small.
Qed.
Lemma near_coarse yc : 2 * Delta <= 2 * eta * p2 -> eta * yc <= Delta -> (V2' - V2) - Delta <= eta * coarse p2 p2' yc.
Proof. intros DD Hy. assert (Q := coarse_step DD). unfold coarse. lra. Qed.
Lemma near_indep : (V2' - V2) - Delta <= eta * (p2' + p2).
Proof. open_config. lra. Qed.

(** D2 - D1. *)
Lemma apart_coarse : 2 * Delta <= 2 * eta * p2 -> (V2' - V2) - (V1' - V1) <= eta * (p2' + p2).
Proof. intros DD. assert (Q := coarse_step DD). open_config. lra. Qed.
Lemma apart_eq : delta = 0 -> (V2' - V2) - (V1' - V1) <= eta * aligned p2 p1 p2' P.
Proof.
intros DD. with_cells. unfold aligned.
assert ((V2' - V2) - (V1' - V1) <= (2 * eta * p1 - 2 * eta * p2 + 2 * eta * P - 2 * eta * p2') / 2); [|lra].
by_cell moves_differ_less.
Qed.
Lemma apart_nested : (V2' - V2) - (V1' - V1) <= eta * nested p2 p1 p2' P.
Proof.
with_cells. unfold nested.
assert ((V2' - V2) - (V1' - V1) <= (2 * eta * p1 + 2 * eta * p2' + 2 * eta * P - 2 * eta * p2) / 2); [|lra].
by_cell moves_differ_little.
Qed.
Lemma apart_indep : (V2' - V2) - (V1' - V1) <= eta * independent p2 p1 p2' P.
Proof. open_config. unfold independent. lra. Qed.
(** Where parity gives V1' - V2' = Lam. *)
Lemma apart_closed : delta <= 0 -> V1' - V2' = Lam -> (V2' - V2) - (V1' - V1) <= eta * (p1 - p2).
Proof.
intros DD E. with_cells. assert (V1 - V2 - Lam <= (2 * eta * p1 - 2 * eta * p2) / 2); [|lra].
by_cell step_not_longer.
Qed.
Lemma apart_open : 0 <= delta <= 2 * eta * p2 -> V1' - V2' = Lam -> (V2' - V2) - (V1' - V1) <= eta * (p1 + p2).
Proof.
intros DD E. with_cells. assert (V1 - V2 - Lam <= (2 * eta * p1 + 2 * eta * p2) / 2); [|lra].
by_cell step_one_cell_longer.
Qed.
Lemma apart_tiny d0 : Rabs delta = eta * d0 -> V1' - V2' = Lam -> (V2' - V2) - (V1' - V1) <= eta * (p1 + p2 + d0).
Proof. intros Ed E. assert (Q := Rle_abs delta). open_config. lra. Qed.

(** Widths. *)
Lemma wide_any d0 : Rabs delta = eta * d0 -> Lam - eta * (P + p2' + d0) <= V1' - V2'.
Proof. intros Ed. assert (Q := Rle_abs (- delta)). rewrite Rabs_Ropp in Q. open_config. lra. Qed.
Lemma wide_eq : delta = 0 -> Lam - eta * (P - p2') <= V1' - V2'.
Proof.
intros DD. with_cells. assert (- (2 * eta * P - 2 * eta * p2') / 2 <= V1' - V2' - Lam); [|lra].
by_cell step_not_shorter. lra.
Qed.
Lemma wide_back d0 : Rabs delta = eta * d0 -> Lam - eta * (p1 + p2 + d0) <= V1 - V2.
Proof. intros Ed. assert (Q := Rle_abs (- delta)). rewrite Rabs_Ropp in Q. open_config. lra. Qed.
Lemma apart_back : V1' - V1 <= Delta + eta * (p1 + P).
Proof. open_config. lra. Qed.

(** The two ratios. *)
Definition forward_ok := exp (- g2) - exp (- g1) <= exp (Delta / lam + C * (B * eta / lam) + 2 * eta) * (exp (- g2')
  - exp (- g1')).
Definition backward_ok := exp (- g2') - exp (- g1') <= exp (Delta / lam + C * (B * eta / lam) + 2 * eta) * (exp (- g2)
  - exp (- g1)).

Lemma forward_row a u w : row C wide e0 lam Lam B y2 y1 y2' y1' a u w -> 0 <= u -> 0 <= w ->
  (V2' - V2) - Delta <= eta * a -> (V2' - V2) - (V1' - V1) <= eta * u -> Lam - eta * w <= V1' - V2' -> forward_ok.
Proof.
intros. open_config. destruct A2, A1, A2', A1'.
eapply forward_ratio with (a := a) (u := u) (w := w); try eassumption; try lra.
Qed.
Lemma backward_row d0 : 0 <= d0 -> Rabs delta = eta * d0 ->
  row C wide e0 lam Lam B y2' y1' y2 y1 0 (p1 + P) (p1 + p2 + d0) -> backward_ok.
Proof.
intros H0 Ed Hr. assert (Q := wide_back d0 Ed). assert (Q' := apart_back). open_config. destruct A2, A1, A2', A1'.
eapply backward_ratio with (u := p1 + P) (w := p1 + p2 + d0); try eassumption; try lra.
Qed.

(** The linear facts that the table starts from. *)
Lemma setting_of_config d0 X yc : 0 <= d0 -> Rabs delta = eta * d0 ->
  0 <= X <= B -> 0 <= yc <= B -> setting e0 lam Lam B t2 t1 t2' t1' p2 p1 p2' P y2 y1 y2' y1' delta d0 X yc.
Proof.
intros H0 Ed HX Hy. assert (Q1 := Rle_abs delta). assert (Q2 := Rle_abs (- delta)). rewrite Rabs_Ropp in Q2.
open_config.
assert (eta * d0 <= e0 * d0) by (apply Rmult_le_compat_r; lra).
destruct A2, A1, A2', A1'. constructor; repeat split; lra.
Qed.

Lemma corner_of_config : corner e0 lam t2' y2 y2'.
Proof.
open_config. destruct (Rlt_or_le V2' (2 * lam)) as [F|F]; [left|right].
- split; [apply A2 | apply A2']; lra.
- assert (eta * p2' <= e0 * t2') by (destruct A2' as [_ ? _ _ _ _]; apply Rmult_le_compat; lra). lra.
Qed.
End Config.

Arguments setting_of_config {wide e0 b eta lam Lam B Delta delta t2 t1 t2' t1' p2 p1 p2' P V2 V1 V2' V1' y2 y1 y2' y1'
  g2 g1 g2' g1'} Cf.
Arguments corner_of_config {wide e0 b eta lam Lam B Delta delta t2 t1 t2' t1' p2 p1 p2' P V2 V1 V2' V1' y2 y1 y2' y1'
  g2 g1 g2' g1'} Cf.

(** notes/theorem1.md, section 4, "Optimisation": the table of cases, as linear arithmetic, with all second-order terms
    in it. Each row is an inequality between the numbers of one configuration; RowsOf12.v and RowsSharper.v prove the
    whole table for one constant each. *)
From Coq Require Import Reals Lra.
From Snapping Require Import Exponential.
Open Scope R_scope.

Section Rows.
Variables C wide e0 : R.            (* the constant; lam >= wide B eta; eta <= e0 *)

(** c is the value nearer to x, c' the other one, on one side of x. t2, t1: distances from c to the near and the far
    edge of x; t2', t1': from c'. p_i: the spacing at t_i is 2 eta p_i. y_i: the error of LN there is at most eta
    y_i/lam. e = delta, |delta| = eta d0. X = |x|, yc = |c'|. *)
Variables lam Lam B t2 t1 t2' t1' p2 p1 p2' P y2 y1 y2' y1' e d0 X yc : R.

Record setting : Prop := {
  s_lam  : 0 < lam <= Lam /\ Lam < 2 * lam;
  s_t2   : 0 < p2 /\ p2 <= t2 <= 2 * p2;
  s_t1   : p1 <= t1 <= 2 * p1;
  s_t2'  : p2' <= t2' <= 2 * p2';
  s_t1'  : P <= t1' <= 2 * P;
  s_ord  : p2 <= p1 <= P /\ p2 <= p2' <= P;
  s_near : t2 <= t2';
  s_far  : t1 = t2 + Lam + e;
  s_far' : t1' = t2' + Lam + e;
  s_e    : 0 <= d0 /\ - (e0 * d0) <= e <= e0 * d0;
  s_y    : y2 <= (1 + e0) * t2 /\ y1 <= (1 + e0) * t1 /\ y2' <= (1 + e0) * t2' /\ y1' <= (1 + e0) * t1';
  s_X    : 0 <= X <= B;
  s_yc   : 0 <= yc <= B }.

(** With Di = Vi' - Vi: D2 - Delta <= eta a, D2 - D1 <= eta u and V1' - V2' >= Lam - eta w. Then L <= w' (the last
    line), and the loss is within the bound (the line before it), by Exponential.basic_inequality. *)
Definition row (y2 y1 y2' y1' a u w : R) : Prop := exists L n : R, 0 < L /\ (slope L n /\ n <= 1) /\
  a + y2 + y2' + n * (u + (y1 + y2 + y1' + y2') + 4 * lam) <= C * B /\
  (w + y1' + y2' <= wide * (1 - L - 2 * e0) * B \/ (L + 2 * e0) * lam + e0 * (w + y1' + y2') <= Lam).

(** D2 - Delta where the finest spacing divides Delta, and where Delta is at most half of it and at least eta |c'|. *)
Definition fine := p2' - p2.
Definition coarse := p2' + p2 - yc.
(** D2 - D1 where delta = 0, always, and with all errors independent. *)
Definition aligned := p1 - p2 + P - p2'.
Definition nested := p1 + p2' + P - p2.
Definition independent := p1 + p2' + P + p2.
Notation Forward := (row y2 y1 y2' y1').
Notation Backward := (row y2' y1' y2 y1 0 (p1 + P) (p1 + p2 + d0)).

(** x = 0, or c' and x on one side of 0; or on opposite sides. *)
Definition same_side := t1' <= B + Lam / 2 + e0 * (B + Lam / 2).
Definition opposite_sides := t1' <= yc + X + Lam / 2 + e0 * (X + Lam / 2).
Definition small_offset := 4 * d0 <= 3 * X.
Definition half_offset := 2 * d0 = X.
(** |x| is a multiple of Lam, and no power of two: not P/2. *)
Definition off_half := P / 2 + Lam <= X \/ X + Lam <= P / 2.
(** X = Lam = P/2 and tau2' < P: LN is more accurate below 2 lam, or lam is smaller than Lam. *)
Definition corner := (y2 <= lam /\ y2' <= lam) \/ 2 * lam <= (1 + e0) * t2'.

Record rows : Prop := {
  same          : same_side -> small_offset \/ 4 * d0 <= Lam -> Forward (p2' + p2) independent (P + p2' + d0);
  (* A: delta = 0, |k| >= 3 *)
  A_fine        : opposite_sides -> d0 = 0 -> 3 * Lam <= X -> Forward fine aligned (P - p2');
  A_coarse_32   : opposite_sides -> d0 = 0 -> p2' = P -> 32 * Lam <= P -> Forward coarse aligned (P - p2');
  A_coarse_16   : opposite_sides -> d0 = 0 -> p2' = P -> 16 * Lam = P -> off_half -> Forward coarse aligned (P - p2');
  A_coarse_8    : opposite_sides -> d0 = 0 -> p2' = P -> 8 * Lam = P -> off_half -> Forward coarse aligned (P - p2');
  A_coarse_4    : opposite_sides -> d0 = 0 -> p2' = P -> P <= 4 * Lam -> 3 * Lam <= X ->
                  Forward coarse aligned (P - p2');
  A_coarse_low  : opposite_sides -> d0 = 0 -> 2 * p2' <= P -> 8 * Lam <= P \/ P <= 4 * Lam -> 3 * Lam <= X ->
                  Forward coarse aligned (P - p2');
  (* C: |x| <= P/4;  E: |x| = P *)
  C_fine        : opposite_sides -> 4 * X <= P -> Lam <= X -> small_offset -> Forward fine nested (P + p2' + d0);
  C_coarse      : opposite_sides -> 4 * X <= P -> Lam <= X -> small_offset -> Forward coarse nested (P + p2' + d0);
  E_fine        : opposite_sides -> X = P -> Lam <= X -> small_offset -> Forward fine nested (P + p2' + d0);
  E_coarse      : opposite_sides -> X = P -> Lam <= X -> small_offset -> Forward coarse nested (P + p2' + d0);
  (* D: |x| = P/2, tau2' < P. Where Delta is small, D2 - D1 <= D2, as D1 >= 0 *)
  D_fine_32     : opposite_sides -> 2 * X = P -> half_offset -> 2 * p2' <= P -> 32 * Lam <= P ->
                  Forward fine nested (P + p2' + d0);
  D_fine_16     : opposite_sides -> 2 * X = P -> half_offset -> 2 * p2' <= P -> 16 * Lam = P ->
                  Forward fine nested (P + p2' + d0);
  D_fine_8      : opposite_sides -> 2 * X = P -> half_offset -> 2 * p2' <= P -> 8 * Lam = P ->
                  Forward fine nested (P + p2' + d0);
  D_fine_4      : opposite_sides -> 2 * X = P -> half_offset -> 2 * p2' <= P -> 4 * Lam = P ->
                  2 * p2 = P \/ 4 * p2 <= P -> Forward fine nested (P + p2' + d0);
  D_coarse_32   : opposite_sides -> 2 * X = P -> half_offset -> 2 * p2' <= P -> 32 * Lam <= P ->
                  Forward coarse (p2' + p2) (P + p2' + d0);
  D_coarse_16   : opposite_sides -> 2 * X = P -> half_offset -> 2 * p2' <= P -> P <= 16 * Lam -> 4 * Lam <= P ->
                  Forward coarse (p2' + p2) (P + p2' + d0);
  (* D: |x| = P/2, P <= tau2', with parity: V1' - V2' = Lam *)
  D_closed      : opposite_sides -> 2 * X = P -> small_offset -> p2' = P -> Forward fine (p1 - p2) 0;
  D_open        : opposite_sides -> 2 * X = P -> half_offset -> p2' = P -> Forward fine (p1 + p2) 0;
  D_open_tiny   : opposite_sides -> 2 * X = P -> half_offset -> p2' = P -> 2 * p2 <= d0 ->
                  Forward fine (p1 + p2 + d0) 0;
  D_whole       : opposite_sides -> 2 * X = P -> small_offset -> p2' = P -> p2 = P -> Forward coarse 0 0;
  D_half        : opposite_sides -> 2 * X = P -> small_offset -> p2' = P -> 2 * p2 = P -> Forward coarse p2 0;
  (* the other ratio: D2 >= 0, D1 <= Delta + eta (p1 + P), and the width is that of c *)
  back_same     : same_side -> small_offset \/ 4 * d0 <= Lam -> Backward;
  back_1        : small_offset -> P <= Lam -> Lam <= X -> Backward;
  back_2        : opposite_sides -> 2 * Lam = P -> 2 * Lam <= X -> small_offset -> Backward;
  back_2_high   : opposite_sides -> 2 * Lam = P -> X = Lam -> small_offset -> p2' = P -> Backward;
  back_4        : opposite_sides -> 2 * d0 <= P -> 4 * Lam = P -> P <= 2 * B -> Backward;
  back_8        : opposite_sides -> 2 * d0 <= P -> 8 * Lam = P -> Backward;
  back_16       : opposite_sides -> 2 * d0 <= P -> 16 * Lam = P -> Backward;
  back_32       : opposite_sides -> small_offset -> 32 * Lam <= P -> Backward;
  (* the corner |x| = Lam = P/2, tau2' < P *)
  corner_fine   : opposite_sides -> corner -> X = Lam -> 2 * Lam = P -> small_offset -> 2 * p2' <= P ->
                  Forward fine nested (P + p2' + d0);
  corner_coarse : opposite_sides -> corner -> X = Lam -> 2 * Lam = P -> small_offset -> 2 * p2' <= P ->
                  Forward coarse (p2' + p2) (P + p2' + d0);
  corner_back   : opposite_sides -> corner -> X = Lam -> 2 * Lam = P -> small_offset -> 2 * p2' <= P -> Backward }.
End Rows.

(** The whole table holds: a constant C, for eta <= e0 and lam >= wide B eta. *)
Definition table (C wide e0 : R) : Prop :=
  forall lam Lam B t2 t1 t2' t1' p2 p1 p2' P y2 y1 y2' y1' e d0 X yc,
  setting e0 lam Lam B t2 t1 t2' t1' p2 p1 p2' P y2 y1 y2' y1' e d0 X yc ->
  rows C wide e0 lam Lam B t2' t1' p2 p1 p2' P y2 y1 y2' y1' d0 X yc.

(** Two numbers for each row: L, and n with slope L n. The rest is linear arithmetic. *)
Ltac open_row := intros; unfold same_side, opposite_sides, small_offset, half_offset, fine, coarse, aligned, nested,
  independent in *.
Ltac split_cases := repeat match goal with
  | H : _ \/ _ |- _ => destruct H | H : off_half _ _ _ |- _ => destruct H | H : corner _ _ _ _ _ |- _ => destruct H end.
Ltac by_numbers L n := open_row; exists L, n; repeat split;
  [lra | apply slope_by_ten_terms; unfold ten_terms; lra | lra | lra | first [left; lra | right; lra]].

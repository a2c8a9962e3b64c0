(** The table for C = 11.7: eta <= 2^-24, B eta <= lam/8192. What keeps it from going lower is A_coarse_32, which needs
    11.68. *)
From Coq Require Import Reals Lra.
From Snapping Require Import Exponential Rows.
Open Scope R_scope.

Theorem table_sharper : table (117/10) 8192 (/ 16777216).
Proof.
intros lam Lam B t2 t1 t2' t1' p2 p1 p2' P y2 y1 y2' y1' e d0 X yc
  [[Hl HL] [Hp Ht2] Ht1 Ht2' Ht1' [Ho Ho'] Hn Hf Hf' [Hd He] (Hy2 & Hy1 & Hy2' & Hy1') HX Hyc].
constructor; open_row; split_cases.
all: try (by_numbers (9989/10000) (583/1000)).
all: destruct (Rle_or_lt lam (8/10 * Lam)); [by_numbers (124/100) (41/100) | by_numbers (9989/10000) (583/1000)].
Qed.

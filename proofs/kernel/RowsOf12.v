(** The table for C = 12: eta <= 2^-11, B eta <= lam/128. The tightest rows are back_32 (it needs 11.964), A_coarse_32
    (11.937) and D_whole (11.912). *)
From Coq Require Import Reals Lra.
From Snapping Require Import Exponential Rows.
Open Scope R_scope.

Theorem table_of_12 : table 12 128 (/ 2048).
Proof.
intros lam Lam B t2 t1 t2' t1' p2 p1 p2' P y2 y1 y2' y1' e d0 X yc
  [[Hl HL] [Hp Ht2] Ht1 Ht2' Ht1' [Ho Ho'] Hn Hf Hf' [Hd He] (Hy2 & Hy1 & Hy2' & Hy1') HX Hyc].
constructor.
- by_numbers (937/1000) (645/1000).          (* same *)
- by_numbers (951/1000) (63/100).            (* A_fine *)
- by_numbers (9677/10000) (613/1000).
- open_row; split_cases; by_numbers (9677/10000) (613/1000).
- open_row; split_cases; by_numbers (9677/10000) (613/1000).
- by_numbers (983/1000) (598/1000).
- by_numbers (951/1000) (63/100).
- by_numbers (937/1000) (645/1000).          (* C_fine *)
- by_numbers (937/1000) (645/1000).
- by_numbers (937/1000) (645/1000).          (* E_fine *)
- by_numbers (937/1000) (645/1000).
- by_numbers (937/1000) (645/1000).          (* D_fine_32 *)
- by_numbers (967/1000) (614/1000).
- by_numbers (983/1000) (598/1000).
- open_row; split_cases; by_numbers (991/1000) (5905/10000).
- by_numbers (937/1000) (645/1000).          (* D_coarse_32 *)
- by_numbers (968/1000) (6126/10000).
- by_numbers (9677/10000) (613/1000).        (* D_closed *)
- by_numbers (9677/10000) (613/1000).
- by_numbers (9677/10000) (613/1000).
- by_numbers (9677/10000) (613/1000).        (* D_whole *)
- by_numbers (9677/10000) (613/1000).
- by_numbers (961/1000) (62/100).            (* back_same *)
- by_numbers (937/1000) (645/1000).
- by_numbers (937/1000) (645/1000).
- by_numbers (937/1000) (645/1000).
- by_numbers (986/1000) (596/1000).
- by_numbers (974/1000) (607/1000).
- by_numbers (948/1000) (633/1000).
- by_numbers (9301/10000) (6516/10000).
- open_row; split_cases; [by_numbers (995/1000) (587/1000)|]. (* corner_fine *)
  destruct (Rle_or_lt lam (8/10 * Lam)); [by_numbers (124/100) (41/100) | by_numbers (994/1000) (588/1000)].
- open_row; split_cases; [by_numbers (995/1000) (587/1000)|].
  destruct (Rle_or_lt lam (8/10 * Lam)); [by_numbers (124/100) (41/100) | by_numbers (994/1000) (588/1000)].
- open_row; split_cases; [by_numbers (995/1000) (587/1000)|].
  destruct (Rle_or_lt lam (8/10 * Lam)); [by_numbers (124/100) (41/100) | by_numbers (994/1000) (588/1000)].
Qed.

(** THE PAGE: the snapping mechanism at p bits, and what is proved of it. Definitions and statements, nothing else.
    The proofs are in the other files; the last of them, Theorem1.v, proves the statements at the end of this one. *)
From Coq Require Import Reals ZArith.
From Flocq Require Import Core.                 (* bpow radix2 e is 2^e *)
From Coquelicot Require Import Coquelicot.      (* RInt f a b is the Riemann integral of f from a to b *)
Open Scope R_scope.

Section Mechanism.
Variable p : Z.                                 (* bits of a significand; exponents have no limit *)

Definition is_p_bit (x : R) : Prop := exists s e : Z, x = IZR s * bpow radix2 e /\ (Z.abs s < 2 ^ p)%Z.
Definition RN (x : R) : R := round radix2 (FLX_exp p) ZnearestE x.   (* to the nearest p-bit number, ties to even *)
Definition RD (x : R) : R := round radix2 (FLX_exp p) Zfloor x.      (* to the largest p-bit number <= x *)
Definition RU (x : R) : R := round radix2 (FLX_exp p) Zceil x.       (* to the smallest p-bit number >= x *)
Definition LN (u : R) : R := RN (ln u).
Definition eta : R := bpow radix2 (- p).

(** Lam is the smallest power of two that is at least lam. *)
Definition power_of_two (x : R) : Prop := exists e : Z, x = bpow radix2 e.
Definition smallest_power (lam Lam : R) : Prop :=
  power_of_two Lam /\ lam <= Lam /\ forall x, power_of_two x -> lam <= x -> Lam <= x.

Variables lam B Lam : R.

Definition clamp (x : R) : R := Rmax (- B) (Rmin B x).
Definition to_lattice (x : R) : R := Lam * IZR (Zfloor (x / Lam + 1 / 2)).   (* the nearest multiple, ties upward *)

(** f = f(D), S = 1 or -1, u = U*: clamp (to_lattice (clamp f (+) S (x) lam (x) LN u)), every operation rounded. *)
Definition mechanism (f S u : R) : R := clamp (to_lattice (RN (clamp f + RN (RN (S * lam) * LN u)))).

(** U* = RD v for a real v that is uniform on (0, 1); S is a fair sign. The probability of x given f. *)
Definition returns (x f S v : R) : R := if Req_EM_T (mechanism f S (RD v)) x then 1 else 0.
Definition Pr (x f : R) : R := (RInt (returns x f 1) 0 1 + RInt (returns x f (-1)) 0 1) / 2.

(** In both directions, so that one probability is zero exactly when the other is. *)
Definition loss_at_most (loss f f' : R) : Prop :=
  forall x, Pr x f <= exp loss * Pr x f' /\ Pr x f' <= exp loss * Pr x f.

Record admissible (least_p : Z) (most : R) : Prop := {
  precision  : (least_p <= p)%Z;
  scale      : is_p_bit lam /\ 0 < lam;
  the_bound  : is_p_bit B /\ lam <= B;
  lattice    : smallest_power lam Lam;
  not_too_wide : B * eta / lam <= most }.

Record neighbours (Delta f f' : R) : Prop := {
  values   : is_p_bit f /\ is_p_bit f';
  distance : Rabs (f - f') <= Delta }.

(** 2^e <= x < 2^(e+1): p-bit numbers are 2^(e+1-p) apart there. *)
Definition spacing_at (x h : R) : Prop :=
  exists e : Z, bpow radix2 e <= x < bpow radix2 (e + 1) /\ h = bpow radix2 (e + 1 - p).
Definition multiple_of (h x : R) : Prop := exists n : Z, x = IZR n * h.
Definition regular (Delta : R) : Prop :=
  power_of_two Delta \/ exists h, spacing_at (2 * B) h /\ multiple_of h Delta.
End Mechanism.

(** RInt f a b is a number for every f; here the integrals exist. *)
Definition well_defined_statement : Prop :=
  forall p lam B Lam, admissible p lam B Lam 11 (/ 128) ->
  forall x f S, is_p_bit p f -> S = 1 \/ S = -1 -> ex_RInt (returns p lam B Lam x f S) 0 1.

(** The bound, with the constant C, for the Delta that are ok. *)
Definition bound_statement (C : R) (least_p : Z) (most : R) (ok : Z -> R -> R -> Prop) : Prop :=
  forall p lam B Lam, admissible p lam B Lam least_p most ->
  forall Delta f f', neighbours p Delta f f' -> ok p B Delta ->
  loss_at_most p lam B Lam (Delta / lam + C * (B * eta p / lam) + 2 * eta p) f f'.

Definition theorem_12_statement : Prop := bound_statement 12 11 (/ 128) regular.
Definition theorem_sharper_statement : Prop := bound_statement (117/10) 24 (/ 8192) regular.
Definition theorem_16_statement : Prop := bound_statement 16 11 (/ 128) (fun _ _ _ => True).

(** The budget: from epsilon to the scale that honours it. padded is Delta itself where that is a power of two, and
    otherwise the next multiple of the spacing at 2B. *)
Definition padded_sensitivity (p : Z) (B Delta padded : R) : Prop :=
  (power_of_two Delta /\ padded = Delta) \/
  (~ power_of_two Delta /\ exists h, spacing_at p (2 * B) h /\ padded = IZR (Zceil (Delta / h)) * h).
Definition inner_epsilon (p : Z) (epsilon B Delta padded : R) : R :=
  RD p ((epsilon - 2 * eta p) / (padded / Delta + 12 * (B / Delta) * eta p)).
Definition scale_of (p : Z) (epsilon B Delta padded : R) : R :=
  RU p (Delta / inner_epsilon p epsilon B Delta padded).

Definition certificate_statement : Prop :=
  forall p epsilon B Delta padded lam Lam, (11 <= p)%Z -> is_p_bit p B -> 0 < B -> 0 < Delta -> 2 * eta p < epsilon ->
  padded_sensitivity p B Delta padded -> lam = scale_of p epsilon B Delta padded -> smallest_power lam Lam ->
  lam <= B -> B * eta p / lam <= / 128 ->
  padded / lam + 12 * (B * eta p / lam) + 2 * eta p <= epsilon /\
  forall f f', neighbours p Delta f f' -> loss_at_most p lam B Lam epsilon f f'.

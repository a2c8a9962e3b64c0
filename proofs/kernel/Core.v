(** The mechanism as the proof sees it: the value c is clamped already, sign and scale are exact, p-bit numbers are a
    Flocq format, the spacing at 2B is an ulp. Bridge.v shows that this is the mechanism of Statement.v. *)
From Coq Require Import Reals ZArith.
From Flocq Require Import Core.
From Coquelicot Require Import Coquelicot.
From Snapping Require Import Statement.
Open Scope R_scope.

Section Core.
Variable p : Z.
Notation RN := (RN p).
Notation RD := (RD p).
Notation eta := (eta p).

Definition is_float (x : R) : Prop := generic_format radix2 (FLX_exp p) x.

Variables lam B Lam : R.

Definition noisy (c S u : R) : R := RN (c + RN (S * lam * RN (ln u))).
Definition snap (c S u : R) : R := clamp B (to_lattice Lam (noisy c S u)).
Definition hit (c S x v : R) : R := if Req_EM_T (snap c S (RD v)) x then 1 else 0.
Definition P (x c : R) : R := (RInt (hit c 1 x) 0 1 + RInt (hit c (-1) x) 0 1) / 2.

Record conditions : Prop := {
  c_p    : (11 <= p)%Z;
  c_lam  : 0 < lam /\ is_float lam;
  c_B    : lam <= B /\ is_float B;
  c_Lam  : exists m : Z, Lam = bpow radix2 m /\ lam <= Lam < 2 * lam;
  c_beta : B * eta / lam <= / 128 }.

Definition regular_core (Delta : R) : Prop :=
  (exists t : Z, Delta = bpow radix2 t) \/ (exists n : Z, Delta = IZR n * ulp radix2 (FLX_exp p) (2 * B)).

Definition bound (C Delta : R) : R := exp (Delta / lam + C * (B * eta / lam) + 2 * eta).
End Core.

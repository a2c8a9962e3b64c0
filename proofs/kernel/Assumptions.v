(** What the build prints and compares: that each theorem has the statement of the page, that statement, and what the
    theorem rests on. *)
From Coq Require Import Reals.
From Snapping Require Import Statement Theorem1.
Open Scope R_scope.
Set Printing Width 120.

Check (well_defined : well_defined_statement).
Redirect "well_defined.statement" Print well_defined_statement.
Redirect "well_defined.assumptions" Print Assumptions well_defined.

Check (theorem_12 : theorem_12_statement).
Redirect "theorem_12.statement" Eval unfold theorem_12_statement, bound_statement in theorem_12_statement.
Redirect "theorem_12.assumptions" Print Assumptions theorem_12.

Check (theorem_sharper : theorem_sharper_statement).
Redirect "theorem_sharper.statement" Eval unfold theorem_sharper_statement,
  bound_statement in theorem_sharper_statement.
Redirect "theorem_sharper.assumptions" Print Assumptions theorem_sharper.

Check (theorem_16 : theorem_16_statement).
Redirect "theorem_16.statement" Eval unfold theorem_16_statement, bound_statement in theorem_16_statement.
Redirect "theorem_16.assumptions" Print Assumptions theorem_16.

Check (certificate : certificate_statement).
Redirect "certificate.statement" Print certificate_statement.
Redirect "certificate.assumptions" Print Assumptions certificate.

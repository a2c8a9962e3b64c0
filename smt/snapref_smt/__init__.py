"""The exact stages of the mechanism (Λ, rounding, clamp: 001/002 §2.2 and §4), proved on the reference's own code.

`engine` is the way to put any statement before solvers. `models` lifts the reference's functions, `spec` says what they
should do and knows no code; `lattice`, `rounding`, `clamp` and `pipeline` compare the two. `spec_obligations` is about
the specification itself, `printed` about the documents' formulas, `fp_laws` and `two_sum` about rounded arithmetic,
`figure2_rules` about the rules of Figure 2. `trace` and `replay` show counterexamples; `mutants` breaks the code on
purpose. `obligations` imports every module that registers an obligation.
"""

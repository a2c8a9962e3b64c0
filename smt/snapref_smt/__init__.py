"""The exact stages (Λ, rounding, clamp: 001/002 §2.2, §4) and the budget (§5), proved on the reference's own code.

*Lifting* a function means running it once on unknown inputs: the result is a formula for what it returns, for all
inputs at once. Read the modules in this order:

    engine                       how a statement is put before solvers, and how functions are lifted
    spec                         what Λ, rounding and clamp should do; it imports none of the code
    models                       the three functions of the reference, lifted
    lattice, rounding, clamp     the code meets the specification
    budget_spec, budget          what the budget should compute; and that its code does, for all parameters
    spec_obligations, pipeline   what follows from the specification: of rounding, and of rounding and then clamping
    printed                      the formulas that 001 and 002 print, and where they fail
    fp_laws, two_sum             the laws of rounded arithmetic
    figure2_rules                the rules of Figure 2 of 004
    oracle, replay, trace        counterexamples: run again through concrete code, and shown
    mutants                      the code with one mistake at a time, to see that each is noticed
    obligations                  imports every module that registers an obligation
"""

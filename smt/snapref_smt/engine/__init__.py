"""The one way in which statements are put before solvers, for the whole project, from Λ to Theorem 1.

Read the modules in this order:

    statement                 what a statement is
    decide                    what it takes to prove or refute one
    stating                   how statements become obligations
    script                    statements as SMT-LIB 2 text
    solvers, solver_process   running the solvers, each in a process of its own
    certificates              proofs that another program checks
    export                    all statements as files, for `snapref export`
    executor                  runs the reference's own code on unknown integers
    rationals                 the same on unknown fractions
"""

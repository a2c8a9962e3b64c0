"""One way to put a question before solvers, for every statement of the project, from Λ to Theorem 1.

`statement` says what a statement is, `decide` what it takes to prove one, `stating` how statements become obligations.
Below them: `script` (SMT-LIB 2), `solvers` and `solver_process` (the programs that answer), `certificates` (proofs that
another program checks), `export`. `executor` runs the reference's own code on unknown integers.
"""

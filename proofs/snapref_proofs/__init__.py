"""Proofs about the whole snapping mechanism: its exact privacy loss, its accuracy, and the arguments of the documents.

Five documents, called 000 to 004, describe the mechanism; notes/README.md introduces them. Each folder here is one
argument about a part of one document: its model, its statements, and its obligations. An obligation is a check that a
machine runs, as evidence for one or more claims of notes/claims.toml. In the order to read them:

- `evaluate`: a library, not an argument. It computes the exact distribution of the output and the exact privacy loss.
  `inequalities` (one module beside the folders) decides inequalities over boxes of parameters with it.
- `exact`: witnesses by exact computation; small formats exhaustively; the law of the uniform draw.
- `ideal`: the mechanism in real arithmetic, and document 003.
- `budget` and `precision`: the choice of ε, λ and the number of bits (001 and 002, §3 and §5).
- `figure2` and `theorem1`: document 004, its rules for rounding errors and its bound on the loss.
- `utility` (document 000) and `accuracy` (001 and 002, §6): how far an output is from the true answer.
- `batch`: the program for many values at once is proved to compute what the reference computes.

Of `snapref_smt` these modules may use the `engine` alone. `obligations` imports every module that registers one.
"""

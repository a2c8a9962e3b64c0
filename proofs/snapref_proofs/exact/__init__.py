"""What exact computation decides: witnesses at given parameters, small formats exhaustively, and the law of U*.

Everything here relies on the evaluator (the folder evaluate).

- `law_obligations` is about the distribution of the uniform draw U* (001 and 002, §3): claims `N-3-…` and `F-T1-unif`.
- `obligations` checks the evaluator itself, and has the witnesses against sentences of 004 §4 and of the notes' §5.
- `small_obligations` goes through all values of small floating-point formats, inside and outside the conditions of
  Theorem 1 (004 §4).
"""

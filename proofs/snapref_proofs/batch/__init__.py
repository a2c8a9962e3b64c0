"""Proofs that three programs release the same number, bit for bit, from the same random bits.

They are: the reference's program on bit patterns (`snapref.mechanism`), its program on doubles (`snapref.doubles`), and
the program for many values at once (`snapref.batch`, on numpy), which is called *the batch path*. In the order to read
the modules:

- `stages` runs each stage of the batch path and of the reference on unknown inputs, and states that both results are
  the same. `lanes` is one unknown element of a numpy array; with it numpy's code runs as it is.
- `log_error` bounds the error of the batch logarithm, cell by cell of its table.
- `scalar` does for the program on doubles what `stages` does for the batch path. `widening` shows that the reference's
  stages are the same in a format with wider exponents.
- `symbols` finds the order in which a program takes its stages.
- `obligations` registers all this. `faults` compares whole releases on samples.
"""

"""Proofs that three programs release the same number, bit for bit, from the same random bits.

They are: the reference's program on bit patterns (`snapref.mechanism`), its program on doubles (`snapref.doubles`), and
the program for many values at once (`snapref.batch`, on numpy), which is called *the batch path*. In the order to read
the modules:

- `stages` states that a stage on doubles and the same stage on patterns, run on unknown inputs, have the same result.
  `lanes` is one unknown element of a numpy array; with it numpy's code runs as it is.
- `scalar` runs the program on doubles, and states that the batch path's stages are the same. `widening` shows that the
  stages on patterns are the same in a format with wider exponents.
- `log_error` bounds the error of the batch logarithm, cell by cell of its table.
- `rows` checks what stands around the stages of the batch path. `replayed` gives both programs the same random bits.
- `obligations` registers all this. `faults` compares whole releases on samples.
"""

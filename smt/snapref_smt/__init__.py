"""The exact stages of the mechanism (Λ, rounding, clamp: 001/002 §2.2 and §4), proved on the reference's own code.

    lift.py      executes the reference symbolically, path by path        spec.py     what it should do; knows no code
    printed.py   the documents' formulas, literally                       prove.py    theorem → verdict, by two solvers
    solvers.py   z3, bitwuzla, cvc5, each in its own process              trace.py    counterexamples for people

`obligations` imports every module that registers an obligation.
"""

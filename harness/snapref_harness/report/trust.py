"""What a sceptic still has to believe. The lemmas of Theorem 1 have a list of their own (theorem1/compose.py)."""

TRUSTED = (
    "The solvers z3, bitwuzla and cvc5: two must find that a statement has no counterexample, and none may find one.",
    "Arb and mpmath: every enclosure behind an obligation is taken by both engines, each with rounding of its own.",
    "MPFR, through gmpy2: the arithmetic and the logarithm of the reference. It is compared with Arb, not proved.",
    "CPython and the machine it runs on.",
    "The lift of the reference to bit-vectors. It is tested against the running code, and by mutants to be caught.",
)
NOT_PROVED = (
    "The randomness of the operating system: U* is taken to have independent fair bits.",
    "Timing, memory and other side channels: nothing is claimed about them.",
    "That the side conditions of Theorem 1 are the weakest, and that its constant is the smallest.",
    "That the claims say exactly what the documents say: they are in our words, to be read beside the documents.",
)
SEEDS = (
    "Figures draw nothing at random.",
    "Obligations of the kind “sampled” have their seeds in the code, so that a run repeats; they never decide.",
    "Searches (snapref loss --search, snapref crosscheck) take --seed, by default 0.",
)

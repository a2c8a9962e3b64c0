"""Theorem 1 (004 §4), stated rightly and proved: the privacy loss of the floating-point mechanism.

In the order to read it: statement (what is proved, and under which conditions); inversion (from the program to exact
thresholds); widths, grid, coarse and reach (where roundings land, and how large B must be); calculus; one_threshold,
two_sided, scenarios and interior (the cases); multiples, rows and coverage (the facts of each row of the tables, the
row, and that none is missing); compose (the graph of lemmas). independent is the weaker bound for every sensitivity,
uniform64 the reduction for U* over the doubles, below the search for large losses, needed the programs that break a
condition, ties the other tie rules, replay the check of the scenarios on concrete numbers, subdivision where boxes
are cut.

Everything here is about one program, clamp_B(round_Λ(c ⊕ S⊗λ⊗LN(U*))), round to nearest even at p bits, exponents
without limit.
"""

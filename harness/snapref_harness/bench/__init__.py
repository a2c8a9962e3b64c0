"""The performance table of `snapref bench`: what is measured, and against what.

Every figure is a ratio of two speeds, measured in turns, in one run, on one machine. Read `measure` first, which does
the timing, and `machine`, which says on what. Then the rows:

    1, 2  releases (with bare, rival, probe)   one release, and many at once
    3     losses                               exact losses
    4     small                                small formats
    5     boxes                                interval arithmetic
    6     obligations (with plain)             statements in our encoding and in a plain one
    7     crosschecks                          cross-checks in this process and in another
"""

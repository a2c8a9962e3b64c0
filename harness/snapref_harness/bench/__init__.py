"""The performance table: what is measured and against what. One file for each row; `measure` does the timing.

Every figure is a ratio of rates that were taken in turns, in one run, on one machine.
"""

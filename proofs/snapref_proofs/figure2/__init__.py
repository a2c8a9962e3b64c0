"""Figure 2 of document 004 (rules for rounding errors) and the seven cases of its §4: as printed, and as corrected.

In the order to read them: `expressions` (the language of 004 as data) and `semantics` (the rules); `seven_cases` (the
cases, corrected, at given parameters) and `printed` (what the document prints for them); `statements` (what is true for
all reals); `rates` (the ratios of probabilities over whole boxes of parameters); `obligations` (the claims `F-…`,
except those about Theorem 1 as a whole, which are in the folder theorem1).
"""

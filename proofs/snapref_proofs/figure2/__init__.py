"""Figure 2 of 004 and the cases of its §4: the error calculus, as printed and as corrected.

`expressions` and `semantics` are the calculus, `seven_cases` the cases, `printed` what the document prints, `rates` the
ratios over whole boxes, `statements` what these rest on.
"""

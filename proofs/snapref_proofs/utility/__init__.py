"""Document 000 (utility): how far the output is from the Laplace mechanism's output, and from the true answer.

`model` has the closed formulas, `statements` what is true for all reals, and `obligations` decides the claims `U-…`.
Read them in this order. They rely on the ideal mechanism (ideal/model.py), which is in real arithmetic.
"""

"""The choice of the noise scale λ from the privacy budget ε (001 and 002, §5), and the effect of the bound B.

`obligations` is its one module: the statements and the obligations for the claims `N-5-…`.
"""

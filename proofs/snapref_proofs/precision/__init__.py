"""How many bits the arithmetic and the logarithm need (001 and 002, §3).

`model` computes how many bits a logarithm needs to be rounded correctly. `obligations` decides the claims `N-3-LN0`,
`N-3-faith`, `N-3-118`, `N-3-118p` and `N-3-ops`. The rule of §5 for the precision is in the folder budget.
"""

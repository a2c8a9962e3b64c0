"""Many releases at once, on numpy's arrays: bit for bit what the reference releases from the same random bits.

`draws` turns random words into signs, exponents and mantissas; `logarithm` takes their logarithms with a proved error,
and says which of them it is not sure of; `mechanism` does the rest in hardware doubles. Needs numpy: snapref[batch].
"""

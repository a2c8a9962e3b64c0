"""Many releases at once, on arrays of numpy. From the same random bits it releases what the reference releases.

Read in this order: `draws` turns random words into signs, exponents and mantissas. `logarithm` computes logarithms with
a proved error, and says which of them it cannot round with certainty. `mechanism` does the rest in hardware doubles,
and is the interface for users. That all of it agrees with the reference is proved in snapref_proofs.batch. It needs
numpy: install snapref[batch].
"""

from importlib.util import find_spec

if find_spec("numpy") is None:
    raise ModuleNotFoundError("snapref.batch needs numpy: pip install 'snapref[batch]'", name="numpy")

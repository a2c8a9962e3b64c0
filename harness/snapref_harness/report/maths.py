"""Formulas of the claims as a page shows them: powers raised, indices lowered.

The claims are plain text, such as `2^(m-1)` or `clamp_B`. A power is what follows ^: a number, a letter, or anything in
brackets. An index is a letter or a number after an underscore, so that `inner_epsilon` stays as it is.
"""

import re

from markupsafe import Markup, escape

POWER = re.compile(r"(?:\^|\*\*)(?:\(((?:[^()]|\([^()]*\))*)\)|(-?(?:\d+(?:\.\d+)?|[^\W\d_](?:'|\*)?)))")
INDEX = re.compile(r"(?<=[^\W_]|\))_(?:\{([^{}]*)\}|(\d+|[^\W\d_]))(?![^\W_])")
LOG = re.compile(r"\blog2\b")


def formula(text: str) -> Markup:
    """The text with its powers and indices as markup. Everything else is escaped."""
    return raised(str(escape(" ".join(text.replace("`", "").split()))))


def raised(words: str) -> Markup:
    """The same for text that is escaped already."""
    words = POWER.sub(lambda found: f"<sup>{_raised(found)}</sup>", words)
    words = INDEX.sub(lambda found: f"<sub>{found.group(1) or found.group(2)}</sub>", words)
    return Markup(LOG.sub("log<sub>2</sub>", words))


def _raised(found: re.Match[str]) -> str:
    """What stands in the air: without its brackets, and with a real minus."""
    exponent = found.group(2) if found.group(1) is None else found.group(1)
    return POWER.sub(lambda inner: f"<sup>{_raised(inner)}</sup>", exponent).replace("-", "−")

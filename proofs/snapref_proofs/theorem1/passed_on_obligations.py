"""The obligations `theorem.passed_on.*`: what a lemma of Theorem 1 (004 §4) concludes is what the next one starts from.

They look at what the obligations of the lemmas state: obligations.py and ties_obligations.py register these. The chains
for every Δ, for ties to even and for 18 have an obligation each.
"""

from math import ceil

from snapref_proofs.theorem1 import passed_on, ties_obligations, words  # noqa: F401 - the second registers
from snapref_proofs.theorem1.obligations import CLAIM, name_of, resting
from snapref_proofs.theorem1.passed_on_elsewhere import PAGES
from snapref_proofs.theorem1.statement import REGIMES, Regime
from snapref_smt.engine.statement import Statement
from snapref_smt.engine.stating import STATED, listed, proves

SCOPE = "every conclusion of these lemmas; all values"


def register(regime: Regime) -> None:
    def stated() -> list[Statement]:
        pages = passed_on.passed_on(regime, lambda lemma: listed(STATED[name_of(lemma, regime)]()))
        return [*pages, *words.words(regime)]

    stated.__doc__ = "What each lemma concludes is what the next one starts from: the formulas of passed_on.py."
    id, also, seen = f"theorem.passed_on.{ceil(regime.constant)}", resting(regime), lambda run: passed_on.blind()
    proves(id, claim=CLAIM, scope=SCOPE, decides=False, timeout=600, also=also, beside=seen, count=221)(stated)


for _regime in REGIMES.values():
    register(_regime)


def register_elsewhere(name: str, count: int) -> None:
    def stated() -> list[Statement]:
        pages = ((id, listed(STATED[id]()), page()) for id, page in PAGES[name].items())
        return [statement for one in pages for statement in passed_on.compared(*one)]

    stated.__doc__ = "The same for another chain: the formulas of passed_on_elsewhere.py."
    id = f"theorem.passed_on.{name}"
    proves(id, claim=CLAIM, scope=SCOPE, decides=False, timeout=600, count=count)(stated)


for _name, _count in {"every": 110, "even": 139, "independent": 47}.items():
    register_elsewhere(_name, _count)

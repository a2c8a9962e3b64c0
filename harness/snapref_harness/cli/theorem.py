"""`snapref theorem`: runs the proof of Theorem 1 and prints the graph of lemmas, the constant and the conditions."""

from typing import TYPE_CHECKING, Any

from snapref_harness.cli.numbers import PrecisionOption
from snapref_harness.cli.output import (
    AS_EXPECTED,
    REFUTED,
    UNDECIDED,
    Failure,
    JsonOption,
    QuietOption,
    worst,
    write_json,
)
from snapref_ledger.obligations import Run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

    from snapref_proofs.theorem1.compose import Result
    from snapref_proofs.theorem1.statement import Regime

CODES = {"proved": AS_EXPECTED, "refuted": REFUTED, "undecided": UNDECIDED}
EXAMPLE = "snapref theorem --precision 53"


def theorem(
    precision: PrecisionOption = 53,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> int:
    """Prove the bound on the privacy loss, lemma by lemma.

    The bound is loss ≤ Δ/λ + C·B·η/λ + 2η (Theorem 1 of document 004, corrected). Each lemma is decided for its whole
    range of parameters. The proof is run for every constant C that is proved for P bits: 12, as in the documents, and
    10.984 + 64·B·η/λ where P is large enough; and for 18, which holds for every Δ. This takes minutes. Exit code: 0
    if every lemma is proved, 1 if one is refuted, 3 if one is undecided."""
    from snapref_proofs.theorem1 import compose
    from snapref_proofs.theorem1.statement import EIGHTEEN, REGIMES

    fitting = [regime for regime in REGIMES.values() if precision >= regime.min_precision]
    if not fitting:
        least = min(regime.min_precision for regime in REGIMES.values())
        raise Failure(f"--precision {precision}: nothing is proved below {least} bits")
    silent = quiet or json == "-"
    run, known = Run(timeout=600.0), dict[str, "Result"]()
    runs = {regime: _run(regime, run, known, silent) for regime in fitting}
    every = compose.INDEPENDENT.check(EIGHTEEN, run).status
    if json is not None:
        write_json(_as_json(precision, runs, every), json)
    if not silent:
        _print_summary(runs, every)
    return worst([CODES[every], *(_code(results) for results in runs.values())])


def _run(regime: "Regime", run: Run, known: "dict[str, Result]", silent: bool) -> "list[Result]":
    from snapref_harness.cli.progress import Bar
    from snapref_proofs.theorem1.compose import LEMMAS, prove

    results = []
    if not silent:
        print(f"loss ≤ Δ/λ + {_written(regime)}·B·η/λ + 2η   for p ≥ {regime.min_precision}, B·η/λ ≤ {regime.max_beta}")
    with Bar(len(LEMMAS), quiet=silent) as bar:
        for result in prove(regime, run, known):
            results.append(result)
            for line in () if silent else _lines(result):
                bar.line(line)
            bar.advance()
    if not silent:
        print()
    return results


def _lines(result: "Result") -> "Iterator[Text]":
    from rich.text import Text

    lemma = result.lemma
    line = f"  {result.outcome.status:9} {result.seconds:6.1f} s  {lemma.name:17} {lemma.says}"
    yield Text(line + (f"  ← {', '.join(lemma.uses)}" if lemma.uses else ""))
    if result.outcome.status != "proved":
        yield Text(f"            {result.outcome.detail}")


def _code(results: "list[Result]") -> int:
    from snapref_proofs.theorem1.compose import graph_faults, proved

    if proved(results) and not list(graph_faults()):
        return AS_EXPECTED
    return REFUTED if any(result.outcome.status == "refuted" for result in results) else UNDECIDED


def _exhibited() -> float:
    from snapref_proofs.theorem1.below import constant, worst

    return float(constant(worst())[0])


def _written(regime: "Regime") -> str:
    return f"({regime})" if regime.slope else str(regime)


def _print_summary(runs: "dict[Regime, list[Result]]", every: str) -> None:
    from snapref_proofs.theorem1.compose import TRUSTED
    from snapref_proofs.theorem1.statement import CONDITIONS, EIGHTEEN

    words = {code: word if word == "proved" else word.upper() for word, code in CODES.items()}
    for regime, results in runs.items():
        seconds = sum(result.seconds for result in results)
        print(f"constant {regime}: {words[_code(results)]}, {len(results)} lemmas, {seconds:.1f} s")
    print(f"constant {EIGHTEEN.constant}, for every Δ: {words[CODES[every]]}")
    print(f"exhibited by an exact witness at 53 bits: {_exhibited():.5f}")
    print("\nconditions")
    for name, text in CONDITIONS:
        print(f"  {name}: {text}")
    print("\ntrusted")
    for text in TRUSTED:
        print(f"  {text}")


def _as_json(precision: int, runs: "dict[Regime, list[Result]]", every: str) -> dict[str, Any]:
    from snapref_proofs.theorem1.compose import TRUSTED
    from snapref_proofs.theorem1.statement import CONDITIONS, EIGHTEEN

    return {
        "precision": precision,
        "exhibited": f"{_exhibited():.6f}",
        "theorems": [
            {
                "constant": float(regime.constant) if regime.slope else regime.constant,
                "slope": regime.slope,
                "min_precision": regime.min_precision,
                "max_relative_bound": str(regime.max_beta),
                "proved": _code(results) == AS_EXPECTED,
                "lemmas": [_lemma_json(result) for result in results],
            }
            for regime, results in runs.items()
        ],
        "every_sensitivity": {"constant": EIGHTEEN.constant, "proved": every == "proved"},
        "conditions": [{"name": name, "statement": text} for name, text in CONDITIONS],
        "trusted": list(TRUSTED),
    }


def _lemma_json(result: "Result") -> dict[str, Any]:
    return {
        "name": result.lemma.name,
        "statement": result.lemma.says,
        "scope": result.lemma.scope,
        "kind": result.lemma.kind,
        "uses": list(result.lemma.uses),
        "status": result.outcome.status,
        "detail": result.outcome.detail,
        "seconds": round(result.seconds, 3),
    }

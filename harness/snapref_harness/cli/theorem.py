"""`snapref theorem`: runs the proof of Theorem 1 and prints the graph of lemmas, the constant and the conditions."""

from collections.abc import Iterator, Sequence
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
from snapref_ledger.obligations import Outcome, Run

if TYPE_CHECKING:
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
    range of parameters. The proof is run for every constant C that is proved for P bits: 12, as in the documents;
    10.984 + 64·B·η/λ where P is large enough; and 12.42 + 32·B·η/λ, which holds for every Δ. This takes about ten
    minutes. Exit code: 0 if every lemma is proved, 1 if one is refuted, 3 if one is undecided."""
    from snapref_proofs.theorem1.statement import REGIMES, TWELVE

    fitting = [regime for regime in REGIMES.values() if precision >= regime.min_precision]
    if not fitting:
        least = min(regime.min_precision for regime in REGIMES.values())
        raise Failure(f"--precision {precision}: nothing is proved below {least} bits")
    silent = quiet or json == "-"
    run, known = Run(timeout=600.0), dict[str, "Result"]()
    runs = {regime: _run(regime, run, known, silent) for regime in fitting}
    every = _every_code(runs[TWELVE], _run_every(run, silent))
    if json is not None:
        write_json(_as_json(precision, runs, every), json)
    if not silent:
        _print_summary(runs, every)
    return worst([every, *(_code(results) for results in runs.values())])


def _run(regime: "Regime", run: Run, known: "dict[str, Result]", silent: bool) -> "list[Result]":
    from snapref_harness.cli.progress import Bar
    from snapref_proofs.theorem1.compose import LEMMAS, prove

    results = []
    if not silent:
        print(_statement(regime))
    with Bar(len(LEMMAS), quiet=silent) as bar:
        for result in prove(regime, run, known):
            results.append(result)
            lemma = result.lemma
            for line in () if silent else _lines(lemma.name, lemma.says, result.outcome, result.seconds, lemma.uses):
                bar.line(line)
            bar.advance()
    if not silent:
        print()
    return results


def _run_every(run: Run, silent: bool) -> list[str]:
    """What the bound for every Δ needs beside the lemmas of C = 12: theorem.every*, and what came out."""
    from time import perf_counter

    from snapref_harness.cli.progress import Bar
    from snapref_harness.cli.registry import load_obligations, select
    from snapref_proofs.theorem1.compose import chain
    from snapref_proofs.theorem1.statement import EVERY

    needed, found = select(load_obligations(), chain("theorem.every"), thorough=False), list[str]()
    if not silent:
        print(f"{_statement(EVERY)}, for every Δ")
    with Bar(len(needed), quiet=silent) as bar:
        for obligation in needed:
            start = perf_counter()
            outcome = obligation.run(run)
            found.append(outcome.status)
            name = obligation.id.removeprefix("theorem.")
            for line in () if silent else _lines(name, obligation.summary, outcome, perf_counter() - start):
                bar.line(line)
            bar.advance()
    if not silent:
        print()
    return found


def _lines(name: str, says: str, outcome: "Outcome", seconds: float, uses: Sequence[str] = ()) -> "Iterator[Text]":
    from rich.text import Text

    line = f"  {outcome.status:9} {seconds:6.1f} s  {name:17} {says}"
    yield Text(line + (f"  ← {', '.join(uses)}" if uses else ""))
    if outcome.status != "proved":
        yield Text(f"            {outcome.detail}")


def _code(results: "list[Result]") -> int:
    from snapref_proofs.theorem1.compose import graph_faults, proved

    if proved(results) and not list(graph_faults()):
        return AS_EXPECTED
    return REFUTED if any(result.outcome.status == "refuted" for result in results) else UNDECIDED


def _every_code(twelve: "list[Result]", every: list[str]) -> int:
    """The bound for every Δ rests on the lemmas of C = 12 too."""
    if "refuted" in every:
        return REFUTED
    return _code(twelve) if every and set(every) == {"proved"} else UNDECIDED


def _exhibited() -> float:
    from snapref_proofs.theorem1.below import constant, worst

    return float(constant(worst())[0])


def _statement(regime: "Regime") -> str:
    constant = f"({regime})" if regime.slope else str(regime)
    return f"loss ≤ Δ/λ + {constant}·B·η/λ + 2η   for p ≥ {regime.min_precision}, B·η/λ ≤ {regime.max_beta}"


def _print_summary(runs: "dict[Regime, list[Result]]", every: int) -> None:
    from snapref_proofs.theorem1.compose import TRUSTED
    from snapref_proofs.theorem1.conditions import CONDITIONS
    from snapref_proofs.theorem1.statement import EVERY

    words = {code: word if word == "proved" else word.upper() for word, code in CODES.items()}
    for regime, results in runs.items():
        seconds = sum(result.seconds for result in results)
        print(f"constant {regime}: {words[_code(results)]}, {len(results)} lemmas, {seconds:.1f} s")
    print(f"constant {EVERY}, for every Δ, whatever the condition on it below: {words[every]}")
    print(f"exhibited by an exact witness at 53 bits: {_exhibited():.5f}")
    print("\nconditions")
    for name, text in CONDITIONS:
        print(f"  {name}: {text}")
    print("\ntrusted")
    for text in TRUSTED:
        print(f"  {text}")


def _as_json(precision: int, runs: "dict[Regime, list[Result]]", every: int) -> dict[str, Any]:
    from snapref_proofs.theorem1.compose import TRUSTED
    from snapref_proofs.theorem1.conditions import CONDITIONS
    from snapref_proofs.theorem1.statement import EVERY

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
        "every_sensitivity": {
            "constant": float(EVERY.constant),
            "slope": EVERY.slope,
            "min_precision": EVERY.min_precision,
            "max_relative_bound": str(EVERY.max_beta),
            "proved": every == AS_EXPECTED,
        },
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

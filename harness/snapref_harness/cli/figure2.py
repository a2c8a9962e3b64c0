"""`snapref figure2`: the derivation by the rules of Figure 2, for every case of the output (004 §4), as printed and as
corrected."""

from typing import TYPE_CHECKING, Annotated

import typer

from snapref_harness.cli.numbers import BoundOption, PrecisionOption, number
from snapref_harness.cli.output import (
    AS_EXPECTED,
    REFUTED,
    UNDECIDED,
    Failure,
    JsonOption,
    PlotOption,
    QuietOption,
    complain,
    save_plot,
    worst,
    write_json,
)

if TYPE_CHECKING:
    from fractions import Fraction

    from snapref_proofs.figure2.seven_cases import Case, Question

EXAMPLE = "snapref figure2 --scale 1 --bound 10 --a 3.25 --b 4.25 --case B"
MAX_PRECISION = 256
MOST_PLOTTED = 200  # outputs, a derivation for each


def figure2(
    scale: Annotated[float, typer.Option(parser=number, metavar="L", help="λ, the scale of the noise; ε = 1/λ.")],
    bound: BoundOption,
    a: Annotated[float, typer.Option(parser=number, metavar="X", help="The value f(a).")],
    b: Annotated[float, typer.Option(parser=number, metavar="Y", help="The value f(a'), at most 1 from f(a).")],
    case: Annotated[
        str | None, typer.Option(metavar="C", help="One case only: A, B, C, CE, D, E, F or G.", case_sensitive=False)
    ] = None,
    printed: Annotated[bool, typer.Option("--printed", help="Only the derivation as the document prints it.")] = False,
    corrected: Annotated[bool, typer.Option("--corrected", help="Only the derivation as it should be.")] = False,
    precision: PrecisionOption = 53,
    plot: PlotOption = None,
    json: JsonOption = None,
    quiet: QuietOption = False,
) -> int:
    """Derive a bound on the privacy loss by the rules of Figure 2 of document 004.

    The derivation is shown rule by rule, with numbers, for two values f(a) ≤ f(a') and for each case of the output x.
    [v] is v rounded to a multiple of Λ. The cases are A: x = -B. B: x below [f(a)]. C: x = [f(a)]. D: x between [f(a)]
    and [f(a')]. E: x = [f(a')]. F: x above [f(a')]. G: x = B. CE: x = [f(a)] = [f(a')].

    Exit code: 0 if the derivation shows that the ratio of the probabilities is at most exp(ε + 12Bεη + 2η) at every
    output that was examined; 1 if it does not (the loss itself may still be small enough: see snapref loss); 3 if
    undecided. The corrected derivation counts, unless --printed asks for the printed one. That one also fails where its
    sets or their ends are wrong."""
    from snapref_harness.cli.figure2_report import derive, print_report

    question = _question(scale, bound, a, b, precision)
    if plot is not None and 2 * question.parameters.last + 1 > MOST_PLOTTED:
        raise Failure(f"--plot draws up to {MOST_PLOTTED} outputs: take a smaller --bound or a larger --scale")
    report = derive(question, _selected(case), printed or not corrected, corrected or not printed)
    if not report["cases"]:
        raise Failure(f"there is no output of case {case} for these values")
    if json is not None:
        write_json(report, json)
    verdicts = [found["holds"] for entry in report["cases"] for found in _deciding(entry, printed, corrected)]
    code = worst(AS_EXPECTED if v else UNDECIDED if v is None else REFUTED for v in verdicts)
    if plot is not None:
        from snapref_harness.report.figures.loss_by_output import picture

        save_plot(picture(question), plot)
    if json != "-" and not (quiet and code == AS_EXPECTED):
        print_report(report)
    return code


def _deciding(entry: dict[str, dict[str, object] | None], printed: bool, corrected: bool) -> list[dict[str, object]]:
    """The derivations that decide the exit code: the corrected one, unless only the printed one is asked for."""
    names = [name for name, asked in (("printed", printed), ("corrected", corrected or not printed)) if asked]
    return [found for name in names if (found := entry[name]) is not None]


def _selected(case: str | None) -> "tuple[Case, ...]":
    from snapref_proofs.figure2.seven_cases import CASES

    if case is None:
        return CASES
    found = tuple(known for known in CASES if known == case.upper())
    if not found:
        raise Failure(f"--case {case} is not a case: A, B, C, CE, D, E, F or G")
    return found


def _question(scale: float, bound: float, a: float, b: float, precision: int) -> "Question":
    from snapref.budget import show
    from snapref_proofs.evaluate.parameters import Parameters
    from snapref_proofs.figure2.seven_cases import Question

    if not 2 <= precision <= MAX_PRECISION:
        raise Failure(f"--precision {precision} is out of range: 2 to {MAX_PRECISION} bits")
    exact_scale, exact_bound = (_held(name, x, precision) for name, x in (("scale", scale), ("bound", bound)))
    if exact_scale <= 0 or exact_bound <= 0:
        raise Failure("--scale and --bound must be positive")
    if exact_bound > exact_scale * 2**16:
        raise Failure(
            f"B/λ = {show(exact_bound / exact_scale)} is more than 2^16: the far outputs have probabilities "
            "too small to write out; take a smaller --bound or a larger --scale"
        )
    values = sorted(_clamped(name, x, exact_bound, precision) for name, x in (("a", a), ("b", b)))
    if values[1] - values[0] > 1:
        raise Failure(
            f"|a - b| = {show(values[1] - values[0])} is more than 1: Theorem 1 is about values at most 1 apart"
        )
    if a > b:
        complain("note: a > b, so the two values were exchanged: f(a) is the smaller one")
    return Question(Parameters(exact_scale, exact_bound, precision), values[0], values[1])


def _held(name: str, value: float, precision: int) -> "Fraction":
    """The number as a fraction. An error unless it is finite and `precision` bits hold it."""
    from fractions import Fraction
    from math import isfinite

    from snapref_proofs.evaluate.dyadics import from_fraction, is_held

    if not isfinite(value):
        raise Failure(f"--{name} must be a finite number, not {value}")
    if not is_held(from_fraction(value), precision):
        raise Failure(f"--{name} {value} must be a number that {precision} bits hold exactly")
    return Fraction(value)


def _clamped(name: str, value: float, bound: "Fraction", precision: int) -> "Fraction":
    """The value in [-B, B], with a warning where it was outside."""
    from fractions import Fraction
    from math import isinf

    exact = (bound if value > 0 else -bound) if isinf(value) else _held(name, value, precision)
    inside: Fraction = max(-bound, min(bound, exact))
    if isinf(value) or inside != exact:
        complain(f"warning: --{name} {value} is outside [-B, B] and was clamped to {float(inside)}")
    return inside

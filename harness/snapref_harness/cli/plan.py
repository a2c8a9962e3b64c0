"""`snapref plan`: the parameters of a release: B from the bounds of the data, and ε from a wanted accuracy (001/002
§6.1)."""

from typing import TYPE_CHECKING, Annotated

import typer

from snapref_harness.cli.numbers import BoundOption, PrecisionOption, SensitivityOption, number, whole_number
from snapref_harness.cli.output import (
    AS_EXPECTED,
    Failure,
    JsonOption,
    PlotOption,
    SilentOption,
    print_fields,
    save_plot,
    write_json,
)
from snapref_harness.cli.snap import command
from snapref_harness.numbers import rounded_up

if TYPE_CHECKING:
    from snapref_proofs.accuracy.planning import BoundPlan, EpsilonPlan

HELP = "Choose parameters: B from bounds of the data, ε for a wanted accuracy."
EXAMPLE = "snapref plan bound --query mean --lower 0 --upper 100 --size 1000"
EPSILON_EXAMPLE = "snapref plan epsilon --accuracy 10 --alpha 0.05 --bound 1000"


def bound(
    query: Annotated[str, typer.Option(metavar="QUERY", help="count, cell (of a histogram), sum, mean or variance.")],
    size: Annotated[
        int,
        typer.Option(
            parser=whole_number,
            metavar="N",
            help="How many records: exactly N with replace-one; with add-remove at most N for count, cell and sum, at "
            "least N for mean and variance.",
        ),
    ],
    lower: Annotated[
        float | None, typer.Option(parser=number, metavar="L", help="No record is smaller (not for count and cell).")
    ] = None,
    upper: Annotated[float | None, typer.Option(parser=number, metavar="U", help="No record is larger.")] = None,
    adjacency: Annotated[
        str, typer.Option(metavar="KIND", help="What one person can do: add-remove or replace-one record.")
    ] = "add-remove",
    json: JsonOption = None,
    quiet: SilentOption = False,
) -> int:
    """Compute the bound B and the sensitivity from bounds of the data.

    B is the smallest double such that no value of the query f lies outside [-B, B]. The sensitivity covers every pair
    of neighbouring data sets, with room for f to be rounded to a double. Both are computed exactly and rounded up."""
    from snapref_proofs.accuracy.planning import QUERIES, plan_bound

    missing = [f"--{name}" for name, value in (("lower", lower), ("upper", upper)) if value is None]
    counts = query in QUERIES and QUERIES[query].whole
    if counts and len(missing) < 2:
        raise Failure(f"--lower and --upper say nothing about a {query}: leave them out")
    if query in QUERIES and not counts and missing:
        raise Failure(f"missing {', '.join(missing)}: a {query} needs the bounds of the records")
    low, high = (0.0 if lower is None else lower), (1.0 if upper is None else upper)
    plan = plan_bound(query, size, low, high, adjacency)  # type: ignore[arg-type]  # it refuses any other word
    if json is not None:
        write_json(_bound_json(plan), json)
    if json != "-" and not quiet:
        print_fields(_bound_lines(plan))
    return AS_EXPECTED


def epsilon(
    accuracy: Annotated[float, typer.Option(parser=number, metavar="A", help="The error that is acceptable.")],
    alpha: Annotated[
        float,
        typer.Option(parser=number, metavar="AL", help="The probability with which it may be exceeded, up to 0.5."),
    ],
    bound: BoundOption,
    sensitivity: SensitivityOption = 1.0,
    precision: PrecisionOption = 53,
    plot: PlotOption = None,
    json: JsonOption = None,
    quiet: SilentOption = False,
) -> int:
    """Find the smallest ε that is accurate enough.

    With this ε a release is within A of the value with probability at least 1 - AL, for every value in [-B, B]. This
    follows from an error bound that is proved for the floating-point program. For that bound, the next smaller double
    is too small an ε."""
    from snapref_proofs.accuracy.planning import plan_epsilon

    plan = plan_epsilon(accuracy, alpha, bound, sensitivity, precision)
    if json is not None:
        write_json(_epsilon_json(plan), json)
    if plot is not None:
        from snapref_harness.report.figures.error_by_epsilon import draw

        save_plot(draw(plan.certificate.budget, plan.alpha, plan.accuracy), plot)
    if json != "-" and not quiet:
        print_fields(_epsilon_lines(plan))
    return AS_EXPECTED


def _bound_json(plan: "BoundPlan") -> dict[str, object]:
    data = plan.data
    return {
        "query": plan.query,
        "adjacency": data.adjacency,
        "size": data.size,
        "lower": float(data.lower).hex(),
        "upper": float(data.upper).hex(),
        "bound": plan.bound.hex(),
        "sensitivity": plan.sensitivity.hex(),
        "largest": _fraction(plan.largest.numerator, plan.largest.denominator),
        "largest_change": _fraction(plan.change.numerator, plan.change.denominator),
        "assumes": list(plan.assumes),
    }


def _bound_lines(plan: "BoundPlan") -> list[tuple[str, str]]:
    extra = "" if plan.sensitivity == 1 else f" --sensitivity {plan.sensitivity!r}"
    return [
        ("bound B", f"{plan.bound!r} ({plan.bound.hex()})"),
        ("sensitivity Δ", f"{plan.sensitivity!r} ({plan.sensitivity.hex()})"),
        ("largest |f|", f"at most {rounded_up(plan.largest)}"),
        ("largest |f - f'|", f"at most {rounded_up(plan.change)}"),
        *(("assumes", text) for text in plan.assumes),
        ("then, for ε", f"snapref plan epsilon --accuracy A --alpha 0.05 --bound {plan.bound!r}{extra}"),
        ("or release", command("E", plan.bound, plan.sensitivity)),
    ]


def _epsilon_json(plan: "EpsilonPlan") -> dict[str, object]:
    from snapref.certificate import hexadecimal

    budget = plan.certificate.budget
    return {
        "epsilon": hexadecimal(budget.epsilon),
        "accuracy": hexadecimal(plan.accuracy),
        "alpha": hexadecimal(plan.alpha),
        "bound": hexadecimal(budget.bound),
        "sensitivity": hexadecimal(budget.sensitivity),
        "precision": budget.precision,
        "scale": hexadecimal(budget.scale),
        "lattice": hexadecimal(plan.certificate.lattice),
        "exceeded": hexadecimal(plan.exceeded),
    }


def _epsilon_lines(plan: "EpsilonPlan") -> list[tuple[str, str]]:
    from snapref.budget import show
    from snapref.certificate import exact_text

    budget = plan.certificate.budget
    return [
        ("epsilon ε", exact_text(budget.epsilon)),
        ("scale λ", exact_text(budget.scale)),
        ("lattice Λ", show(plan.certificate.lattice)),
        ("P(error > A)", f"at most {rounded_up(plan.exceeded)}, for every value in [-B, B]"),
        ("release", command(plan.epsilon, float(budget.bound), float(budget.sensitivity), budget.precision)),
    ]


def _fraction(numerator: int, denominator: int) -> str:
    return f"{numerator}/{denominator}"

"""The page put together: one file of HTML with its style, script, pictures and data inside."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import resources
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from snapref_harness.report import evidence, trust
from snapref_harness.report.figure import Figure
from snapref_harness.report.figures import (
    accuracy,
    constant,
    field,
    lemma_graph,
    loss_by_output,
    production,
    small_formats,
    staircase,
)
from snapref_harness.report.found import found
from snapref_harness.report.maths import formula
from snapref_harness.report.provenance import Provenance
from snapref_ledger import errata, grounds
from snapref_ledger.ledger import Entry, Piece
from snapref_ledger.obligations import Kind, Obligation
from snapref_ledger.verdicts import Verdict
from snapref_proofs.theorem1 import compose, statement
from snapref_proofs.theorem1.conditions import CONDITIONS

# The figures that need no ledger, in the order of the page.
DRAWN: dict[str, Callable[[], Sequence[Figure]]] = {
    "privacy loss by output": lambda: [loss_by_output.figure()],
    "the rounding staircase": lambda: [staircase.figure()],
    "error and accuracy": lambda: [accuracy.figure()],
    "small formats": lambda: [small_formats.figure()],
    "the constant": lambda: [constant.figure()],
    "public implementations": lambda: [field.figure(field.results())],
    "production libraries": lambda: [draw(production.results()) for draw in (production.checks, production.losses)],
}


def render(
    entries: Sequence[Entry], figures: Sequence[Figure], provenance: Provenance, checkout: str | None = None
) -> str:
    """The whole page. `checkout` is where the page finds the notes and the source, if they are there."""
    verdict = _verdict(entries, lemma_graph.CLAIM)
    pieces = evidence.by_id(entries)
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            entries=entries,
            checkout=checkout,
            source=partial(_source, checkout),
            found=found(entries),
            summary=evidence.summarise(entries),
            documents=evidence.DOCUMENTS,
            meaning=evidence.MEANING,
            kinds=_kinds(pieces),
            theorem=lemma_graph.CLAIM,
            theorem_verdict=verdict,
            lemmas=lemma_graph.figure(pieces, verdict),
            sampled=_sampled(pieces),
            figures=figures,
            errata=_errata(entries),
            errata_file="data:text/markdown;charset=utf-8," + quote(errata.errata(entries)),
            provenance=provenance,
            constants=[f"{float(regime.constant):.6g}" for regime in statement.PROVED],
            conditions=CONDITIONS,
            lemmas_trust=compose.TRUSTED,
            grounds=grounds.counted(piece.result for piece in pieces.values() if piece.result),
            trust=trust,
            style=_file("style.css"),
            script=_file("script.js"),
            play=_file("play.js").replace('"use strict";\n', ""),
        )
    )


def _environment() -> Environment:
    """The template engine. It escapes all text that is not markup already, and an unknown name is an error."""
    engine = Environment(
        loader=PackageLoader("snapref_harness.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    engine.filters["formula"] = formula
    engine.globals.update(
        state=evidence.state,
        engines=evidence.engines,
        kinds_of=evidence.kinds,
        documents_of=evidence.documents,
        waiting=evidence.waiting,
    )
    return engine


def _file(name: str) -> Markup:
    """A file of this package, not escaped. The file is ours, and contains no closing tag of a style or script."""
    return Markup((resources.files("snapref_harness.report") / name).read_text(encoding="utf-8"))


def _source(checkout: str | None, obligation: Obligation) -> str | None:
    """The address of the file that states an obligation."""
    file = getattr(sys.modules.get(obligation.module), "__file__", None)
    root = Path(__file__).parents[3]
    if checkout is None or file is None or not Path(file).is_relative_to(root):
        return None
    return f"{checkout}/{Path(file).relative_to(root).as_posix()}"


def _verdict(entries: Sequence[Entry], id: str) -> Verdict:
    return next((entry.verdict for entry in entries if entry.claim.id == id), "open")


def _kinds(pieces: Mapping[str, Piece]) -> list[Kind]:
    return sorted({piece.obligation.kind for piece in pieces.values()})


def _sampled(pieces: Mapping[str, Piece]) -> list[Piece]:
    return [piece for piece in pieces.values() if piece.obligation.kind == "sampled"]


def _errata(entries: Sequence[Entry]) -> list[tuple[str, str, list[Entry]]]:
    """Verdict, title and claims: what does not hold as printed."""
    groups = [(v, title, [e for e in entries if e.verdict == v]) for v, title in errata.TITLES.items()]
    return [group for group in groups if group[2]]

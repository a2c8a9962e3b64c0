"""How `snapref verify` shows its results: a line for each, a progress bar on a terminal, and failures at the end."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Self

from rich.text import Text

from snapref_harness.cli.output import AS_EXPECTED, REFUTED, TROUBLE, UNDECIDED, console, worst
from snapref_harness.cli.progress import Bar
from snapref_ledger.obligations import Obligation
from snapref_ledger.runner import Result

WORDS = {AS_EXPECTED: "passed", REFUTED: "failed", UNDECIDED: "undecided", TROUBLE: "error"}
STYLES = {AS_EXPECTED: "green", REFUTED: "bold red", UNDECIDED: "bold yellow", TROUBLE: "bold red"}
TIME = 8  # columns of a time, such as 1234.5 s
LONGER = 5  # about how many times as long as the others take the obligations that have a time limit of their own


def code_of(result: Result) -> int:
    if result.passed:
        return AS_EXPECTED
    return {"proved": REFUTED, "refuted": REFUTED, "undecided": UNDECIDED}.get(result.outcome.status, TROUBLE)


def exit_code(results: Sequence[Result]) -> int:
    return worst(code_of(result) for result in results)


def as_json(results: Sequence[Result], seconds: float) -> dict[str, Any]:
    rows = [
        {
            "id": result.obligation.id,
            "claim": result.obligation.claim,
            "kind": result.obligation.kind,
            "expected": result.obligation.expected,
            "status": result.outcome.status,
            "scope": result.obligation.scope,
            "engines": result.outcome.engines,
            "solvers": result.outcome.engines,  # the same, by the name that scripts know
            "seconds": round(result.seconds, 3),
        }
        for result in sorted(results, key=lambda result: result.obligation.id)
    ]
    counts = Counter(WORDS[code_of(result)] for result in results)
    summary = {
        "total": len(results),
        **{word: counts[word] for word in WORDS.values()},
        "cached": sum(result.cached for result in results),
        "seconds": round(seconds, 3),
    }
    return {"obligations": rows, "summary": summary}


def summary_line(results: Sequence[Result], seconds: float, kept: bool = True, left: int = 0) -> str:
    """The last line. `kept`: the results are in the cache, so a second run goes on from here. `left`: so many were left
    out after the first that did not come out as expected."""
    counts = Counter(code_of(result) for result in results)
    parts = [f"{counts[code]} {WORDS[code]}" for code in (AS_EXPECTED, REFUTED, UNDECIDED)]
    if counts[TROUBLE]:
        parts.append(f"{counts[TROUBLE]} error{'s' if counts[TROUBLE] > 1 else ''}")
    cached = sum(result.cached for result in results)
    unfinished = sum(result.interrupted for result in results)
    line = f"{', '.join(parts)} in {seconds:.1f} s" + (f" ({cached} from the cache)" if cached else "")
    if unfinished:
        line += f"; interrupted with {unfinished} not finished"
        line += ": the same command goes on from here" if kept else ""
    if left:
        line += f"; stopped there, with {left} not run"
    return line


class Report:
    """Shows results to a person. `to_stdout` is false where standard output is needed for JSON or XML; then only
    failures are shown, on standard error."""

    def __init__(
        self,
        obligations: Sequence[Obligation],
        *,
        quiet: bool,
        to_stdout: bool,
        kept: bool = True,
        progress: bool = False,
    ) -> None:
        self.kept, self.total = kept, len(obligations)
        self.lines = to_stdout and not quiet
        self.out = console(stderr=not to_stdout)
        self.id_width = max((len(o.id) for o in obligations), default=0)
        self.claim_width = max((len(o.claim) for o in obligations), default=0)
        self.narrow = self.out.width < 9 + 2 + self.id_width + 2 + self.claim_width + 2 + 9 + 2 + TIME
        self.counts: Counter[int] = Counter()
        self.bar = Bar(sum(map(_work, obligations)), quiet=quiet, counted=len(obligations), lines=progress)

    def __enter__(self) -> Self:
        self.bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.__exit__()

    def add(self, result: Result) -> None:
        if result.interrupted:  # said once, in the summary
            return
        self.counts[code_of(result)] += 1
        if self.lines:
            self.bar.line(self._line(result), self.out)
        counts = " ".join(f"{self.counts[code]} {word}" for code, word in WORDS.items() if self.counts[code])
        self.bar.advance(_work(result.obligation), counts, known=result.cached)

    def _line(self, result: Result) -> Text:
        code, obligation = code_of(result), result.obligation
        line = Text(f"{WORDS[code]:9}", style=STYLES[code])
        if self.narrow:  # what matters: how it came out, which one it was, and how long it took
            room = max(self.out.width - 9 - 2 - 2 - TIME, 1)
            id = obligation.id if len(obligation.id) <= room else obligation.id[: room - 1] + "…"
            line.append(f"  {id:{min(self.id_width, room)}}  {_whole(result):>{TIME}}", style="not bold default")
            return line
        line.append(
            f"  {obligation.id:{self.id_width}}  {obligation.claim:{self.claim_width}}", style="not bold default"
        )
        line.append(f"  {result.outcome.status:9}  {_timing(result)}", style="not bold default")
        return line

    def finish(self, results: Sequence[Result], seconds: float) -> None:
        """Everything that did not come out as expected, in full, then the summary."""
        for result in results:
            if not result.passed and not result.interrupted:
                self._failure(result)
        if self.lines and results:
            line = summary_line(results, seconds, self.kept, self.total - len(results))
            self.out.print(Text(line, style=STYLES[exit_code(results)]), soft_wrap=True)

    def _failure(self, result: Result) -> None:
        code, o = code_of(result), result.obligation
        self.out.print()
        self.out.print(Text(f"{WORDS[code].upper()} {o.id}", style=STYLES[code]), soft_wrap=True)
        rows = [
            ("claim", o.claim),
            ("checks", o.summary),
            ("scope", o.scope),
            ("expected", f"{o.expected}, got {result.outcome.status}"),
            ("detail", result.outcome.detail),
            ("witness", result.outcome.witness),
        ]
        for label, text in rows:
            for index, line in enumerate(text.splitlines()):
                self.out.print(Text(f"  {label if index == 0 else '':9} {line}"), soft_wrap=True)
        self.out.print()


def _timing(result: Result) -> str:
    """The time in all, or "cached"; and the time of each engine, as far as it is known."""
    times = [
        f"{name} {answer['seconds']:.1f} s"
        for name, answer in result.outcome.engines.items()
        if isinstance(answer, dict) and isinstance(answer.get("seconds"), int | float)
    ]
    return f"{_whole(result)} ({', '.join(times)})" if times else _whole(result)


def _whole(result: Result) -> str:
    return "cached" if result.cached else f"{result.seconds:.1f} s"


def _work(obligation: Obligation) -> int:
    """How much work it is, roughly; only for the estimate of the time left."""
    return 1 if obligation.timeout is None else LONGER

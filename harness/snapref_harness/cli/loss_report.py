"""What `snapref loss` writes: JSON, one output after the other as they are computed, and a table for people."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import gmpy2

from snapref.arithmetic import Dyadic
from snapref.budget import eta, loss_bound, show
from snapref.certificate import hexadecimal
from snapref_harness.cli.output import UNLIMITED, Failure, console
from snapref_harness.cli.progress import Bar
from snapref_harness.cli.streams import writer
from snapref_proofs.evaluate.distribution import output
from snapref_proofs.evaluate.dyadics import to_fraction
from snapref_proofs.evaluate.loss import Entry, Loss, case, decimal_text, entries, entry_at
from snapref_proofs.evaluate.parameters import Parameters

STEP = 5000  # outputs from one sign of progress to the next
WIDE = 110  # columns that the whole table needs
DISPENSABLE = ("", "outputs", "(loss - ε)/η", "worst x")  # left out on a narrow terminal, one after the other
CASES = {
    "A": "x = -B",
    "B": "-B < x < [a]",
    "C": "x = [a]",
    "CE": "x = [a] = [b]",
    "D": "[a] < x < [b]",
    "E": "x = [b]",
    "F": "[b] < x < B",
    "G": "x = B",
}


@dataclass(frozen=True)
class Request:
    """What is asked: two values, the parameters of the mechanism, and the sensitivity."""

    parameters: Parameters
    a: Dyadic
    b: Dyadic
    sensitivity: Fraction
    output: int | None  # the number of the one output that is asked for, or None for all

    def entries(self) -> Iterator[Entry]:
        if self.output is None:
            return entries(self.parameters, self.a, self.b)
        entry = entry_at(self.parameters, self.output, self.a, self.b)
        return iter([entry] if entry.a.significand or entry.b.significand else [])


class Judge:
    """Decides whether losses are within the bound. Each answer is rigorous. Most are quick: a loss below one that is
    known to be within the bound is within it as well."""

    def __init__(self, bound: Fraction) -> None:
        self.bound = bound
        self.within = Loss(1, 1)  # the largest loss that is known to hold
        self.worst = Loss(1, 1)

    def holds(self, loss: Loss) -> bool:
        if loss.above(self.worst):
            self.worst = loss
        if not loss.above(self.within):
            return True
        if loss.exceeds(self.bound):
            return False
        self.within = loss
        return True

    @property
    def all_hold(self) -> bool:
        return not self.worst.above(self.within)


def check_json_size(request: Request, limit: int) -> None:
    """Refuses JSON that would be too large. The exact fractions of unlikely outputs are long: every λ of distance adds
    1.44 bits to the denominator."""
    m, grid = request.parameters, request.parameters.law
    outputs = 2 * m.last + 1 if request.output is None else 1
    reach = 2 * m.last * m.lattice / m.scale
    far = int(reach * 1443 // 1000)
    bits = grid.precision + (far if grid.smallest is None else min(far, -grid.smallest))
    size = outputs * (400 + bits * 2 * 302 // 1000)
    if size > limit:
        text = str(size) if size < 10**15 else f"2^{size.bit_length()}"
        raise Failure(
            f"the exact fractions of {outputs if outputs < 10**15 else 'all'} outputs would take up to {text} bytes "
            f"of JSON, more than {limit}: take a smaller B/λ or --uniform binary64, or leave --json out"
        )


class Summary:
    """What the table needs of all outputs: how many there are of each case, and which of them is the worst."""

    def __init__(self, request: Request, quiet: bool) -> None:
        m = request.parameters
        self.request, self.quiet = request, quiet
        self.bound = loss_bound(m.scale, m.bound, request.sensitivity, m.precision)
        self.judge = Judge(self.bound)
        self.counts: dict[str, int] = {}
        self.worst: dict[str, Entry] = {}
        self.broken = 0

    def rows(self) -> Iterator[tuple[Entry, Loss, str, bool]]:
        """Every possible output with its loss, its case, and whether the bound holds there. Counts them on the way."""
        q, left = self.request, STEP
        total = 2 * q.parameters.last + 1
        with Bar(total, quiet=self.quiet or total <= STEP) as bar:
            for entry in q.entries():
                loss, letters = entry.loss, case(q.parameters, entry.k, q.a, q.b)
                holds = self.judge.holds(loss)
                self.counts[letters] = self.counts.get(letters, 0) + 1
                self.broken += not holds
                if letters not in self.worst or loss.above(self.worst[letters].loss):
                    self.worst[letters] = entry
                yield entry, loss, letters, holds
                left -= 1
                if left == 0:
                    bar.advance(STEP, pieces=STEP)
                    left = STEP


def summarise(request: Request, quiet: bool) -> Summary:
    """The summary of all outputs, without JSON."""
    summary = Summary(request, quiet)
    for _ in summary.rows():
        pass
    return summary


def write_report(request: Request, target: str, quiet: bool) -> Summary:
    """The JSON, written as it is computed, and the summary."""
    summary = Summary(request, quiet)
    bound_text = decimal_text(summary.bound)
    with writer(target) as stream:
        head = json.dumps(_head(request), indent=2, ensure_ascii=False)
        stream.write(head.removesuffix("\n}") + ',\n  "outputs": [')
        separator = "\n    "
        for entry, loss, letters, holds in summary.rows():
            row = {
                "x": hexadecimal(to_fraction(output(request.parameters, entry.k))),
                "case": letters,
                "probability_a": fraction_text(entry.a),
                "probability_b": fraction_text(entry.b),
                "loss": loss.text(),
                "loss_bound": bound_text,
                "holds": holds,
            }
            stream.write(separator + json.dumps(row))
            separator = ",\n    "
        stream.write(f'\n  ],\n  "max_loss": "{summary.judge.worst.text()}",\n')
        stream.write(f'  "holds": {json.dumps(summary.judge.all_hold)}\n}}\n')
    return summary


def _head(request: Request) -> dict[str, object]:
    m = request.parameters
    return {
        "scale": hexadecimal(m.scale),
        "bound": hexadecimal(m.bound),
        "lattice": hexadecimal(m.lattice),
        "sensitivity": hexadecimal(request.sensitivity),
        "precision": m.precision,
        "uniform": m.uniform,
        "a": hexadecimal(to_fraction(request.a)),
        "b": hexadecimal(to_fraction(request.b)),
    }


def fraction_text(p: Dyadic) -> str:
    """n/d in lowest terms, however long. (Python itself does not print ints of more than 4300 digits.)"""
    n, e = gmpy2.mpz(p.significand), p.exponent
    if n == 0:
        return "0/1"
    zeros = gmpy2.bit_scan1(n)
    n, e = n >> zeros, e + zeros
    return f"{(n << e).digits()}/1" if e >= 0 else f"{n.digits()}/{(gmpy2.mpz(1) << -e).digits()}"


def print_summary(summary: Summary) -> None:
    """The table: the worst output of each case, against the bound."""
    from rich import box
    from rich.table import Table

    request, judge, counts = summary.request, summary.judge, summary.counts
    m, h = request.parameters, eta(request.parameters.precision)
    epsilon = request.sensitivity / m.scale
    out = console()
    out.print(
        f"λ = {show(m.scale)}   Λ = 2^{m.lattice_exponent}   B = {show(m.bound)}   "
        f"Δ = {show(request.sensitivity)}   p = {m.precision}   U* {m.uniform}"
    )
    out.print(
        f"a = {_number(request.a)}   b = {_number(request.b)}   ε = Δ/λ = {show(epsilon)}   η = 2^-{m.precision}\n"
    )
    narrow = out.width < WIDE  # then the probabilities are left out
    rows = []
    for letters in (c for c in CASES if c in counts):
        entry = summary.worst[letters]
        row = {
            "case": letters,
            "": CASES[letters],
            "outputs": str(counts[letters]),
            "worst x": _number(output(m, entry.k)),
            "P(x|a)": _probability(entry.a),
            "P(x|b)": _probability(entry.b),
            "loss": entry.loss.text(17 if narrow else 20),
            "(loss - ε)/η": f"{entry.loss.in_units(epsilon, h):.5g}",
            "holds": "yes" if judge.holds(entry.loss) else "NO",
        }
        rows.append(row)
    left_out = ["P(x|a)", "P(x|b)"] if narrow else []
    for column in (None, *DISPENSABLE):  # until what is left fits
        left_out += [column] if column is not None else []
        shown = [name for name in rows[0] if name not in left_out]
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1 if narrow else 2, 0, 0))
        for name in shown:
            table.add_column(name, justify="left" if name in ("case", "") else "right", no_wrap=True)
        for row in rows:
            table.add_row(*(row[name] for name in shown))
        if not narrow or out.measure(table, options=out.options.update(max_width=UNLIMITED)).maximum <= out.width:
            break
    out.print(table)
    total, one = sum(counts.values()), request.output is not None
    excess = "" if judge.worst.infinite else f"= ε + {judge.worst.in_units(epsilon, h):.6g} η"
    _print_number(out.width, "largest loss", judge.worst.text(), excess)
    _print_number(out.width, "loss bound", decimal_text(summary.bound), "= ε + 12·B·ε·η/Δ + 2η")
    if judge.all_hold:
        where = "the one output that was asked for" if one else f"every one of the {total} possible outputs"
        out.print(f"the bound holds at {where}")
    else:
        where = "the one output that was asked for" if one else f"{summary.broken} of the {total} possible outputs"
        out.print(f"the bound does NOT hold at {where}")


def _print_number(width: int, label: str, value: str, meaning: str) -> None:
    """Prints a label, a number and its meaning in one line, or in two or three where the terminal is narrow. The number
    is never broken."""
    line = f"{label:14}{value}"
    if len(line) > width:
        print(label)
        line = f"  {value}"
    between = "  " if len(line) + 2 + len(meaning) <= width else "\n  "
    print(f"{line}{between}{meaning}".rstrip())


def _number(x: Dyadic) -> str:
    value = to_fraction(x)
    return f"-{show(-value)}" if value < 0 else show(value)


def _probability(p: Dyadic) -> str:
    n, e = p
    if n == 0:
        return "0"
    size = n.bit_length() + e
    if size > -1000:
        return f"{float(to_fraction(p)):.6g}"
    keep = Fraction(n, 1 << n.bit_length())
    return f"{float(keep):.6f}·2^{size}"

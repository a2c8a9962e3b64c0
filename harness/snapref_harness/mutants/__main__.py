"""`python -m snapref_harness.mutants`: puts mutants before the obligations, and says what became of each.

Exit code: 0 every mutant is killed, equivalent, stronger or listed; 1 one survives that is not listed, or a listed one
does not survive any more; 2 wrong usage, or an obligation does not pass before anything is changed; 3 after Ctrl-C, or
where mutants were put off.
"""

import argparse
import math
import signal
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from snapref_harness.cli.output import (
    AS_EXPECTED,
    REFUTED,
    TROUBLE,
    UNDECIDED,
    Failure,
    check_target,
    complain,
    processes,
    write_json,
)
from snapref_harness.cli.progress import Bar
from snapref_harness.cli.registry import default_run, load_obligations, select
from snapref_harness.mutants import quick, survivors
from snapref_harness.mutants.campaign import Campaign, Fate, all_mutants, targets
from snapref_harness.mutants.source import Mutant
from snapref_harness.mutants.summary import Verdict, as_json, counted, table

ROOT = Path(__file__).resolve().parents[3]


def main(arguments: Sequence[str] | None = None, root: Path = ROOT, mutated: Sequence[Path] = ()) -> int:
    """Runs the campaign. `mutated`: the files to change, by default all that `targets` names."""
    options = _parser().parse_args(arguments)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # no process is left, however the run ends
    try:
        check_target(options.json)
        return _run(options, root, list(mutated) or targets(root))
    except (Failure, survivors.Unreadable) as error:
        complain(str(error))
        return TROUBLE
    except KeyboardInterrupt:
        complain("interrupted: the same command goes on from here")
        return UNDECIDED
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(options: argparse.Namespace, root: Path, every: Sequence[Path]) -> int:
    files = [path for path in every if not options.files or any(part in str(path) for part in options.files)]
    if not files:
        raise Failure(f"no file that is mutated matches {' or '.join(options.files)}")
    jobs, entries = processes(options.jobs), survivors.read(Path(options.survivors))
    mutants = there_are = all_mutants(root, files)
    obligations = select(load_obligations(), options.ask, thorough=False)
    must = quick.read(Path(options.selection)) if options.quick else {}
    if options.quick:
        mutants = [mutant for mutant in mutants if mutant.key in must]
        needed = {must[mutant.key] for mutant in mutants}
        if unknown := sorted(needed - {obligation.id for obligation in obligations}):
            raise Failure(f"{Path(options.selection).name} names {unknown[0]}, and there is no such obligation")
        obligations = [obligation for obligation in obligations if obligation.id in needed]
    if options.per_file:
        mutants = quick.chosen(mutants, options.per_file)

    campaign = Campaign(root, obligations, default_run(), complain)
    campaign.must = must
    campaign.patience = options.patience
    wrong = campaign.learn_times(jobs) if options.quick else campaign.learn_footprints(jobs, every)
    if wrong:
        raise Failure(f"before anything is changed, {wrong[0]}")

    out = sys.stderr if options.json == "-" else sys.stdout
    spared = [entry for entry in entries if entry.every or not (options.listed or options.quick)]
    verdicts = [Verdict(mutant, "listed", "", reason) for mutant in mutants if (reason := _listed(mutant, spared))]
    tried = [mutant for mutant in mutants if not _listed(mutant, spared)]
    left = Counter(mutant.file for mutant in tried)
    with ExitStack() as at_end, Bar(len(tried)) as bar, closing(campaign.fates(tried, jobs)) as fates:
        if options.learn:
            at_end.callback(campaign.order.write, there_are)  # also after Ctrl-C
        for mutant, fate in fates:
            verdict = _verdict(mutant, fate, entries)
            verdicts.append(verdict)
            bar.advance(note=mutant.file)
            if verdict.fate == "survived" or options.verbose:
                print(verdict, file=out, flush=True)
            left[mutant.file] -= 1
            if not left[mutant.file]:
                text = counted(v for v in verdicts if v.mutant.file == mutant.file)
                print(f"{mutant.file}: {text}", file=out, flush=True)
    print(table(verdicts), file=out)
    unneeded = _unneeded(entries, mutants, verdicts) if not (options.quick or options.per_file) else []
    for text in unneeded:
        print(f"{Path(options.survivors).name}: {text}", file=out)
    if options.json:
        write_json(as_json(verdicts, unneeded), options.json)
    if options.learn:
        quick.write(verdicts, Path(options.selection))
    if unneeded or any(verdict.fate == "survived" for verdict in verdicts):
        return REFUTED
    return UNDECIDED if any(verdict.fate == "open" for verdict in verdicts) else AS_EXPECTED


def _listed(mutant: Mutant, entries: Sequence[survivors.Entry]) -> str:
    """The reason why the mutant may survive, if it is on the list."""
    return next((entry.reason for entry in entries if entry.covers(mutant)), "")


def _verdict(mutant: Mutant, fate: Fate, entries: Sequence[survivors.Entry]) -> Verdict:
    if fate.kind != "survived":
        return Verdict(mutant, fate.kind, fate.by, fate.detail, fate.seconds)
    reason = _listed(mutant, entries)
    return Verdict(mutant, "listed" if reason else "survived", "", reason, fate.seconds)


def _unneeded(entries: Sequence[survivors.Entry], mutants: Sequence[Mutant], verdicts: Sequence[Verdict]) -> list[str]:
    """What is on the list and is no mutant, or does not survive. Only files that were mutated are looked at."""
    files = {mutant.file for mutant in mutants}
    survived = {verdict.mutant for verdict in verdicts if verdict.fate in ("listed", "open")}
    faults = []
    for entry in entries:
        if entry.file not in files:
            continue
        names = {mutant.name for mutant in survived if entry.covers(mutant)}
        missing = [name for name in entry.mutants if name not in names] if not entry.every else [] if names else ["…"]
        faults += [f"{entry.file} {entry.function}: {name} does not survive any more" for name in missing]
    return faults


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m snapref_harness.mutants",
        description="Changes the reference, the batch program and the formulas of Theorem 1, one mistake at a time, "
        "and sees whether an obligation of `snapref verify` notices each.",
        epilog="What was found is kept in the cache, so a second run goes on where the first one ended.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="only files whose path contains this")
    parser.add_argument("--jobs", type=int, metavar="N", help="how many processes; by default one for each core")
    parser.add_argument("--per-file", type=int, metavar="N", help="only N mutants of each file, always the same ones")
    parser.add_argument(
        "--patience", type=float, default=math.inf, metavar="SECONDS", help="put off a mutant that takes longer"
    )
    parser.add_argument(
        "--ask", action="append", default=[], metavar="PATTERN", help="ask only these obligations: 'smt.budget.*'"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="only a few mutants of each file, which died within seconds in the last long run, and must die again",
    )
    parser.add_argument("--selection", metavar="FILE", default=quick.LIST, help="the list of these few")
    parser.add_argument(
        "--survivors", metavar="FILE", default=survivors.LIST, help="the list of those that may survive"
    )
    parser.add_argument("--json", metavar="FILE", help="write the result as JSON to FILE; - is standard output")
    parser.add_argument("--listed", action="store_true", help="try what is on the list, too: does it still survive?")
    parser.add_argument("--learn", action="store_true", help="write record.json, which makes the next run quicker")
    parser.add_argument("--verbose", action="store_true", help="print what became of every mutant")
    return parser


if __name__ == "__main__":
    sys.exit(main())

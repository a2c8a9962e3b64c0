"""`python -m snapref_harness.mutants`: puts mutants before the obligations, and says what became of each.

Exit code: 0 every mutant is killed, equivalent or listed; 1 one survives that is not listed, or a listed one does not
survive any more; 2 wrong usage, or an obligation does not pass before anything is changed.
"""

import argparse
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from snapref_harness.cli.output import AS_EXPECTED, REFUTED, TROUBLE, complain, processes, write_json
from snapref_harness.cli.progress import Bar
from snapref_harness.cli.registry import default_run, load_obligations, select
from snapref_harness.mutants import equivalence, survivors
from snapref_harness.mutants.campaign import Campaign, Fate, all_mutants, chosen, targets
from snapref_harness.mutants.source import Mutant
from snapref_harness.mutants.summary import Verdict, as_json, table

ROOT = Path(__file__).resolve().parents[3]


def main(arguments: Sequence[str] | None = None, root: Path = ROOT, mutated: Sequence[Path] = ()) -> int:
    """Runs the campaign. `mutated`: the files to change, by default all that `targets` names."""
    options = _parser().parse_args(arguments)
    every = list(mutated) or targets(root)
    files = [path for path in every if not options.files or any(part in str(path) for part in options.files)]
    if not files:
        complain(f"no file that is mutated matches {' or '.join(options.files) or root}")
        return TROUBLE
    jobs = processes(options.jobs)
    entries = survivors.read(Path(options.survivors))
    mutants = all_mutants(root, files)
    if options.per_file:
        listed = [m for m in mutants if any(entry.covers(m) for entry in entries)]
        mutants = chosen([m for m in mutants if m not in listed], options.per_file)

    run = default_run()
    campaign = Campaign(root, select(load_obligations(), [], thorough=False), run, complain)
    wrong = campaign.learn_times(jobs) if options.per_file else campaign.learn_footprints(jobs, every)
    if wrong:
        complain(f"before anything is changed, {wrong[0]}")
        return TROUBLE

    verdicts: list[Verdict] = []
    with Bar(len(mutants)) as bar, closing(campaign.fates(mutants, jobs)) as fates:
        for mutant, fate in fates:
            verdict = _verdict(mutant, fate, entries, root, campaign)
            verdicts.append(verdict)
            bar.advance(note=mutant.file)
            if verdict.fate == "survived" or options.verbose:
                print(verdict, flush=True)
    print(table(verdicts))
    unneeded = [] if options.per_file else _unneeded(entries, mutants, verdicts)
    for text in unneeded:
        print(f"survivors.toml: {text}")
    if options.json:
        write_json(as_json(verdicts, unneeded), options.json)
    if options.learn:
        campaign.order.write()
    return REFUTED if unneeded or any(verdict.fate == "survived" for verdict in verdicts) else AS_EXPECTED


def _verdict(mutant: Mutant, fate: Fate, entries: Sequence[survivors.Entry], root: Path, campaign: Campaign) -> Verdict:
    if fate.kind != "survived":
        return Verdict(mutant, fate.kind, fate.by, fate.detail)
    for entry in entries:
        if entry.covers(mutant):
            return Verdict(mutant, "listed", "", entry.reason)
    if equivalence.can_be_lifted(mutant) and equivalence.equivalent(mutant, root, campaign.run):
        return Verdict(mutant, "equivalent", "two solvers", "it refuses and returns what the original does")
    return Verdict(mutant, "survived")


def _unneeded(entries: Sequence[survivors.Entry], mutants: Sequence[Mutant], verdicts: Sequence[Verdict]) -> list[str]:
    """What is on the list and does not survive, or is no mutant at all. Only files that were mutated are looked at."""
    files = {mutant.file for mutant in mutants}
    survived = {verdict.mutant for verdict in verdicts if verdict.fate == "listed"}
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
    parser.add_argument(
        "--per-file",
        type=int,
        metavar="N",
        help="a quick look: N mutants of each file, always the same ones, and none that is listed",
    )
    parser.add_argument(
        "--survivors", metavar="FILE", default=survivors.LIST, help="the list of those that may survive"
    )
    parser.add_argument("--json", metavar="FILE", help="write the result as JSON to FILE; - is standard output")
    parser.add_argument("--learn", action="store_true", help="write killers.json, which makes the next run quicker")
    parser.add_argument("--verbose", action="store_true", help="print what became of every mutant")
    return parser


if __name__ == "__main__":
    sys.exit(main())

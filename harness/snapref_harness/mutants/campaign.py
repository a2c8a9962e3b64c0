"""All mutants, put before the obligations; and what came of each.

A fate is kept in the cache. A kill stays valid as long as the obligation that killed is what it was. A mutant that no
obligation kills keeps its fate as long as all obligations, and the programs that judge such mutants, are the same. So a
second run goes on where the first one ended.
"""

import hashlib
import inspect
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from snapref_harness.cli import registry
from snapref_harness.mutants import equivalence, footprints, scout, stronger
from snapref_harness.mutants.order import Order, recorded
from snapref_harness.mutants.source import AT_IMPORT, Mutant, mutants_of
from snapref_ledger.cache import Cache, cache_dir, write_atomically
from snapref_ledger.obligations import Obligation, Run
from snapref_ledger.runner import INTERRUPTED
from snapref_ledger.verify import verify
from snapref_smt.engine.stating import STATED

REFERENCE = ("reference/snapref", "reference/snapref/batch")
THEOREM = "proofs/snapref_proofs/theorem1"
# The modules of Theorem 1 that hold its formulas. The others there register, replay or search.
FORMULAS = (
    "calculus",
    "coarse",
    "compose",
    "coverage",
    "even",
    "every",
    "faithful",
    "grid",
    "independent",
    "interior",
    "inversion",
    "joined",
    "joined_inside",
    "meanings",
    "one_threshold",
    "parity",
    "premises",
    "reach",
    "rows",
    "scenarios",
    "slopes",
    "statement",
    "terms",
    "ties",
    "two_sided",
    "widths",
)
PROMISING = 8  # so many obligations are looked at before the others
AT_ONCE = 1.5  # seconds for one sample that comes first: what assumes too much is often noticed at once
SCOUT_LIMIT = 90.0  # seconds of processor time for a first look
STRONGER = "stronger"
FIRST_LIMIT = (3.0, 3.0)  # seconds, and times the usual time: where it takes longer, the others are asked first
Request = dict[str, Any]


@dataclass(frozen=True)
class Fate:
    """What became of a mutant, one of summary.FATES; and which obligation killed it."""

    kind: str
    by: str = ""
    detail: str = ""
    seconds: float = 0.0  # of processor time that the obligations used


def targets(root: Path) -> list[Path]:
    """The files that are mutated. `__main__` only starts the command line."""
    reference = [
        path for folder in REFERENCE for path in sorted((root / folder).glob("*.py")) if path.stem != "__main__"
    ]
    formulas = [root / THEOREM / f"{name}.py" for name in FORMULAS]
    return [*reference, *(path for path in formulas if path.exists())]


def all_mutants(root: Path, files: Sequence[Path]) -> list[Mutant]:
    return [
        mutant
        for path in files
        for file in [str(path.relative_to(root))]
        for mutant in mutants_of(file, path.read_text(encoding="utf-8"), file.startswith(THEOREM))
    ]


class Campaign:
    """The obligations of a plain `snapref verify`, ready for mutants."""

    def __init__(self, root: Path, obligations: Sequence[Obligation], run: Run, say: Callable[[str], None]) -> None:
        self.root, self.run, self.say = root, run, say
        self.obligations = {o.id: o for o in obligations}
        self.cache = Cache()
        self.keys = {o.id: self.cache.key(o, run) for o in obligations}
        sources = self.cache.sources
        self.modules = {o.id: sources.closure({o.module, o.check.__module__}) for o in obligations}  # what each imports
        self.judges = [inspect.getsource(module) for module in (equivalence, scout, stronger)]  # of what nobody notices
        self.states = {id for id, o in self.obligations.items() if id in STATED and self._of_the_proof(o)}
        self.folder = cache_dir() / "mutants"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.blocks: dict[str, set[tuple[str, int]]] = {}  # obligation → (file, block)
        self.imported: set[tuple[str, int]] = set()
        self.order = Order({}, recorded())
        self.must: dict[str, str] = {}  # mutant → the obligation that alone is asked
        self.patience = math.inf  # seconds of processor time for one mutant; then it is put off

    def learn_times(self, jobs: int, obligations: Sequence[Obligation] | None = None) -> list[str]:
        """How long each obligation takes, by default of all. What the cache does not know is run. Returns those that do
        not pass."""
        wrong = []
        asked = self.obligations.values() if obligations is None else obligations
        for result in verify(asked, self.run, jobs, self.cache, self.say):
            self.order.seconds[result.obligation.id] = result.seconds
            if not result.passed:
                wrong.append(f"{result.obligation.id}: {result.outcome.status} {result.outcome.detail}")
        return wrong

    def learn_footprints(self, jobs: int, paths: Sequence[Path]) -> list[str]:
        """Runs every obligation as it is, unless the cache knows what it runs. Returns those that do not pass."""
        results = {id: result for id, o in self.obligations.items() if (result := self.cache.load(o, self.run))}
        found = {id: known for id in self.obligations if (known := self._load(f"footprint {self.keys[id]}"))}
        missing = [id for id in self.obligations if id not in found]
        if missing:
            self.say(f"{len(missing)} obligations are run once to see which code each of them runs")
            with ThreadPoolExecutor(jobs) as pool:
                parts = [missing[i::jobs] for i in range(jobs)]
                list(pool.map(lambda part: self._run_footprints(part, paths, set(results), found), parts))
        for id, known in found.items():
            if known["passed"]:
                self.blocks[id] = {(path, line) for path, line in known["blocks"]}
                self.imported |= {(path, line) for path, line in known["imported"]}
                self.order.seconds[id] = known["seconds"]
        # An obligation that looks at the code itself may notice the calls. It is run without them, and counts as one
        # that runs everything. What only passed on the assumption that it does must be known to pass.
        sure = {id for id in self.blocks if not found[id]["assumed"]}
        return self.learn_times(jobs, [o for id, o in self.obligations.items() if id not in sure])

    def _run_footprints(
        self, ids: Sequence[str], paths: Sequence[Path], known: set[str], found: dict[str, Any]
    ) -> None:
        imported: list[Any] = []
        with tempfile.TemporaryDirectory() as folder:
            request = {
                "paths": [str(path) for path in paths],
                "orders": [{**self._order(id), "known": id in known} for id in ids],
                "solvers": self.run.solvers,
                "folder": folder,
            }
            process = _start("snapref_harness.mutants.footprints")
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                row = json.loads(line)
                row["blocks"] = [(str(Path(path).relative_to(self.root)), start) for path, start in row["blocks"]]
                if row["id"] == footprints.AT_IMPORT:
                    imported = row["blocks"]
                    continue
                row["imported"] = imported
                found[row["id"]] = row
                self._store(f"footprint {self.keys[row['id']]}", row)
                self.say(f"{row['status']:<9} {row['seconds']:7.1f} s  {row['id']}")
            process.wait()

    def asked(self, mutant: Mutant) -> list[str]:
        """The obligations that could notice the mutant, the most promising first; or the one that must notice it."""
        if mutant.key in self.must:
            return [self.must[mutant.key]]
        module = _module(mutant.file)
        everywhere = mutant.block == AT_IMPORT or (mutant.file, mutant.block) in self.imported
        ids = [
            id
            for id in self.obligations
            if module in self.modules[id] and (everywhere or id not in self.blocks or self._runs(id, mutant))
        ]
        return self.order.of(mutant, ids)

    def _runs(self, id: str, mutant: Mutant) -> bool:
        own = self.blocks[id]
        return (mutant.file, mutant.block) in own or (mutant.file, footprints.WHOLE) in own

    def fates(self, mutants: Sequence[Mutant], jobs: int) -> Generator[tuple[Mutant, Fate]]:
        """The fate of each mutant, as it becomes known."""
        todo = []
        for mutant in mutants:
            known = self._known(mutant)
            if known:
                self._learn(mutant, known)
                yield mutant, known
            else:
                todo.append(mutant)
        todo.sort(key=self._was_noticed)  # what nobody has noticed yet comes first
        trials = [Trial(self.root) for _ in range(jobs)]
        free = list(trials)

        def judge(mutant: Mutant) -> tuple[Mutant, Fate]:
            trial = free.pop()
            try:
                return mutant, self._judge(mutant, trial)
            finally:
                free.append(trial)

        with ThreadPoolExecutor(jobs) as pool:
            try:
                for done in as_completed([pool.submit(judge, mutant) for mutant in todo]):
                    yield done.result()
            finally:  # also after Ctrl-C
                for trial in trials:
                    trial.close()
                pool.shutdown(cancel_futures=True)

    def _was_noticed(self, mutant: Mutant) -> bool:
        return bool(self.order.before(mutant)[1])

    def _judge(self, mutant: Mutant, trial: "Trial") -> Fate:
        left = _Left()
        before = trial.seconds
        trial.end = before + self.patience
        asked = self.asked(mutant)
        stating = self._stating(mutant, asked)
        samples = [id for id in asked[1:] if stating and self._samples(id)]  # what is stronger passes them, too
        orders = [self._order(id, hurried=True) for id in asked if id not in samples]
        at_once = [self._order(id) | {"timeout": AT_ONCE} for id in asked[:PROMISING] if self._samples(id)][:1]
        fate = self._scouted(mutant, trial, asked[:1], False)
        if fate.kind == "survived":
            fate = self._tried(mutant, trial, at_once, _Left())
        looks = [(asked, True)] if stating else []  # the last one compares: what is stronger must be so everywhere
        if asked[PROMISING:] or not stating:
            looks.insert(0, (asked[:PROMISING], False))
        for some, all_stated in looks:
            if fate.kind == "survived":
                fate = self._scouted(mutant, trial, some if all_stated else some[1:], all_stated)
            if fate.kind == "survived":
                computing = [order for order in orders if order["id"] in some and order["id"] not in self.states]
                orders = [order for order in orders if order not in computing]
                fate = self._tried(mutant, trial, computing, left)
        if fate.kind == "survived":  # what solvers still prove may assume too much: that is what samples notice
            fate = self._tried(mutant, trial, [*(self._order(id) for id in samples), *orders], left)
        if fate.kind == "survived" and left.late:
            patient = self.patience == math.inf
            fate = self._tried(mutant, trial, [self._order(id) for id in left.late]) if patient else Fate("open")
        if fate.kind == "survived" and left.absent:
            fate = self._tried(mutant, trial, trial.new_orders(mutant, registry.MODULES, list(self.obligations)))
        if fate.kind == "survived" and equivalence.equivalent(mutant, self.root, self.run):  # at 53 bits: so asked last
            fate = Fate("equivalent", "two solvers", "it refuses and returns what the original does")
        fate = replace(fate, seconds=round(trial.seconds - before, 3))
        self._learn(mutant, fate)
        if fate.kind != "open":
            self._store(mutant.key, {"fate": asdict(fate), "key": self._key(fate), "text": self._text(mutant)})
        return fate

    def _scouted(self, mutant: Mutant, trial: "Trial", asked: Sequence[str], stating: bool) -> Fate:
        """A first look at a mutant of the proof: a statement that fails, or that it proves at least as much. The latter
        counts only where all that it changes is what is stated."""
        if not mutant.file.startswith(THEOREM) or mutant.key in self.must:
            return Fate("survived")
        if trial.seconds >= trial.end:
            return Fate("open")
        every = [self._order(id) for id in self.obligations if id in self.states]
        orders = [self._order(id) for id in asked if id in self.states]
        if not orders:
            return Fate("survived")
        found = trial.scouted(mutant, orders, every, stating, self.run.solvers)
        if "by" in found:
            return Fate(found["kind"], found["by"], found["detail"])
        if "others" in found:
            return self._tried(mutant, trial, [self._order(found["others"])], _Left())
        return Fate(STRONGER, "two solvers", found["detail"]) if found.get("stronger") else Fate("survived")

    def _of_the_proof(self, o: Obligation) -> bool:
        """Whether the obligation is to prove something that comes from the modules of the proof."""
        return o.expected == "proved" and any(module.startswith(_module(THEOREM)) for module in self.modules[o.id])

    def _stating(self, mutant: Mutant, asked: Sequence[str]) -> list[str]:
        """The obligations that are asked, if the mutant is one of the proof, and all that it changes for any of them is
        what they state; none otherwise. (Those that sample decide nothing, and are left out.) The program is no such
        statement: there, an obligation that notices nothing is a hole."""
        if not mutant.file.startswith(THEOREM) or mutant.key in self.must:
            return []
        deciding = [id for id in asked if not self._samples(id)]
        stating = [id for id in deciding if id in STATED and self.obligations[id].expected == "proved"]
        return stating if stating == deciding else []

    def _samples(self, id: str) -> bool:
        return self.obligations[id].kind == "sampled"

    def _learn(self, mutant: Mutant, fate: Fate) -> None:
        if fate.by:
            self.order.settled(mutant, fate.kind, fate.by)

    def _tried(self, mutant: Mutant, trial: "Trial", orders: Sequence[Request], left: "_Left | None" = None) -> Fate:
        """What becomes of the mutant. `left` is for what does not decide yet; without it, undecided is an error."""
        todo = list(orders)
        while todo:
            if trial.seconds >= trial.end:
                return Fate("open")
            results = trial.results(mutant, todo, self.run.solvers)
            self.order.missed(mutant, (result["id"] for result in results if result["passed"]))
            last = results[-1]
            place = [order["id"] for order in todo].index(last["id"])
            limit = todo[place]["timeout"] or self.run.timeout
            in_time = last["seconds"] < limit  # then more time would not change the result
            todo = todo[place + 1 :]
            if last["passed"]:
                continue
            if left is not None and last["status"] == "undecided" and not in_time:
                left.late.append(last["id"])
                self.order.missed(mutant, [last["id"]])
            elif left is not None and last["status"] == "error" and "does not register" in last["detail"]:
                left.absent.append(last["id"])
            else:
                kind = "refuted" if last["status"] == "proved" else last["status"]
                return Fate(kind, last["id"], f"{last['status']} {last['detail']}"[:200])
        return Fate("survived")

    def _order(self, id: str, hurried: bool = False) -> dict[str, Any]:
        o = self.obligations[id]
        limit = self.run.timeout if o.timeout is None else o.timeout
        if hurried:
            least, times = FIRST_LIMIT
            limit = min(limit, least + times * self.order.seconds.get(id, limit), self.patience)
        return {"id": id, "module": o.module, "expected": o.expected, "timeout": limit}

    def _known(self, mutant: Mutant) -> Fate | None:
        kept = self._load(mutant.key)
        if kept is None or kept["text"] != self._text(mutant):
            return None
        fate = Fate(**kept["fate"])
        return fate if kept["key"] == self._key(fate) else None

    def _text(self, mutant: Mutant) -> str:
        return _hash(mutant.applied((self.root / mutant.file).read_text(encoding="utf-8")))

    def _key(self, fate: Fate) -> str:
        """The hash of what the fate depends on: the obligation that killed, or all of them and the judges."""
        return self.keys.get(fate.by) or _hash(json.dumps([self.judges, sorted(self.keys.items())]))

    def _load(self, name: str) -> Any:
        try:
            return json.loads((self.folder / f"{_hash(name)}.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def _store(self, name: str, data: Any) -> None:
        write_atomically(self.folder / f"{_hash(name)}.json", json.dumps(data).encode())


@dataclass
class _Left:
    """Obligations that have not decided about a mutant: those that did not end within the first limit, and those that
    the mutant does not have. `snapref verify` would not miss the latter, so they kill nothing."""

    late: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)


class Trial:
    """A process of trial.py, and the folder from which it takes the mutants."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # a trial may still end
        self.process = _start("snapref_harness.mutants.trial")
        self.mutant: Mutant | None = None
        self.seconds = 0.0  # of processor time that its obligations used
        self.end = math.inf  # when these are used up, the next mutant is due

    def results(self, mutant: Mutant, orders: Sequence[Request], solvers: Sequence[str]) -> list[Request]:
        """The results of the trial, up to the first that is not as expected."""
        patience = max(0.0, min(self.end - self.seconds, sys.float_info.max))  # JSON has no infinity
        request = {"orders": list(orders), "solvers": list(solvers), "patience": patience}
        return self._results(mutant, request)

    def _results(self, mutant: Mutant, request: Request) -> list[Request]:
        results: list[Request] = self._answer(mutant, request).get("results", [])
        if not results or results[-1]["detail"].startswith(INTERRUPTED):
            raise RuntimeError(f"the trial of {mutant} was ended from outside")
        self.seconds += sum(result["seconds"] for result in results)
        return results

    def new_orders(self, mutant: Mutant, modules: Sequence[str], known: Sequence[str]) -> list[Request]:
        """The obligations that the mutant has and the original has not."""
        orders: list[Request] = self._answer(mutant, {"modules": list(modules), "known": list(known)})["orders"]
        return orders

    def scouted(
        self,
        mutant: Mutant,
        orders: Sequence[Request],
        every: Sequence[Request],
        compare: bool,
        solvers: Sequence[str],
    ) -> Request:
        """What a first look at the mutant finds."""
        request = {"scouted": list(orders), "every": list(every), "compare": compare, "solvers": list(solvers)}
        result = self._results(mutant, {**request, "seconds": min(SCOUT_LIMIT, self.end - self.seconds)})[-1]
        found: Request = json.loads(result["detail"]) if result["status"] == "proved" else {}
        return found

    def _answer(self, mutant: Mutant, request: Request) -> Request:
        if self.mutant != mutant:
            self._write(mutant)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({"overlay": self.folder.name, **request}) + "\n")
        self.process.stdin.flush()
        answer: Request = json.loads(self.process.stdout.readline() or "{}")
        return answer

    def _write(self, mutant: Mutant) -> None:
        """A copy of the mutant's package: links to all files but one."""
        source = self.root / mutant.file
        base = self.root / mutant.file.split("/")[0]  # the folder that Python searches for packages
        package = source.relative_to(base).parts[0]
        copy = Path(self.folder.name) / package
        for old in Path(self.folder.name).iterdir():
            shutil.rmtree(old)
        shutil.copytree(base / package, copy, copy_function=os.symlink)
        changed = Path(self.folder.name) / source.relative_to(base)
        changed.unlink()
        for compiled in changed.parent.glob(f"__pycache__/{changed.stem}.*"):
            compiled.unlink()
        changed.write_text(mutant.applied(source.read_text(encoding="utf-8")), encoding="utf-8")
        self.mutant = mutant

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def _start(module: str) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,  # Ctrl-C is for the campaign to handle
    )


def _module(file: str) -> str:
    return ".".join(Path(file).with_suffix("").parts[1:]).removesuffix(".__init__")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

"""Nothing is read, run or imported for a check that its key in the cache leaves out.

The texts of all modules behind the obligations are searched for whatever can read or run a file, and for the
distributions that they import. And some obligations are run while the interpreter reports each file that it opens.
"""

import ast
import json
import subprocess
import sys
from functools import cache
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from snapref_harness.cli.registry import MODULES
from snapref_ledger.cache import ENGINES, WORKER
from snapref_ledger.sources import Sources
from tests.harness.conftest import Write

ROOT = Path(__file__).parents[2]
for name in MODULES:  # here, where what they register stays registered: the search below would import them too
    import_module(name)

# Whoever uses one of these words can read or run a file, or import a module by its name. (`make lint` refuses exec and
# eval.)
READS = {
    *("open", "fdopen", "read_text", "read_bytes", "iterdir", "glob", "rglob", "loadtxt", "genfromtxt", "fromfile"),
    *("__file__", "__path__", "with_name", "files", "open_text", "open_binary", "get_data"),
    *("getsource", "getsourcelines", "getsourcefile", "getfile", "findsource", "getlines"),
    *("import_module", "__import__", "spec_from_file_location", "run_path", "run_module"),
    *("Popen", "check_output", "check_call", "system", "posix_spawn", "execv", "execve", "environ", "getenv"),
}
# The modules that do, and what: each was looked at.
KNOWN = {
    "snapref_ledger.worker": "imports the modules of the obligations, which are in their keys",
    "snapref_ledger.claims": "reads claims.toml, for the command line and never for a check",
    "snapref_proofs.theorem1.kernel": "runs proofs/kernel/build.sh; the obligation's `inputs` has every file there",
    "snapref_smt.budget": "reads claims.toml for smt.budget.constants, whose `inputs` has it",
    "snapref_smt.means": "reads every file of the reference; the obligation's `inputs` has them",
    "snapref_smt.engine.solvers": "runs solver_process.py, which it names",
    "snapref_smt.models": "reads the source of functions that it imports",
}


@cache
def behind_the_obligations() -> dict[str, ast.Module]:
    """Every module that a check can depend on, by its name."""
    sources = Sources()
    return {module: ast.parse(sources.text(module)) for module in sources.closure({*MODULES, WORKER})}


def words(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.name for alias in node.names}
    return found


def test_who_can_read_or_run_a_file_is_known() -> None:
    found = {module: words(tree) & READS for module, tree in behind_the_obligations().items()}
    assert {module for module, used in found.items() if used} == set(KNOWN), found


@pytest.mark.parametrize(
    "text", ["from pathlib import Path\nx = Path('a').read_text()", "from inspect import getsource", "open('a')"]
)
def test_the_words_are_found(text: str) -> None:
    assert words(ast.parse(text)) & READS


def test_every_distribution_that_is_imported_is_an_engine() -> None:
    packages = {
        name.partition(".")[0]
        for tree in behind_the_obligations().values()
        for node in ast.walk(tree)
        for name in _imported(node)
        if not name.startswith("snapref")
    }
    distributions = packages_distributions()
    found = {name for p in packages - sys.stdlib_module_names for name in distributions.get(p, [p])}
    assert found == set(ENGINES)


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if isinstance(node, ast.ImportFrom) and node.module else []


# Runs an obligation. Prints the files below a folder that were opened or run for it, and those in its key.
WATCH = """
import importlib.util, json, os, sys
from pathlib import Path
root, module, id = Path(sys.argv[1]), *sys.argv[2:]
opened = set()

def note(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        opened.add(os.fsdecode(arguments[0]))
    elif event == "subprocess.Popen":
        opened.update(map(os.fsdecode, arguments[1]))

sys.addaudithook(note)
importlib.import_module(module)
from snapref_ledger.obligations import REGISTRY, Run
status = REGISTRY[id].check(Run()).status
read = {Path(name) for name in opened}
read = {Path(importlib.util.source_from_cache(path)) if path.suffix == ".pyc" else path for path in read}
read = {path.resolve() for path in read}

from snapref_ledger.cache import Cache
cache = Cache()
cache.key(REGISTRY[id], Run())
ours = [path for path in read if path.is_file() and path.is_relative_to(root) and ".venv" not in path.parts]
print(json.dumps({"status": status, "read": sorted(map(str, ours)), "key": sorted(map(str, cache.sources.files))}))
"""


def watch(root: Path, module: str, id: str, environment: dict[str, str]) -> tuple[set[Path], set[Path]]:
    """(what was read, what is in the key), for an obligation that comes out."""
    command = [sys.executable, "-c", WATCH, str(root), module, id]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["status"] in ("proved", "refuted")
    return {Path(name) for name in found["read"]}, {Path(name) for name in found["key"]}


@pytest.mark.parametrize(
    ("module", "id", "among_them"),
    [
        ("snapref_smt.clamp", "smt.clamp.paths", "solver_process.py"),
    ],
)
def test_what_an_obligation_reads_is_in_its_key(
    environment: dict[str, str], module: str, id: str, among_them: str
) -> None:
    read, key = watch(ROOT, module, id, environment)
    assert among_them in {path.name for path in read}
    assert read <= key


def test_a_file_that_is_left_out_is_seen(write: Write, tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "left-out.txt").write_text("1")
    (obligation,) = write(
        "@register('x')\n"
        "def x(run):\n"
        "    with open(os.path.join(os.path.dirname(__file__), '-'.join(['left', 'out.txt']))) as file:\n"
        "        return Outcome('proved', file.read())"
    )
    read, key = watch(tmp_path, obligation.module, "x", environment)
    assert {path.name for path in read - key} == {"left-out.txt"}

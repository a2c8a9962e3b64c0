"""Which blocks of the code each obligation runs. A mutant is put only before obligations that run the block it is in.

A mutant that no obligation runs is killed by none, so nothing is lost. What a module does when it is imported is run
by every obligation that depends on the module; and an obligation that reads the text of a file runs all of its blocks.

The code is run once as it is, with a call at the beginning of every block that notes the block. Where an obligation is
known to pass, no solver is asked about its statements: if it passes when each of them has no counterexample, it runs
the same code either way. One that does not pass like this is run for real.
"""

import ast
import builtins
import contextlib
import importlib
import importlib.machinery
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

from snapref_harness.mutants.answers import Answers
from snapref_harness.mutants.source import blocks
from snapref_harness.mutants.trial import READY, as_json, obligation_of
from snapref_ledger.obligations import Run
from snapref_ledger.runner import ForkedServer, run_all

NOTE = "__snapref_note__"  # the function that the blocks call
WHOLE = -1  # stands for all blocks of a file
AT_IMPORT = "import"  # stands for an obligation: what runs while the modules are imported


def instrumented(source: str, path: str) -> CodeType:
    """The code of a module in which every block of a function first says that it runs."""
    tree = ast.parse(source, path)
    for body in list(blocks(tree)):
        if body:
            first = body[0]
            is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            note = ast.parse(f"{NOTE}({path!r}, {first.lineno})").body[0]
            for node in ast.walk(note):
                ast.copy_location(node, first)
            body.insert(1 if is_docstring and len(body) > 1 else 0, note)
    return compile(tree, path, "exec", dont_inherit=True)


class _Notes:
    """Writes each block once for each process that runs it."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = set(paths)
        self.seen: set[tuple[str, int]] = set()
        self.file = -1

    def __call__(self, path: str, line: int) -> None:
        if (path, line) not in self.seen and self.file >= 0:
            self.seen.add((path, line))
            os.write(self.file, json.dumps([path, line]).encode() + b"\n")

    @contextlib.contextmanager
    def into(self, file: Path) -> Iterator[None]:
        self.seen.clear()
        self.file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            yield
        finally:
            os.close(self.file)
            self.file = -1

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and str(arguments[0]).endswith(".py"):
            path = os.path.realpath(arguments[0])
            if path in self.paths:
                self(path, WHOLE)


def main() -> None:
    """Reads {"paths", "orders", "solvers", "folder"} and writes one line for each obligation: its result and its
    blocks."""
    request = json.loads(sys.stdin.readline())
    sys.dont_write_bytecode = True
    notes = _Notes(request["paths"])
    setattr(builtins, NOTE, notes)
    _instrument(notes.paths)
    for module in READY:
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(module)
    answers = Answers()
    answers.both = True  # here the original must pass
    folder = Path(request["folder"])
    with notes.into(folder / AT_IMPORT):
        for module in sorted({order["module"] for order in request["orders"]}):
            importlib.import_module(module)
    print(json.dumps({"id": AT_IMPORT, "blocks": _blocks(folder / AT_IMPORT)}), flush=True)
    sys.addaudithook(notes.audit)
    for order in request["orders"]:
        print(json.dumps(_footprint(order, request["solvers"], folder, notes, answers)), flush=True)


def _footprint(
    order: Mapping[str, Any], solvers: Sequence[str], folder: Path, notes: _Notes, answers: Answers
) -> dict[str, Any]:
    file = folder / order["id"]
    for answers.assumed in (True, False) if order["known"] else (False,):
        with notes.into(file):
            (result,) = run_all([obligation_of(order)], Run(solvers=tuple(solvers)), 1, ForkedServer)
        if result.passed:
            break
    return {**as_json(result), "blocks": _blocks(file), "assumed": answers.assumed}


def _blocks(file: Path) -> list[tuple[str, int]]:
    return sorted({(path, line) for path, line in map(json.loads, file.read_text(encoding="utf-8").splitlines())})


def _instrument(paths: set[str]) -> None:
    loader = importlib.machinery.SourceFileLoader
    original = loader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        path = os.path.realpath(self.get_filename(fullname))
        if path not in paths:
            return original(self, fullname)
        return instrumented(self.get_data(path).decode(), path)

    setattr(loader, "get_code", get_code)  # noqa: B010 - the type says that methods are not assigned


if __name__ == "__main__":
    main()

"""The fenced blocks of a chapter, and how each is run.

    sh       commands, run by bash; each must succeed
    console  commands after "$ " (continued after "> ") and what they print; each must succeed, unless the next one is
             `echo $?`, which shows the exit code
    python   a script, run by itself; with ">>>" it is a doctest
    diff     a change to a file that an earlier block got to, made with `git apply`
    text     directly after a sh or python block: what that prints; anywhere else it is only shown
    toml, json, yaml  must parse (yaml where PyYAML is installed)

In expected output "…" stands for any text, and on a line of its own for any lines. A chapter runs in a copy of the
checkout, from top to bottom, each block where the one before it left off. `<!-- not run: REASON -->` before a block
leaves it out, and `<!-- needs: PROGRAM … -->` does where one of these programs is not installed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_RUN = re.compile(r"<!-- not run: (.+) -->")
NEEDS = re.compile(r"<!-- needs: (.+) -->")
FENCE = re.compile(r"```(\S*)\s*")
LEFT_OUT = (".*", "__pycache__", "build", "dist", "*.egg-info")
TIME_LIMIT = 300  # seconds for one block: a hang becomes a failure
MARK = "--- end of command, exit code"


@dataclass(frozen=True)
class Block:
    """One fenced block. `line` is that of its fence, counted from 1."""

    language: str
    text: str
    line: int
    not_run: str = ""  # why it is left out
    needs: tuple[str, ...] = ()  # programs
    output: str | None = None  # of a sh or python block: the text block that follows it


def chapters() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "notes").glob("*.md"))]


def blocks(markdown: str) -> list[Block]:
    """Every fenced block, in order."""
    found: list[Block] = []
    lines = markdown.splitlines()
    reason, needs, adjacent, number = "", "", False, 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if fence := FENCE.fullmatch(line):
            start = number
            while number < len(lines) and lines[number].rstrip() != "```":
                number += 1
            block = Block(fence[1], "\n".join(lines[start:number]) + "\n", start, reason, tuple(needs.split()))
            number += 1
            if block.language == "text" and adjacent:
                found[-1] = replace(found[-1], output=block.text)
            else:
                found.append(block)
            reason, needs, adjacent = "", "", block.language in ("sh", "python")
        elif line.strip():
            marked, needed = NOT_RUN.fullmatch(line.strip()), NEEDS.fullmatch(line.strip())
            reason, needs, adjacent = marked[1] if marked else "", needed[1] if needed else "", False
    return found


def matches(expected: str, printed: str) -> bool:
    """Whether the output is as shown, "…" and white space at the ends of lines aside."""
    pattern = ""
    for line in expected.rstrip().splitlines():
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("…")) + r"[ \t]*\n"
    return re.fullmatch(pattern + r"\s*", printed.rstrip() + "\n") is not None


@dataclass
class Chapter:
    """A copy of the checkout in which the blocks of one chapter run. Several may share the cache of verdicts, as the
    pages of a reader do who reads on."""

    folder: Path
    cache: Path | None = None
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checkout = self.folder / "snapref"
        shutil.copytree(ROOT, checkout, ignore=shutil.ignore_patterns(*LEFT_OUT))
        (checkout / ".venv").symlink_to(sys.prefix)
        self.cwd = checkout
        kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "PYTHONPATH")}
        self.environment = {
            **kept,
            "PATH": os.pathsep.join([str(Path(sys.prefix) / "bin"), os.environ["PATH"]]),
            "HOME": str(self.folder),
            "SNAPREF_CACHE": str(self.cache or self.folder / "cache"),
            "NO_COLOR": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def run(self, block: Block) -> str:
        """What went wrong, or nothing."""
        if any(shutil.which(program) is None for program in block.needs):
            return ""
        return "\n".join(getattr(self, f"_{block.language}")(block)) if block.language != "text" else ""

    def _sh(self, block: Block) -> Iterator[str]:
        code, printed = self._bash(f"set -e\n{block.text}")
        yield from _judged(code, printed, block)

    def _console(self, block: Block) -> Iterator[str]:
        commands = list(_commands(block.text))
        if not commands:
            yield "a console block without a command: start it with $"
            return
        mark = f'__=$?; printf "\\n{MARK} %s\\n" $__; (exit $__)'
        script = "".join(f"{command}\n{mark}\n" for command, _ in commands)
        _, printed = self._bash(script)
        pieces = re.split(rf"\n{MARK} (\d+)\n", printed)
        if len(pieces) != 2 * len(commands) + 1:
            yield f"the shell stopped early:\n{printed}"
            return
        for index, (command, expected) in enumerate(commands):
            output, code = pieces[2 * index], int(pieces[2 * index + 1])
            code_is_shown = index + 1 < len(commands) and commands[index + 1][0] == "echo $?"
            if code and not code_is_shown:
                yield f"$ {command}\nended with exit code {code}:\n{output}"
            elif not matches(expected, output):
                yield f"$ {command}\nshould print\n{expected}\nand prints\n{output}"

    def _python(self, block: Block) -> Iterator[str]:
        script = self.folder / "block.py"
        script.write_text(block.text, encoding="utf-8")
        run = [sys.executable, "-P", str(script)]
        if block.text.lstrip().startswith(">>>"):
            run = [sys.executable, "-m", "doctest", "-o", "ELLIPSIS", str(script.rename(script.with_suffix(".txt")))]
        code, printed = self._process(run)
        yield from _judged(code, printed, block)

    def _diff(self, block: Block) -> Iterator[str]:
        (self.folder / "change.diff").write_text(block.text, encoding="utf-8")
        code, printed = self._process(["git", "apply", str(self.folder / "change.diff")])
        if code:
            yield f"does not apply: {printed}"

    def _toml(self, block: Block) -> Iterator[str]:
        try:
            tomllib.loads(block.text)
        except ValueError as error:
            yield str(error)

    def _json(self, block: Block) -> Iterator[str]:
        try:
            json.loads(block.text)
        except ValueError as error:
            yield str(error)

    def _yaml(self, block: Block) -> Iterator[str]:
        try:
            import yaml
        except ModuleNotFoundError:  # nothing that is installed brings it
            return
        try:
            yaml.safe_load(block.text)
        except yaml.YAMLError as error:
            yield str(error)

    def _bash(self, script: str) -> tuple[int, str]:
        where = self.folder / "where"
        code, printed = self._process(["bash", "-c", f"trap 'pwd > \"{where}\"' EXIT\n{script}"])
        if where.exists():
            self.cwd = Path(where.read_text(encoding="utf-8").rstrip("\n"))
        return code, printed

    def _process(self, command: list[str]) -> tuple[int, str]:
        try:
            done = subprocess.run(
                command,
                cwd=self.cwd,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
                timeout=TIME_LIMIT,
            )
        except subprocess.TimeoutExpired:
            return 124, f"overran {TIME_LIMIT} s"
        return done.returncode, done.stdout


LANGUAGES = {
    "text",
    *(name.removeprefix("_") for name in ("_sh", "_console", "_python", "_diff", "_toml", "_json", "_yaml")),
}


def _judged(code: int, printed: str, block: Block) -> Iterator[str]:
    if code:
        yield f"ended with exit code {code}:\n{printed}"
    elif block.output is not None and not matches(block.output, printed):
        yield f"should print\n{block.output}\nand prints\n{printed}"


def _commands(text: str) -> Iterator[tuple[str, str]]:
    """(command, what it is shown to print) of a console block."""
    command, output, asked = "", "", False
    for line in text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, output
            command, output, asked = line[2:], "", True
        elif asked and line.startswith("> "):
            command += "\n" + line[2:]
        else:
            output, asked = output + line + "\n", False
    if command:
        yield command, output

"""Opens the target that a user names: `module:attribute`, a file that describes a C library, or a command."""

import json
import os
import sys
from pathlib import Path

from snapref_crosscheck.process import CommandTarget
from snapref_crosscheck.protocol import AdapterError, Broken, OutOfTime, TooSlow
from snapref_crosscheck.serve import CANNOT_LOAD

_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from snapref_crosscheck.serve import main; sys.exit(main(sys.argv[1:]))"
)


def open_target(
    spec: str | None, command: str | None = None, seconds: float = 10.0, deadline: float | None = None
) -> CommandTarget:
    """Starts the target in a process of its own. A ValueError says what is wrong with the name."""
    if command is not None:
        target = CommandTarget(command, seconds=seconds, deadline=deadline)
    elif spec is None:
        raise ValueError("name a target: module:attribute, a .toml or .json file, or a command")
    else:
        is_file = Path(spec).suffix in (".toml", ".json")
        if not is_file and ":" not in spec:
            raise ValueError(f"{spec!r} is neither module:attribute nor a .toml or .json file that describes a library")
        arguments = ["--library", spec] if is_file else [spec]
        argv = [sys.executable, "-c", _BOOT, json.dumps([os.getcwd(), *sys.path]), *arguments]
        target = CommandTarget(argv, name=spec, seconds=seconds, deadline=deadline)
        _load(target)
    try:
        target.start()
    except Broken as broken:
        target.close()
        raise ValueError(str(broken)) from None
    return target


def _load(target: CommandTarget) -> None:
    """Raises an AdapterError if our server (serve.py) cannot load the target: that is a mistake in the name or in the
    form of its methods, not a failed check."""
    try:
        target.describe()
    except Broken:
        if target.exit_code == CANNOT_LOAD:
            raise AdapterError(target.complaint) from None
    except (OutOfTime, TooSlow):
        pass
    target.failures = 0

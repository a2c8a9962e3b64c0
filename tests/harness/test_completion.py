"""Completion, as bash asks for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
eval "$(snapref --show-completion bash)"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_snapref_completion snapref
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["ver"], ["verify"]),
        (["verify", "--thor"], ["--thorough"]),
        (["claims", "N-4.2.2-e"], ["N-4.2.2-eq"]),
        (["claims", "--verdict", "c"], ["conditional"]),
    ],
)
def test_bash(words: list[str], offered: list[str]) -> None:
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    command = ["bash", "--norc", "-c", SCRIPT, "bash", "snapref", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == offered

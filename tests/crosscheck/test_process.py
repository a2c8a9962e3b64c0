"""Targets that hang, die, lie or flood: a clear failure, within the limits, and no process left."""

import sys
import time
from pathlib import Path

import pytest

from snapref_crosscheck.checks import Effort
from snapref_crosscheck.process import MAX_COMPLAINT, CommandTarget
from snapref_crosscheck.protocol import Broken, OutOfTime, Refused, Unsupported
from snapref_crosscheck.run import crosscheck
from tests.harness.processes import wait_for_pids, wait_until_gone

ROUND = {"x": 1.5, "lattice": 1.0}
HEAD = """
import json, os, subprocess, sys, time
def say(text):
    sys.stdout.write(text); sys.stdout.flush()
def lines():
    for line in sys.stdin:
        yield json.loads(line)
"""


def target(tmp_path: Path, body: str, seconds: float = 1.0, deadline: float | None = None) -> CommandTarget:
    script = tmp_path / "target.py"
    script.write_text(HEAD + body)
    return CommandTarget([sys.executable, str(script)], seconds=seconds, deadline=deadline)


LIARS = {
    "hangs": ("for r in lines(): time.sleep(100)", "did not answer within"),
    "dies": (
        "for r in lines(): sys.exit('a last word')",
        "ended with exit status 1 before it answered; it wrote: 'a last",
    ),
    "is killed": ("for r in lines(): os.kill(os.getpid(), 9)", "was killed by signal 9"),
    "prints garbage": ("for r in lines(): say('hello\\n')", "which is not JSON"),
    "prints a list": ("for r in lines(): say('[1]\\n')", "which is not a JSON object"),
    "nests deeply": ("for r in lines(): say('[' * 100000 + '\\n')", "which is not JSON"),
    "lies about ids": (
        "for r in lines(): say(json.dumps({'id': r['id'] + 1, 'result': '0x1p+1'}) + '\\n')",
        "answered id 2 where 1 was asked",
    ),
    "has no id": ('for r in lines(): say(\'{"result": "0x1p+1"}\\n\')', "answered id None where 1"),
    "has a truthy id": ('for r in lines(): say(\'{"id": true, "result": "0x1p+1"}\\n\')', "answered id True"),
    "speaks first": ("say('hi\\n'); time.sleep(100)", "hi"),
    "floods": ("for r in lines():\n    while True: say('x' * 65536)", "more than 1048576 bytes in one line"),
    "closes its output": ("os.close(1); time.sleep(100)", "closed its standard output"),
    "answers a number": ("for r in lines(): say(json.dumps({'id': r['id'], 'result': 2.0}) + '\\n')", "C99 hex string"),
    "answers too many bits": (
        "for r in lines(): say(json.dumps({'id': r['id'], 'result': '0x1.00000000000001p+1'}) + '\\n')",
        "has more bits than a double",
    ),
    "answers nothing": ("for r in lines(): say(json.dumps({'id': r['id']}) + '\\n')", "has no 'result'"),
}


@pytest.mark.parametrize("what", LIARS)
def test_a_target_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr("snapref_crosscheck.process.STARTUP", 1.0)
    body, message = LIARS[what]
    liar = target(tmp_path, body)
    if what == "speaks first":
        liar.start()
        time.sleep(1.0)
    started = time.monotonic()
    liar.start()
    pid = liar._process.pid  # type: ignore[union-attr]
    with pytest.raises(Broken, match=message.replace("(", r"\(")):
        liar.call("round", dict(ROUND))
    assert time.monotonic() - started < 10
    assert wait_until_gone([pid]) == []
    liar.close()


def test_what_a_target_started_is_killed_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snapref_crosscheck.process.STARTUP", 5.0)
    body = (
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n"
        f"open({str(tmp_path / 'pids')!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "for r in lines(): time.sleep(1000)"
    )
    parent = target(tmp_path, body)
    parent.start()
    pids = wait_for_pids(tmp_path / "pids", 2)
    with pytest.raises(Broken):
        parent.call("round", dict(ROUND))
    assert wait_until_gone(pids) == []


def test_a_target_that_ignores_the_end_of_input_is_killed(tmp_path: Path) -> None:
    body = f"open({str(tmp_path / 'pids')!r}, 'w').write(str(os.getpid()))\ntime.sleep(1000)"
    deaf = target(tmp_path, body)
    deaf.start()
    pids = wait_for_pids(tmp_path / "pids", 1)
    deaf.close()
    assert wait_until_gone(pids) == []


def test_complaints_are_bounded_and_the_target_still_answers(tmp_path: Path) -> None:
    body = (
        "for r in lines():\n"
        "    sys.stderr.write('x' * 1000000); sys.stderr.flush()\n"
        "    say(json.dumps({'id': r['id'], 'result': '0x1p+1'}) + '\\n')"
    )
    noisy = target(tmp_path, body, seconds=20)
    assert noisy.call("round", dict(ROUND)) == 2.0
    assert len(noisy._complaints) <= MAX_COMPLAINT
    noisy.close()


def test_refusals_and_what_is_unsupported(tmp_path: Path) -> None:
    body = (
        "for r in lines():\n"
        "    more = {'error': 'no'} if r['op'] == 'round' else {'unsupported': True}\n"
        "    say(json.dumps({'id': r['id'], **more}) + '\\n')"
    )
    careful = target(tmp_path, body, seconds=20)
    with pytest.raises(Refused, match="no"):
        careful.call("round", dict(ROUND))
    with pytest.raises(Unsupported):
        careful.call("lattice", {"scale": 1.0})
    assert careful.describe().ties == "up"
    careful.close()


def test_the_time_for_the_whole_run(tmp_path: Path) -> None:
    slow = target(tmp_path, "for r in lines(): time.sleep(100)", seconds=50, deadline=time.monotonic() + 1)
    with pytest.raises(OutOfTime):
        slow.call("round", dict(ROUND))


def test_a_whole_run_with_a_broken_target_ends_soon_and_accuses_it(tmp_path: Path) -> None:
    report = crosscheck(target(tmp_path, "for r in lines(): sys.exit(3)", seconds=20), Effort(search=5, releases=50))
    assert report.conforms is False
    assert "exit status 3" in (report.results[1].witness or "")


def test_a_python_target_cannot_spoil_the_protocol(tmp_path: Path) -> None:
    """It prints, and still is checked: its standard output is not the protocol's."""
    (tmp_path / "printing_target.py").write_text(
        "class T:\n    def clamp(self, x, bound):\n        print('noise')\n        return max(-bound, min(bound, x))\n"
    )
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); "]
    command[-1] += "from snapref_crosscheck.serve import main; sys.exit(main(['printing_target:T']))"
    printing = CommandTarget(command, seconds=20)
    assert printing.call("clamp", {"x": 3.0, "bound": 1.0}) == 1.0
    printing.close()

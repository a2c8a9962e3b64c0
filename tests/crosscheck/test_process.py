"""Targets that hang, die, lie or flood: a clear failure, within the limits, and no process left."""

import sys
import time
from pathlib import Path

import pytest

from snapref_crosscheck.checks import Effort
from snapref_crosscheck.process import MAX_COMPLAINT, CommandTarget
from snapref_crosscheck.protocol import AdapterError, Broken, OutOfTime, Refused, TooSlow, Unsupported
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
    "answers null": ("for r in lines(): say(json.dumps({'id': r['id'], 'result': None}) + '\\n')", "C99 hex string"),
    "answers a number that is no double": (
        "for r in lines(): say('{\"id\": %d, \"result\": 9007199254740993}\\n' % r['id'])",
        "is not exactly a double",
    ),
    "answers too many bits": (
        "for r in lines(): say(json.dumps({'id': r['id'], 'result': '0x1.00000000000001p+1'}) + '\\n')",
        "has more bits than a double",
    ),
    "answers nothing": ("for r in lines(): say(json.dumps({'id': r['id']}) + '\\n')", "has no 'result'"),
}


@pytest.mark.parametrize("what", LIARS)
def test_a_target_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr("snapref_crosscheck.process.STARTUP", 0.0 if what == "hangs" else 1.0)
    body, message = LIARS[what]
    liar = target(tmp_path, body, seconds=0.2)
    if what == "speaks first":
        liar.start()
        time.sleep(1.0)
    started = time.monotonic()
    liar.start()
    pid = liar._process.pid  # type: ignore[union-attr]
    with pytest.raises(TooSlow if what in ("hangs", "is killed") else Broken, match=message.replace("(", r"\(")):
        liar.call("round", dict(ROUND))
    assert time.monotonic() - started < 10
    liar.close()
    assert wait_until_gone([pid]) == []


def test_what_a_target_started_is_killed_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snapref_crosscheck.process.STARTUP", 0.0)  # it is not waited for: it will not answer
    body = (
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])\n"
        f"open({str(tmp_path / 'pids')!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "for r in lines(): time.sleep(1000)"
    )
    parent = target(tmp_path, body, seconds=0.2)
    parent.start()
    pids = wait_for_pids(tmp_path / "pids", 2)
    with pytest.raises(TooSlow):
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


def test_a_program_that_never_answers_is_an_error_of_the_adapter(tmp_path: Path) -> None:
    with pytest.raises(AdapterError, match="exit status 3 before it answered; expected"):
        crosscheck(target(tmp_path, "for r in lines(): sys.exit(3)", seconds=20), Effort(search=5, releases=50))


CLAMP = "'result': float.hex(max(-b(r), min(b(r), float.fromhex(r['x']))))"
SOME = (
    "def b(r): return float.fromhex(r['bound'])\n"
    "for r in lines():\n"
    "    {more}\n"
    "    told = {{'unsupported': True}} if r['op'] != 'clamp' else {{" + CLAMP + "}}\n"
    "    say(json.dumps({{'id': r['id'], **told}}) + '\\n')"
)


def test_results_for_result_is_an_error_of_the_adapter(tmp_path: Path) -> None:
    body = SOME.format(more="").replace("'result'", "'results'")
    with pytest.raises(
        AdapterError, match=r"clamp: asked .* the answer has no 'result'.* expected .*\"result\": \"0x1"
    ):
        crosscheck(target(tmp_path, body, seconds=20), Effort(search=5, releases=50))


def test_one_operation_that_dies_hides_no_other(tmp_path: Path) -> None:
    """Where x is infinite and B = 1 it dies, every time it is asked; all other answers are judged."""
    dies = "if r['op'] == 'clamp' and (r['x'], r['bound']) == ('inf', float.hex(1.0)): os._exit(9)"
    body = SOME.format(more=dies)
    report = crosscheck(target(tmp_path, body, seconds=20), Effort(search=0, releases=50))
    (clamp,) = [result for result in report.results if result.status == "fail"]
    assert clamp.name == "clamp"
    assert any("ended with exit status 9" in finding.headline for finding in clamp.findings)
    assert clamp.cases > 400


def test_a_death_that_does_not_repeat_is_no_failure(tmp_path: Path) -> None:
    """It is killed now and then, as by a machine without memory."""
    mark = repr(str(tmp_path / "mark"))
    dies = f"n = {mark} + str(r['id']); r['id'] in (40, 300) and not os.path.exists(n) and (open(n, 'w'), os._exit(9))"
    honest = target(tmp_path, SOME.format(more=dies), seconds=20)
    report = crosscheck(honest, Effort(search=0, releases=50))
    wrong = [finding.headline for result in report.results for finding in result.findings]
    assert honest.hiccups == 2
    assert not any("exit status 9" in headline for headline in wrong)


def test_many_requests_in_flight_keep_their_order_and_never_block(tmp_path: Path) -> None:
    """The target reads nothing until much has been sent, and answers with long lines."""
    body = (
        "time.sleep(0.5)\n"
        "for r in lines():\n"
        "    results = [float.hex(float(r['id']))] * r['count']\n"
        "    say(json.dumps({'id': r['id'], 'results': results}) + '\\n')"
    )
    busy = target(tmp_path, body, seconds=20)
    args = {"value": 0.0, "epsilon": 1.0, "bound": 1.0, "sensitivity": 1.0}
    counts = [1, 10_000, 2, 3, 5_000, *range(1, 200)]
    found = list(busy.stream([("release", {**args, "count": count}) for count in counts]))
    assert [(len(x), x[0]) for x in found if isinstance(x, list)] == [(n, i + 1.0) for i, n in enumerate(counts)]
    busy.close()


def test_a_slow_question_is_asked_again(tmp_path: Path) -> None:
    mark = str(tmp_path / "mark")
    body = (
        f"for r in lines():\n"
        f"    if r['id'] == 3 and not os.path.exists({mark!r}): open({mark!r}, 'w'); time.sleep(100)\n"
        "    say(json.dumps({'id': r['id'], 'result': '0x1p+1'}) + '\\n')"
    )
    slow = target(tmp_path, body, seconds=0.5)
    assert list(slow.stream([("round", dict(ROUND))] * 10)) == [2.0] * 10
    assert slow.hiccups == 1
    slow.close()


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

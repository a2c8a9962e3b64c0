"""The runner: every way in which a check can end, and that nothing survives it."""

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from snapref_ledger import runner
from snapref_ledger.limits import LONGEST, backstop
from snapref_ledger.obligations import REGISTRY, Obligation, Outcome, Run
from snapref_ledger.runner import Result, run_all
from tests.harness.conftest import HEADER, Write
from tests.harness.processes import alive, wait_for_pids, wait_until_gone

# A check that starts a process of its own, writes both pids down, and stays.
LINGER = """
def linger(file):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open(file, "a") as out:
        out.write(f"{os.getpid()} {child.pid} ")
    time.sleep(600)
    return Outcome("proved")
"""


def outcomes(obligations: list[Obligation], run: Run | None = None, jobs: int = 2) -> dict[str, Outcome]:
    return {r.obligation.id: r.outcome for r in run_all(obligations, run or Run(), jobs)}


def one(write: Write, body: str, run: Run | None = None) -> Outcome:
    """What comes of one check with this body."""
    obligations = write(f"@register('one')\ndef one(run):\n{textwrap.indent(textwrap.dedent(body), '    ')}")
    (outcome,) = outcomes(obligations, run).values()
    return outcome


def test_an_outcome_arrives_whole(write: Write) -> None:
    outcome = one(write, "return Outcome('proved', 'd', 'w', {'z3': {'answer': 'unsat', 'seconds': 0.5}})")
    assert outcome == Outcome("proved", "d", "w", {"z3": {"answer": "unsat", "seconds": 0.5}})


def test_a_long_outcome_arrives_whole(write: Write) -> None:
    assert one(write, "return Outcome('refuted', witness='x' * 1_000_000)").witness == "x" * 1_000_000


def test_the_check_knows_its_run(write: Write) -> None:
    run = Run(timeout=50, solvers=("cvc5",), thorough=True, certificates=True)
    assert one(write, "return Outcome('proved', repr(run))", run).detail == repr(run)


def test_an_obligation_may_have_a_limit_of_its_own(write: Write) -> None:
    obligations = write("@register('x', timeout=40.0)\ndef x(run): return Outcome('proved', str(run.timeout))")
    assert outcomes(obligations)["x"].detail == "40.0"


def test_every_obligation_is_reported_once_whatever_the_number_of_jobs(write: Write) -> None:
    obligations = write("for n in range(9):\n    register(f'x{n}')(lambda run: Outcome('proved'))")
    for jobs in (1, 4, 20):
        results = list(run_all(obligations, Run(), jobs))
        assert sorted(r.obligation.id for r in results) == [f"x{n}" for n in range(9)]
        assert all(r.passed for r in results)


def test_no_obligations_no_results() -> None:
    assert list(run_all([], Run(), 2)) == []


@pytest.mark.parametrize("body", ["raise ValueError('oh\\nno')", "import sys; sys.exit(0)", "raise KeyboardInterrupt"])
def test_an_exception_is_an_error(write: Write, body: str) -> None:
    outcome = one(write, body)
    assert outcome.status == "error"
    assert outcome.detail.splitlines()[0].split(":")[0] in ("ValueError", "SystemExit", "KeyboardInterrupt")
    assert "Traceback" in outcome.detail


def test_the_first_line_of_an_error_is_the_whole_message(write: Write) -> None:
    assert one(write, "raise ValueError('oh\\nno')").detail.splitlines()[0] == "ValueError: oh no"


@pytest.mark.parametrize(
    "value",
    [
        "None",
        "True",
        "'proved'",
        "Outcome('Proved')",
        "Outcome(True)",
        "Outcome('proved', detail=3)",
        "Outcome('proved', engines=[])",
        "Outcome('proved', engines={'z3': object()})",
        "Outcome('proved', engines={'z3': float('nan')})",
    ],
)
def test_what_is_no_outcome_is_an_error(write: Write, value: str) -> None:
    assert one(write, f"return {value}").status == "error"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("os._exit(3)", "exited with status 3"),
        ("os._exit(0)", "exited with status 0"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL"),
        ("print('the last words', flush=True); os.abort()", "the last words"),
        ("os.killpg(0, signal.SIGKILL)", "died without a word"),
        ("raise MemoryError", "out of memory"),
    ],
)
def test_a_worker_that_dies_is_undecided(write: Write, body: str, said: str) -> None:
    outcome = one(write, body)
    assert outcome.status == "undecided"
    assert said in outcome.detail


def test_a_result_that_is_cut_short_is_undecided(write: Write) -> None:
    body = """
        import snapref_ledger.worker as worker
        def cut(fd, data):
            os.write(fd, data[:len(data) // 2])
            os._exit(0)
        worker._write = cut
        return Outcome("proved")
    """
    assert one(write, body).status == "undecided"


def test_a_fork_of_the_check_does_not_speak_for_it(write: Write) -> None:
    body = """
        if os.fork() == 0:
            return Outcome("proved")
        os.wait()
        return Outcome("refuted")
    """
    assert one(write, body).status == "refuted"


BUSY = "while True: pass"
BUSY_IN_C = "import re; re.match('(a+)+$', 'a' * 60 + 'b')"  # never lets go of the interpreter's lock


@pytest.mark.parametrize("body", [BUSY, BUSY_IN_C])
def test_what_computes_for_too_long_is_ended(write: Write, body: str) -> None:
    outcome = one(write, body, Run(timeout=0.5))
    assert outcome == Outcome("undecided", "used its limit of 1 s of processor time")


def test_time_in_which_nothing_is_computed_does_not_count(write: Write) -> None:
    assert one(write, "time.sleep(1.5)\nreturn Outcome('proved')", Run(timeout=0.1)).status == "proved"


def test_what_hangs_is_killed_with_all_that_it_started(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "backstop", lambda limit: limit)
    pids = tmp_path / "pids"
    obligations = write(f"{LINGER}\n@register('slow', timeout=1.0)\ndef slow(run): return linger({str(pids)!r})")
    outcome = outcomes(obligations)["slow"]
    assert outcome == Outcome("undecided", "had not ended after 1 s on the clock and was killed")
    assert wait_until_gone(wait_for_pids(pids, 2)) == []


def test_the_clock_is_far_behind_the_limit() -> None:
    assert backstop(0.5) == 600
    assert backstop(600) == 12_000
    assert backstop(1e300) == LONGEST


# The first time undecided, then proved. Each leaves its mark in a file, and waits until the other one has started.
SECOND_TIME = """
def start(name, others):
    with open(file, "a") as out:
        out.write(f"{name}\\n")
    while not all(other in open(file).read() for other in others):
        time.sleep(0.01)
    return open(file).read().split().count(name)

@register("busy")
def busy(run): return Outcome("proved" if start("busy", ["quick"]) == 2 else "undecided", "ran out")

@register("quick")
def quick(run): return Outcome("proved") if start("quick", ["busy"]) else None
"""


def test_what_is_undecided_beside_others_is_run_once_more_alone(write: Write, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    obligations = write(f"file = {str(marks)!r}\n{SECOND_TIME}")
    results = list(run_all(obligations, Run(), 2))
    assert [(r.obligation.id, r.outcome.status) for r in results] == [("quick", "proved"), ("busy", "proved")]
    assert sorted(marks.read_text().split()) == ["busy", "busy", "quick"]


NEVER = """
for name in ("a", "b", "c"):
    def never(run, name=name):
        with open(file, "a") as out:
            out.write(f"+{name}")
        time.sleep(0.3)
        with open(file, "a") as out:
            out.write(f"-{name}")
        return Outcome("undecided", "as ever")
    register(name)(never)
"""


@pytest.mark.parametrize("jobs", [1, 3])
def test_what_stays_undecided_is_reported_once(write: Write, tmp_path: Path, jobs: int) -> None:
    obligations = write(f"file = {str(tmp_path / 'marks')!r}\n{NEVER}")
    results = list(run_all(obligations, Run(), jobs))
    assert sorted(r.obligation.id for r in results) == ["a", "b", "c"]
    assert {(r.outcome.status, r.outcome.detail) for r in results} == {("undecided", "as ever")}
    written = (tmp_path / "marks").read_text()
    if jobs == 1:  # alone from the start: there is nothing to hope for from a second time
        assert written == "+a-a+b-b+c-c"
    else:  # side by side, and then one after the other
        assert len(written) == 24
        assert {written[12:][i : i + 4] for i in (0, 4, 8)} == {"+a-a", "+b-b", "+c-c"}


DEAF = "for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)\ntime.sleep(600)"


def test_a_worker_that_does_not_listen_is_killed_too(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "backstop", lambda limit: limit)
    assert "was killed" in one(write, DEAF, Run(timeout=0.5)).detail


def test_a_finished_check_leaves_no_process_behind(write: Write, tmp_path: Path) -> None:
    body = f"""
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open({str(tmp_path / "pids")!r}, "w").write(str(child.pid))
        return Outcome("proved")
    """
    assert one(write, body).status == "proved"
    assert wait_until_gone(wait_for_pids(tmp_path / "pids", 1)) == []


def test_who_stops_listening_leaves_no_process_behind(write: Write, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    obligations = write(
        f"{LINGER}\n@register('slow')\ndef slow(run): return linger({str(pids)!r})\n"
        f"@register('quick')\ndef quick(run):\n"
        f"    while not os.path.exists({str(pids)!r}): time.sleep(0.01)\n"
        f"    return Outcome('proved')"
    )
    results = run_all(obligations, Run(), 2)
    assert next(results).obligation.id == "quick"
    results.close()
    assert wait_until_gone(wait_for_pids(pids, 2)) == []


def test_an_obligation_that_its_module_does_not_register_is_an_error(write: Write) -> None:
    obligations = write("@register('x')\ndef x(run): return Outcome('proved')")
    stray = Obligation("stray", "C-1", "exact", "a test", obligations[0].check)
    assert "does not register stray" in outcomes([stray])["stray"].detail


def test_a_module_that_the_workers_cannot_import_is_an_error(write: Write, tmp_path: Path) -> None:
    obligations = write("@register('x')\ndef x(run): return Outcome('proved')")
    (tmp_path / f"{obligations[0].module}.py").write_text("raise RuntimeError('only here')")
    outcome = outcomes(obligations)["x"]
    assert outcome.status == "error"
    assert "RuntimeError: only here" in outcome.detail.splitlines()[0]


def test_only_the_expected_status_passes() -> None:
    def check(run: Run) -> Outcome:
        raise NotImplementedError

    for expected in ("proved", "refuted"):
        obligation = Obligation("x", "C-1", "exact", "a test", check, expected)
        for status in ("proved", "refuted", "undecided", "error"):
            assert Result(obligation, Outcome(status), 0.0).passed == (status == expected)


def test_registration_names_the_module_that_is_imported(write: Write, tmp_path: Path) -> None:
    (tmp_path / "snapref_fake_helper.py").write_text(HEADER)
    write("import snapref_fake_helper\nsnapref_fake_helper.register('x')(lambda run: Outcome('proved'))")
    assert REGISTRY["x"].module.startswith("snapref_fake_")
    assert REGISTRY["x"].module != "snapref_fake_helper"


def test_registration_refuses_a_second_id_and_what_is_no_function(write: Write) -> None:
    with pytest.raises(ValueError, match="registered twice"):
        write("for _ in range(2): register('x')(lambda run: Outcome('proved'))")
    with pytest.raises(TypeError, match="plain function"):
        write("import functools\nregister('y')(functools.partial(print))")


SCRIPT = """
import signal, sys
from snapref_harness.cli import main, registry
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
    registry.MODULES = ("snapref_fake_slow",)
    sys.exit(main(sys.argv[1:]))
"""


def start_verify(tmp_path: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    """A real `snapref verify`: a quick obligation, one to be run once more, two slow ones, one that has to wait."""
    text = f"{HEADER}{LINGER}\n@register('quick')\ndef quick(run): return Outcome('proved')\n"
    text += "@register('unsure')\ndef unsure(run): return Outcome('undecided')\n"
    for name in ("slow1", "slow2", "waits"):
        text += f"@register('{name}')\ndef {name}(run): return linger({str(tmp_path / 'pids')!r})\n"
    (tmp_path / "snapref_fake_slow.py").write_text(text)
    (tmp_path / "script.py").write_text(SCRIPT)
    return subprocess.Popen(
        [sys.executable, str(tmp_path / "script.py"), "verify", "--jobs", "2", "--json", str(tmp_path / "out.json")],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_reports_and_leaves_nothing(
    tmp_path: Path, environment: dict[str, str], number: signal.Signals
) -> None:
    process = start_verify(tmp_path, environment)
    pids = wait_for_pids(tmp_path / "pids", 4)
    process.send_signal(number)
    out, err = process.communicate()
    assert process.returncode == 3, err
    assert "Traceback" not in err
    assert "1 passed, 0 failed, 4 undecided" in out
    assert out.splitlines()[-1].endswith("interrupted with 4 not finished: the same command goes on from here")
    assert "UNDECIDED" not in out  # no block for what did not run
    assert (tmp_path / "out.json").exists()
    assert wait_until_gone(pids) == []


def test_a_killed_run_leaves_nothing(tmp_path: Path, environment: dict[str, str]) -> None:
    process = start_verify(tmp_path, environment)
    pids = wait_for_pids(tmp_path / "pids", 4)
    assert all(alive(pid) for pid in pids)
    process.kill()
    process.communicate()
    assert wait_until_gone(pids) == []

"""The command line `snapref`: one file for each verb, and what they share.

To add a verb, write it in a file of its own, as a function that returns an exit code, with an EXAMPLE beside it, and
`_add` it below. A verb imports what it needs when it runs, so that the command line starts quickly. Mistakes of the
user are raised as `output.Failure`, or by the reference as `ParameterError`.

Shared: `output` (exit codes, messages, JSON), `streams` (encodings, closed streams, full disks), `helping` (--help),
`numbers` (numbers as arguments), `progress` (the progress bar), `registry` (all obligations), and the `…_report`
modules, which print what a verb has found. `junit` writes JUnit XML.
"""

import functools
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from snapref_harness.cli import (
    accuracy,
    bench,
    claims,
    crosscheck,
    export,
    figure2,
    loss,
    plan,
    report,
    snap,
    sweep,
    theorem,
    vectors,
    verify,
)
from snapref_harness.cli.helping import Group, Verb
from snapref_harness.cli.numbers import NumbersCommand
from snapref_harness.cli.output import (
    AS_EXPECTED,
    READER_LEFT,
    TROUBLE,
    UNDECIDED,
    Failure,
    abandon,
    check_plot,
    check_target,
    complain,
)
from snapref_harness.cli.streams import check_output, explained, prepare

app = typer.Typer(
    cls=Group,
    help="A reference implementation of the snapping mechanism, and the proofs and tools that check it.",
    epilog="Exit codes: 0 as expected, 1 refuted, 2 usage or tool error, 3 undecided. Example: snapref verify",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


# Packages that `pip install snapref` does not bring, and the extra that does.
EXTRAS = {
    "numpy": "batch",
    "pysat": "certificates",
    "dratify": "certificates",
    "distributed": "dask",
    "dask": "dask",
    "jsonschema": "schema",
}


def _add(verb: Callable[..., int], example: str, *, numbers: bool = False, to: typer.Typer = app) -> None:
    """Adds a verb. `numbers`: some argument is a number, and a negative one must not be taken for an option."""
    cls = NumbersCommand if numbers else Verb
    to.command(verb.__name__, epilog=f"Example: {example}", cls=cls)(_guarded(verb))


def _guarded(verb: Callable[..., int]) -> Callable[..., int]:
    """What every verb does around its work. First it checks that the JSON file and standard output can be written. Then
    a bad parameter, a closed pipe, a full disk or Ctrl-C gets its message and exit code here, before typer would handle
    it in its own way."""

    @functools.wraps(verb)
    def guarded(*args: Any, **kwargs: Any) -> int:
        from snapref import ParameterError

        for name in ("json", "plot"):
            check_target(kwargs.get(name))
        check_output(not kwargs.get("quiet") or "-" in (kwargs.get(name) for name in ("json", "junit", "out")))
        try:
            check_plot(kwargs.get("plot"))
            code = verb(*args, **kwargs)
            sys.stdout.flush()
        except ParameterError as error:
            raise Failure(str(error)) from None
        except BrokenPipeError:
            abandon(sys.stdout)
            return READER_LEFT  # without a message: a reader that stops early has seen enough
        except OSError as error:
            raise explained(error) from None
        except ModuleNotFoundError as missing:
            raise _to_install(missing) from None
        except KeyboardInterrupt:
            raise Failure("interrupted", UNDECIDED) from None
        return code

    return guarded


def _to_install(missing: ModuleNotFoundError) -> Exception:
    """What to install where a package is missing; the error itself, where that is a package of our own."""
    package = (missing.name or "").partition(".")[0]
    if not package or package.startswith("snapref"):
        return missing
    wanted = f"'snapref[{EXTRAS[package]}]'" if package in EXTRAS else "snapref"
    return Failure(f"this needs {package}, which is not installed: pip install {wanted}")


_add(snap.snap, snap.EXAMPLE, numbers=True)
_add(verify.verify, verify.EXAMPLE)
_add(claims.claims, claims.EXAMPLE)
_add(loss.loss, loss.EXAMPLE, numbers=True)
_add(figure2.figure2, figure2.EXAMPLE, numbers=True)
_add(theorem.theorem, theorem.EXAMPLE)
_add(accuracy.accuracy, accuracy.EXAMPLE, numbers=True)
plans = typer.Typer(cls=Group, help=plan.HELP, epilog=f"Example: {plan.EXAMPLE}", rich_markup_mode=None)
app.add_typer(plans, name="plan")
_add(plan.bound, plan.EXAMPLE, numbers=True, to=plans)
_add(plan.epsilon, plan.EPSILON_EXAMPLE, numbers=True, to=plans)
_add(vectors.vectors, vectors.EXAMPLE)
_add(crosscheck.crosscheck, crosscheck.EXAMPLE)
_add(sweep.sweep, sweep.EXAMPLE)
_add(export.export, export.EXAMPLE)
_add(bench.bench, bench.EXAMPLE)
_add(report.report, report.EXAMPLE)


def _print_version(asked: bool) -> None:
    if asked:
        from snapref_ledger.cache import version

        print(f"snapref {version('snapref') or '(not installed)'}")
        raise typer.Exit()


@app.callback()
def _snapref(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


def main(args: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit code."""
    prepare()
    given = list(sys.argv[1:] if args is None else args)
    if given in ([], ["plan"]):  # whoever asks for nothing wants to know what there is
        given.append("--help")
    try:
        code = app(args=given, prog_name="snapref", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):  # of --help; typer makes an exit of a closed pipe
        abandon(sys.stdout)
        return READER_LEFT
    except Failure as failure:
        complain(str(failure))
        return failure.code
    except OSError as error:
        complain(str(explained(error)))
        return TROUBLE
    except typer.Abort:
        return TROUBLE
    except Exception as error:  # process boundary: a person gets one line, never a traceback
        complain(_explain(error))
        if os.environ.get("SNAPREF_DEBUG"):
            traceback.print_exc()
        return TROUBLE
    return code if isinstance(code, int) else AS_EXPECTED


def _explain(error: Exception) -> str:
    """Usage errors in typer's words. For any other error, the place in the code, but not the message: that might
    contain a private value."""
    if callable(format_message := getattr(error, "format_message", None)):
        command = getattr(getattr(error, "ctx", None), "command_path", "snapref")
        message = str(format_message()).rstrip(".")
        return f"{message[:1].lower()}{message[1:]} (see {command} --help)"
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    return f"internal error: {type(error).__name__} at {place}; set SNAPREF_DEBUG=1 to see the traceback"

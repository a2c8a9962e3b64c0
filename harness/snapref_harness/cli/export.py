"""`snapref export`: writes every obligation that solvers decide as an SMT-LIB 2 file, named by its id."""

from pathlib import Path
from typing import Annotated

import typer

from snapref_harness.cli.output import AS_EXPECTED, Failure, JsonOption, QuietOption, check_folder, count, write_json

EXAMPLE = "snapref export --out scripts"


def export(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The directory to write to. It is created if it does not exist.")
    ],
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> int:
    """Write the statements that solvers decide as SMT-LIB 2 scripts.

    With these you can ask a solver of your own. There is one file for each obligation. It says in comments what it is
    about, and with (set-info :status …) which answer is expected. All of them take about a minute."""
    from snapref_harness.cli.registry import load_obligations
    from snapref_smt.engine.export import scripts

    check_folder(out)
    load_obligations()
    written: list[dict[str, str]] = []
    try:
        out.mkdir(parents=True, exist_ok=True)
        for id, text in scripts():
            file = f"{id}.smt2"
            (out / file).write_text(text, encoding="utf-8")
            written.append({"obligation": id, "file": file})
    except OSError as error:
        raise Failure(f"{out} cannot be written: {error.strerror}") from None
    if json is not None:
        write_json({"files": written}, json)
    if json != "-" and not quiet:
        print(f"{count(len(written), 'script')} in {out}")
    return AS_EXPECTED

"""`snapref vectors`: writes test vectors, that is, inputs with their right answers, and their schema."""

from pathlib import Path
from typing import Annotated

import typer

from snapref_harness.cli.output import AS_EXPECTED, Failure, JsonOption, QuietOption, check_folder, write_json

EXAMPLE = "snapref vectors --out vectors"


def vectors(
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The directory to write to. It is created if it does not exist.")
    ],
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> int:
    """Write test vectors for every stage of the mechanism.

    A test vector is an input with its right answer. There is one JSON file for each operation, and a schema. The files
    are the same on every machine. The flags of a test say why it is there; each file explains its flags."""
    from importlib import resources

    from snapref_crosscheck.vectors import SCHEMA, VERSION, write

    check_folder(out)
    schema = resources.files("snapref_harness").joinpath("schemas", SCHEMA).read_text("utf-8")
    try:
        counts = write(out, schema)
    except OSError as error:
        raise Failure(f"{out} cannot be written: {error.strerror}") from None
    if json is not None:
        files = [{"file": f"{op}.json", "tests": count} for op, count in counts.items()]
        write_json({"version": VERSION, "schema": SCHEMA, "files": files}, json)
    if json != "-" and not quiet:
        width = max(len(op) for op in counts) + 5
        for op, count in counts.items():
            print(f"{op + '.json':{width}}  {count} tests")
        print(f"{sum(counts.values())} tests in {len(counts)} files, and {SCHEMA}")
    return AS_EXPECTED

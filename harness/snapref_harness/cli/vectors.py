"""`snapref vectors`: writes the test vectors and their schema."""

from pathlib import Path
from typing import Annotated

import typer

from snapref_harness.cli.output import AS_EXPECTED, Failure, JsonOption, QuietOption, write_json

EXAMPLE = "snapref vectors --out vectors"


def vectors(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The directory to write to; it is created where need be.")],
    quiet: QuietOption = False,
    json: JsonOption = None,
) -> int:
    """Write test vectors for every stage of the mechanism.

    One JSON file for each operation, and their schema. The files are the same on every machine. Each case carries
    flags, which its file explains."""
    from importlib import resources

    from snapref_crosscheck.vectors import SCHEMA, VERSION, write

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

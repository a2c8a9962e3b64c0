"""Serves a Python object, or a described C library, over the JSON-lines protocol: `python -m snapref_crosscheck.serve`.

The command line checks Python targets through this, in a process of their own. So a target that hangs, crashes or
writes to standard output does no harm. It is also the shortest way to see the protocol at work.
"""

import json
import os
import sys
from typing import IO, Any

from snapref_crosscheck.library import Library
from snapref_crosscheck.protocol import INTEGERS, OPERATIONS, Broken, Refused, Unsupported, from_wire, to_wire
from snapref_crosscheck.targets import PythonTarget, load

CANNOT_LOAD = 78  # the exit status that says: there is no such target


def answer(target: PythonTarget, request: dict[str, Any]) -> dict[str, Any]:
    """The reply to one request."""
    op, known = request.pop("op", None), {"id": request.pop("id", None)}
    if op == "describe":
        return {**known, **target.describe().as_fields()}
    if op not in OPERATIONS:
        return {**known, "unsupported": True}
    args = {name: x if name in INTEGERS else from_wire(x) for name, x in request.items()}
    try:
        result = target.call(op, args)
    except Unsupported:
        return {**known, "unsupported": True}
    except Refused as refusal:
        return {**known, "error": str(refusal)[:500]}
    if isinstance(result, list):
        spelled = {x: to_wire(x) for x in set(result)}  # releases repeat a few outputs very often
        return {**known, "results": [spelled[x] for x in result]}
    return {**known, "result": to_wire(result)}


def serve(target: PythonTarget, requests: IO[str], replies: IO[str]) -> None:
    """Answers requests until the end of input. A malformed result of the target ends the process, with the reason on
    standard error."""
    for request in requests:
        replies.write(json.dumps(answer(target, json.loads(request))) + "\n")
        replies.flush()


def main(args: list[str]) -> int:
    """`serve [--library] SPEC`: module:attribute, or the file that describes a library."""
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what the target prints goes to standard error
    try:
        if args[:1] == ["--library"]:
            target = PythonTarget(Library(args[1]))
        else:
            target = PythonTarget(load(args[0]), args[0])
    except Exception as error:  # process boundary: whatever importing a target may raise
        print(error, file=sys.stderr)
        return CANNOT_LOAD
    try:
        serve(target, sys.stdin, replies)
    except Broken as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

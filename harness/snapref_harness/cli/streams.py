"""Where output goes: any encoding, a closed stream, a full disk. Asked before the work, so that no result is made and
lost.

What an encoding does not hold is written in ASCII: ε as eps, ≤ as <=. A stream that was closed when the program started
is replaced by the null device, and `check_output` refuses verbs that would have to write to it.
"""

import codecs
import errno
import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from snapref_harness.cli.output import Failure, abandon

TABLE = (
    "≤ <=|≥ >=|≠ !=|≈ ~|≡ ==|± +-|∓ -+|· *|× x|÷ /|− -|– -|— -|⊕ (+)|⊗ (*)|⊖ (-)|⊘ (/)|∘ o|∞ inf|√ sqrt|∫ int|… ...|"
    "← <-|→ ->|↦ ->|↓ v|⇒ =>|⇓ =>|⟺ <=>|∈ in|∉ not-in|⊆ within|∩ cut|∪ union|⊎ union|∅ {}|∀ all|∃ some|∧ and|∨ or|"
    "¬ not|⌊ floor(|⌋ )|⌈ ceil(|⌉ )|⟨ <|⟩ >|½ 1/2|¼ 1/4|⁻ ^-|⁰ ^0|¹ ^1|² ^2|³ ^3|⁴ ^4|⁵ ^5|⁶ ^6|⁷ ^7|⁸ ^8|⁹ ^9|"
    "′ '|’ '|‘ '|“ \"|” \"|§ sec.|° deg|\u0304 _bar|✓ yes|✗ no|○ o"
)
SIGNS = dict(pair.split(" ") for pair in TABLE.split("|"))
LETTERS = {"EPSILON": "eps", "LAMDA": "lambda"}  # the others by the names that Unicode gives them: ALPHA, DELTA
_closed: set[str] = set()  # the streams that were closed when the program started


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """The handler of what a stream cannot encode."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_spelled, error.object[error.start : error.end])), error.end


def _spelled(character: str) -> str:
    """One character in ASCII: a sign, a Greek letter by its name, a letter without its accent, or its number."""
    if character in SIGNS:
        return SIGNS[character]
    name = unicodedata.name(character, "")
    if name.startswith("GREEK") and " LETTER " in name:
        letter = name.rpartition(" LETTER ")[2].split(" ")[0]
        spelled = LETTERS.get(letter, letter.lower())
        return spelled.capitalize() if " CAPITAL " in name else spelled
    is_letter = unicodedata.category(character)[0] in "LZ"  # or a blank
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode() if is_letter else ""
    return plain or character.encode("ascii", "backslashreplace").decode()


codecs.register_error("snapref", _in_ascii)


def prepare() -> None:
    """Makes both output streams such that any text can be written to them."""
    for descriptor in range(3):  # a file that is opened later must not become standard output
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest descriptor that is free: this one
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            _closed.add(name)
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open until the program ends
        if reconfigure := getattr(getattr(sys, name), "reconfigure", None):
            reconfigure(errors="snapref")


def check_output(needed: bool) -> None:
    """An error where a verb needs standard output and it is closed."""
    if needed and "stdout" in _closed:
        raise Failure("standard output is closed; send it to a file or to /dev/null, or use --quiet")


def explained(error: OSError) -> Failure:
    """What to say when a stream or a file failed on the way, as on a full disk."""
    what = error.strerror or type(error).__name__
    if error.filename is not None:
        return Failure(f"{error.filename} cannot be read or written: {what}")
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF):
        abandon(sys.stdout)  # the verbs name every other file that they write
        return Failure(f"standard output cannot be written: {what}")
    return Failure(f"input or output failed: {what}")


@contextmanager
def writer(target: str) -> Iterator[TextIO]:
    """The stream to write a result to: a file, or standard output where the target is -."""
    if target == "-":
        yield sys.stdout
        return
    try:
        with open(target, "w", encoding="utf-8") as stream:
            yield stream
    except OSError as error:
        raise Failure(f"{target} cannot be written: {error.strerror}") from None


def settle(stream: TextIO) -> None:
    """Waits until what was written has arrived: a full disk or a closed pipe shows here, and not later."""
    stream.flush()
    try:
        os.fsync(stream.fileno())
    except (OSError, ValueError) as error:  # pipes, terminals and devices know no fsync; they have refused by now
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL, errno.ENOTSUP, errno.EROFS):
            raise

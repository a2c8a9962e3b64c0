"""What a figure is: a picture in two widths, a legend, a caption, and the data behind it."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from markupsafe import Markup

WIDE, NARROW = 720, 350  # in pixels: a desktop or paper, and a telephone


def readable(text: str) -> str:
    """Text from the code, as people write it: ^ for powers, no backquotes."""
    return text.replace("**", "^").replace("`", "")


@dataclass(frozen=True)
class Key:
    """One line of a legend: a mark, as it is in the picture, and what it stands for."""

    mark: Markup
    words: str


@dataclass(frozen=True)
class Table:
    """The data behind a figure. The first column names the row."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def download(self) -> str:
        """As a data: address of a file with comma-separated values."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return "data:text/csv;charset=utf-8," + quote(stream.getvalue())


@dataclass(frozen=True)
class Figure:
    """A figure. `wide` and `narrow` are the same picture in two widths."""

    id: str
    title: str
    caption: str
    wide: Markup
    narrow: Markup
    table: Table
    legend: Sequence[Key] = field(default_factory=tuple)
    commands: Sequence[str] = ()  # what to run for more of the same

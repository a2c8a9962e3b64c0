"""Draws releases: as many at a time as the target's speed allows, so that a slow target is not taken for a dead one."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from snapref_crosscheck.checks import Context
from snapref_crosscheck.protocol import Broken, OutOfTime, Refused, TooSlow
from snapref_crosscheck.settings import Setting
from snapref_crosscheck.targets import stream

FIRST = 16  # releases of the first request
LARGEST = 5000  # of one request
AIM = 0.5  # seconds that a request should take
REFUSALS = 3  # in a row, after releases at the same setting, before that is a finding


class Inconsistent(Exception):
    """The target released at a setting, and then refused the same parameters, again and again."""


@dataclass
class Pace:
    """How many releases to ask for at once: more from a fast target, fewer from a slow one."""

    size: int = FIRST
    largest: int = LARGEST

    def learn(self, count: int, seconds: float) -> None:
        wanted = count * AIM / max(seconds, 1e-6)
        self.size = max(1, min(self.largest, int(wanted), 4 * self.size))

    def shrink(self) -> None:
        self.size = max(1, self.size // 8)


def draw(context: Context, pace: Pace, setting: Setting, total: int) -> Iterator[list[float]]:
    """Releases, batch by batch, `total` in all. Raises Refused if the target refuses the setting from the first."""
    done, refusals = 0, 0
    while done < total:
        if context.late():
            raise OutOfTime
        count = min(pace.size, total - done)
        started = time.monotonic()
        try:
            outputs = context.target.call("release", setting.args(count))
        except TooSlow:
            if count == 1:
                raise
            pace.shrink()
            continue
        except Refused as refusal:
            refusals += 1
            if not done:
                raise
            if refusals >= REFUSALS:
                raise Inconsistent(f"released, then refused, {setting}: {refusal}") from None
            continue
        assert isinstance(outputs, list)
        pace.learn(count, time.monotonic() - started)
        done, refusals = done + count, 0
        yield outputs


def draw_singly(context: Context, setting: Setting, total: int) -> list[float]:
    """Releases of requests for one release each, several in flight."""
    found: list[float] = []
    for outcome in stream(context.target, (("release", setting.args(1)) for _ in range(total) if not context.late())):
        if isinstance(outcome, OutOfTime | TooSlow | Broken):
            raise outcome
        if isinstance(outcome, list):
            found += outcome
    return found

"""Honest mechanisms under hardship: slow, jittery, stopped, killed, or limited in B. None of them may be accused."""

import os
import random
import signal
import subprocess
import sys
import time

from tests.mutants.honest import Honest
from tests.mutants.subtle import HonestQuick


class Whole(HonestQuick):
    """All operations, with quick releases. What it suffers is drawn anew in every process."""

    offers = None

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed if seed is not None else int.from_bytes(os.urandom(8)))
        self.luck = random.Random(int.from_bytes(os.urandom(8)))

    def suffer(self) -> None:
        """Before every release."""

    def once(self, value: float, scale: float, bound: float) -> float:
        self.suffer()
        return super().once(value, scale, bound)

    def round(self, x: float, lattice: float) -> float:
        self.suffer()
        return super().round(x, lattice)


class Slow(Whole):
    """15 ms for every release."""

    def suffer(self) -> None:
        time.sleep(0.015)


class Jittery(Whole):
    """Mostly quick, sometimes as late as the limit for a request."""

    def suffer(self) -> None:
        if self.luck.random() < 0.0005:
            time.sleep(self.luck.choice((0.05, 0.3, 0.7)))


class Niced(Whole):
    """It lets everything else run first, and is stopped now and then for a while."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(seed)
        os.nice(19)

    def suffer(self) -> None:
        if self.luck.random() < 0.0005:
            wake = f"import os, time; time.sleep(0.3); os.kill({os.getpid()}, {signal.SIGCONT:d})"
            subprocess.Popen([sys.executable, "-S", "-c", wake])
            os.kill(os.getpid(), signal.SIGSTOP)


class Killed(Whole):
    """A machine without memory kills it now and then."""

    def suffer(self) -> None:
        if self.luck.random() < 0.0003:
            os.kill(os.getpid(), signal.SIGKILL)


class FixedBound(Honest):
    """Takes B = 50.3 and no other."""

    def describe(self) -> dict[str, object]:
        return {"name": "fixed bound", "bound": 50.3}

    def validate(self, value: float, epsilon: float, bound: float, sensitivity: float) -> None:
        super().validate(value, epsilon, bound, sensitivity)
        if bound != 50.3:
            raise ValueError("bound")


class SmallestBound(Honest):
    """Takes no B below 1000."""

    def describe(self) -> dict[str, object]:
        return {"name": "smallest bound", "min_bound": "0x1.f4p+9"}

    def validate(self, value: float, epsilon: float, bound: float, sensitivity: float) -> None:
        super().validate(value, epsilon, bound, sensitivity)
        if bound < 1000:
            raise ValueError("bound")


class Interval(Honest):
    """Takes lower and upper; its own middle and half width."""

    offers = ("release",)

    def describe(self) -> dict[str, object]:
        return {"name": "interval", "interval": True}

    def release(  # type: ignore[override]
        self, value: float, epsilon: float, lower: float, upper: float, sensitivity: float, count: int
    ) -> list[float]:
        middle, half = (lower + upper) / 2, (upper - lower) / 2
        found = super().release(value - middle, epsilon, half, sensitivity, count)
        return [max(lower, min(upper, x + middle)) for x in found]


class InUnitsOfSensitivity(Honest):
    """Its lattice is in units of Δ."""

    offers = ("release",)

    def describe(self) -> dict[str, object]:
        return {"name": "in units of Δ", "lattice_unit": "sensitivity"}

    def release(self, value: float, epsilon: float, bound: float, sensitivity: float, count: int) -> list[float]:
        self.validate(value, epsilon, bound, sensitivity)
        found = super().release(value / sensitivity, epsilon, bound / sensitivity, 1.0, count)
        return [max(-bound, min(bound, x * sensitivity)) for x in found]


SUFFERING = (Slow, Jittery, Niced, Killed)
LIMITED = (FixedBound, SmallestBound, Interval, InUnitsOfSensitivity)

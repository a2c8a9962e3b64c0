"""A snapping mechanism with real mistakes in it: the subject of notes/tutorial.md. Do not use it."""

import math
import random


class Snapping:
    """Looks right, and so do its releases. Nearly every method has a mistake in it, all of them easily made."""

    def lattice(self, scale):
        return 2.0 ** math.ceil(math.log2(scale))

    def round(self, x, lattice):
        return round(x / lattice) * lattice

    def clamp(self, x, bound):
        return max(-bound, min(bound, x))

    def log(self, u):
        return math.log(u)

    def snap(self, value, scale, bound, sign, u):
        noisy = value + sign * scale * self.log(u)
        return self.clamp(self.round(noisy, self.lattice(scale)), bound)

    def release(self, value, epsilon, bound, sensitivity, count):
        scale = sensitivity / epsilon
        return [self.snap(value, scale, bound, random.choice((1, -1)), random.random()) for _ in range(count)]

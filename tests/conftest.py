"""Tests never assert a time: Hypothesis has no deadline here."""

from hypothesis import settings

settings.register_profile("snapref", deadline=None)
settings.load_profile("snapref")

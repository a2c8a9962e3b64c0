"""The same obligations for the tests as the harness has."""

from tests.harness.conftest import environment, isolated, write

__all__ = ["environment", "isolated", "write"]

"""The proof harness: what is claimed, what must be checked, what was found."""

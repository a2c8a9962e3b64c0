"""Document 000: how far an output is from the answer, and what that costs."""

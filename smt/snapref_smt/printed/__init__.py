"""The formulas of 001/002 §4: `formulas` has them literally, `obligations` proves them or finds where they fail."""

"""What 001/002 §4 print: `formulas` has it literally, `obligations` proves it or finds where it fails."""

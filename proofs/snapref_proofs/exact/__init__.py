"""What the evaluator shows at given parameters, in small formats, and about the law of U* (004 §4; 001/002 §3)."""

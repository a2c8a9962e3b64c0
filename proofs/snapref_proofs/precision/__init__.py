"""How many bits the arithmetic and the logarithm need (001/002 §3 and §5)."""

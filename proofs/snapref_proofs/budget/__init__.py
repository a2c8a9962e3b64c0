"""The redefinition of ε (001/002 §5): from ε to ε' and λ, and what B does."""

"""Cross-checks of production implementations against the reference. Nothing is here yet."""

"""The figures of the dossier, one module for each. A function in it computes the data and returns a `Figure`."""

"""The pictures of the dossier, one file each. Each has a function that computes its data and returns a `Figure`."""

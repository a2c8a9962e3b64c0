"""The ideal mechanism, in real arithmetic: 001/002 §2.2 and §6 (`model`), and document 003 (`dilation`)."""

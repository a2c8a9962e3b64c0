"""The ideal mechanism: the snapping mechanism in real arithmetic, without any rounding to floating-point numbers.

- `model` computes its distribution exactly, with Laplace noise (001 and 002, §2.2 and §6). The folders budget,
  accuracy and utility use it.
- `dilation` computes what document 003 defines (the dilation of two distributions) on simple examples.
- `statements` says, for all reals, what is true in document 003. `obligations` decides its claims, `V-…`; read it last.
"""

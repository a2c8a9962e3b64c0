"""Theorem 1 of document 004 (§4), corrected and proved: a bound on the privacy loss of the floating-point mechanism.

notes/theorem1.md tells the proof in words; read it first. Everything here is about one program,
clamp_B(round_Λ(c ⊕ S⊗λ⊗LN(U*))), with rounding to nearest even at p bits and unlimited exponents. The claim is `F-T1`.
The modules, in the order to read them:

- `statement`: what is proved, and under which conditions. `conditions` has these in words.
- `inversion`: from the program to exact thresholds and their errors.
- `widths`, `grid`, `coarse`, `reach`: where rounded distances lie, and how large B must be.
- `calculus`: a few facts about ln(1 - e^-w).
- `one_threshold`, `two_sided`, `scenarios`, `interior`: the cases of the proof. `subdivision` says where boxes are cut.
- `multiples`, `rows`, `coverage`: the tables of the proof. What each row uses, that each row is right, and that no row
  is missing.
- `premises`: what `coverage` starts from follows from the program. `parity`: from `coverage` to the rows for |x| = P/2.
- `terms`, `meanings`, `joined`, `joined_inside`: the functions that are optimised, as solver terms, bound the loss.
- `pages`, `pages_of_tables`, `pages_elsewhere`: what each lemma concludes, once more. `words`: what the joints take.
- `compose`: all lemmas and what each uses. `obligations` registers them, and `graph_obligation` sees that none is
  missing. `kernel` runs the proof in Coq.
- `every`: the same without a condition on the sensitivity, with a larger constant.
- `edges`: how far the conditions can be relaxed. `few_bits` goes through small formats; `directed` and `directed_law`
  are about rounding in one direction, `faithful` about any faithful rounding.
- Beside the proof: `independent` (a weaker bound for every sensitivity), `uniform64` (U* over the doubles), `below`
  (the worst case, solved for), `needed` (programs that break a condition), `ties` (other tie rules), `replay` (the
  tables checked on concrete numbers), `replayed` (the lemmas about the program compared with the evaluator),
  `instances` (what the lemmas assume, at concrete configurations).
"""

"""proofs/snapref_proofs/ideal"""

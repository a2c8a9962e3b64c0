"""proofs/snapref_proofs/budget"""

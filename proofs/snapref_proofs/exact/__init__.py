"""proofs/snapref_proofs/exact"""

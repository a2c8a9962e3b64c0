"""proofs/snapref_proofs/precision"""

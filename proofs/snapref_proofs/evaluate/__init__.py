"""proofs/snapref_proofs/evaluate"""

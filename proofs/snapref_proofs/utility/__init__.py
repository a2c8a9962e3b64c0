"""proofs/snapref_proofs/utility"""

"""proofs/snapref_proofs/figure2"""

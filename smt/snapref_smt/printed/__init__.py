"""smt/snapref_smt/printed"""

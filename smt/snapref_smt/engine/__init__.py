"""smt/snapref_smt/engine"""

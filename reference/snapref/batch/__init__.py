"""reference/snapref/batch"""

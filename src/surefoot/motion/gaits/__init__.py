"""Gaits: the numbers that make people walk like people."""

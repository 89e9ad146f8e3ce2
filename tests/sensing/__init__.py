"""Bases, measurements, the phase transition and recovery."""

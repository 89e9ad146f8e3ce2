"""Exports: other programs get the model's own numbers."""

"""Kernels, landmarks, kernel subspaces and pre-images."""

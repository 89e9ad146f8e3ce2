"""Tests of eigenlens: every test states a claim, and every claim can fail.

strategies   tables and problems drawn by shape, seed, decay, offset, dtype
market       named hard tables, each with its story
reference    slow, obvious answers in extended precision
distances    how far two answers are apart, and assertions about it
"""

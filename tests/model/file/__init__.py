"""Model files: what is saved comes back bit for bit, and nothing else comes back at all."""

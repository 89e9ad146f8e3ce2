"""The command line: what it prints, where, and how it ends."""

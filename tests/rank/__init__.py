"""How many components."""

"""Rules about the source itself: direction of imports, laziness, length, names, documentation."""

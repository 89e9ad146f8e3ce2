"""Tables for people: published numbers, identities, words of errors."""

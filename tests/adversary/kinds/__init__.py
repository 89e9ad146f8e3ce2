"""Kinds of attacks: every file is loaded, in the order of names; what they share is in `draws`."""

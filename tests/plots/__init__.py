"""Pictures: what is drawn, where, and from which numbers; never pixels."""

"""The model: what it derives, and the page it prints."""

"""The version, where every package can read it."""

__all__ = ["__version__"]

__version__ = "0.2.0"

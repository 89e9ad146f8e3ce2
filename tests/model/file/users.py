"""Somebody to whom things are forbidden, also where the tests run as root."""

import os
from contextlib import contextmanager

import pytest

__all__ = ["needs_users", "nobody"]

needs_users = pytest.mark.skipif(not hasattr(os, "seteuid"), reason="needs users of a Unix")


@contextmanager
def nobody():
    """Root becomes nobody for a while; anyone else stays who they are."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)

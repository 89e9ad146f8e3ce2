"""Lazy packages: their public names are loaded from their files on first use.

Such a package lists `HOMES`, public name -> file, and calls `make_lazy(__name__)`. Functions may
then have the names of their files: `explain.rows` is the function, also once its file is loaded.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["make_lazy"]


class LazyPackage(ModuleType):
    """A module that finds the names in its `HOMES`."""

    def __getattr__(self, name: str) -> Any:
        home = self.__dict__["HOMES"].get(name)
        if home is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(import_module(home), name)

    def __setattr__(self, name: str, value: object) -> None:
        # The import system would put the file's module here; it stays where imports find it.
        if not (name in self.__dict__["HOMES"] and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted(self.__dict__["HOMES"])


def make_lazy(name: str) -> None:
    """Make the module `name`, which has its `HOMES` already, load them on first use."""
    sys.modules[name].__class__ = LazyPackage

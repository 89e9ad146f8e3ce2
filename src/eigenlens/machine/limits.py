"""How many processors and how much memory this process may use.

| limit      | read from                                                                        |
|------------|----------------------------------------------------------------------------------|
| processors | affinity (taskset, Slurm), CPU quota of the control groups (Docker, Kubernetes)  |
| memory     | RAM, memory limit of the control groups, RLIMIT_AS (ulimit -v)                   |

The smallest counts. Control groups are nested, and each level may limit: all levels from the
group of this process up to the mount are read, of version 2 and of version 1. In a container the
path in /proc/self/cgroup may be that of the host; then the mount itself is the group. They are read
once: a dozen small files take longer than a fit of a small table.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = ["available_memory", "available_processors"]

ROOT = Path("/")
MODEST_BYTES = 4 << 30  # where the system does not tell how much memory it has


def available_processors(root: Path = ROOT) -> int:
    """At least one; `root` is where /proc and /sys are found."""
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    else:
        count = os.cpu_count() or 1
    # Part of a processor is a processor: a quota of 1.5 keeps two threads busy most of the time.
    quotas = [-int(-quota // 1) for quota in processor_quotas(root)]
    return max(1, min([count, *quotas]))


def available_memory(root: Path = ROOT) -> int:
    return min([physical_memory(), *memory_limits(root), *address_space_limit()])


@cache
def physical_memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return MODEST_BYTES


def address_space_limit() -> list[int]:
    try:
        import resource
    except ImportError:  # Windows
        return []
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return [] if soft == resource.RLIM_INFINITY else [soft]


# -- control groups ----------------------------------------------------------------------------


@cache
def memory_limits(root: Path) -> tuple[int, ...]:
    return tuple(read_memory_limits(root))


@cache
def processor_quotas(root: Path) -> tuple[float, ...]:
    return tuple(read_processor_quotas(root))


def read_memory_limits(root: Path) -> Iterator[int]:
    for group in group_folders(root, "memory"):
        for name in ("memory.max", "memory.high", "memory.limit_in_bytes"):
            words = words_in(group / name)
            if words and words[0].isdigit():  # version 2 writes "max" where there is no limit
                yield int(words[0])


def read_processor_quotas(root: Path) -> Iterator[float]:
    """In processors: microseconds of running time per microsecond."""
    for group in group_folders(root, "cpu"):
        words = words_in(group / "cpu.max") or [
            *words_in(group / "cpu.cfs_quota_us"),
            *words_in(group / "cpu.cfs_period_us"),
        ]
        if len(words) == 2 and all(word.isdigit() for word in words) and int(words[1]):
            yield int(words[0]) / int(words[1])


def group_folders(root: Path, controller: str) -> Iterator[Path]:
    """Folders of the groups this process is in, from the innermost to the mount."""
    mount = root / "sys/fs/cgroup"
    for line in text_of(root / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controller in controllers.split(","):
            yield from levels(mount / controllers, path)
            if controllers != controller:
                yield from levels(mount / controller, path)
        elif not controllers:  # version 2 has one hierarchy for all
            yield from levels(mount, path)


def levels(mount: Path, path: str) -> Iterator[Path]:
    parts = [part for part in path.split("/") if part not in ("", "..")]
    for count in range(len(parts), -1, -1):
        yield mount.joinpath(*parts[:count])


def words_in(path: Path) -> list[str]:
    return text_of(path).split()


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""

"""A process uses what its container allows, whatever the host has."""

import os

import pytest

from eigenlens.machine.limits import available_memory, available_processors

GB = 1 << 30
HERE = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def container(root, groups, files):
    """A file system in which this process is in `groups`, with these limits."""
    for name, text in {"proc/self/cgroup": groups, **files}.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return root


@pytest.mark.parametrize(
    ("groups", "files"),
    [
        # Version 2, the container's own view: its group is the mount.
        ("0::/\n", {"sys/fs/cgroup/memory.max": f"{GB // 4}\n"}),
        # Version 2, nested: the limit of an outer group counts.
        ("0::/pod/app\n", {
            "sys/fs/cgroup/pod/app/memory.max": "max\n",
            "sys/fs/cgroup/pod/memory.max": f"{GB // 4}\n",
        }),
        # Version 2, throttled before it is killed.
        ("0::/\n", {
            "sys/fs/cgroup/memory.max": "max\n",
            "sys/fs/cgroup/memory.high": f"{GB // 4}\n",
        }),
        # Version 1, with the path of the host, which is not there: the mount is the group.
        ("4:memory:/docker/0a1b\n0::/\n", {
            "sys/fs/cgroup/memory/memory.limit_in_bytes": f"{GB // 4}\n",
        }),
    ],
    ids=["v2", "v2 nested", "v2 high", "v1"],
)  # fmt: skip
def test_the_memory_limit_of_a_container_counts(tmp_path, groups, files):
    assert available_memory(container(tmp_path, groups, files)) == GB // 4


@pytest.mark.parametrize(
    ("groups", "files", "expected"),
    [
        ("0::/\n", {"sys/fs/cgroup/cpu.max": "100000 100000\n"}, 1),
        ("0::/\n", {"sys/fs/cgroup/cpu.max": "50000 100000\n"}, 1),
        ("0::/\n", {"sys/fs/cgroup/cpu.max": "max 100000\n"}, HERE),
        ("2:cpu,cpuacct:/x\n", {
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "90000\n",
            "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
        }, 1),
        ("2:cpu:/x\n", {
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
            "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        }, HERE),
    ],
    ids=["v2", "v2 half", "v2 none", "v1", "v1 none"],
)  # fmt: skip
def test_the_processor_quota_of_a_container_counts(tmp_path, groups, files, expected):
    assert available_processors(container(tmp_path, groups, files)) == expected


def test_without_control_groups_the_machine_counts(tmp_path):
    pages = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")

    assert available_memory(tmp_path) <= pages
    assert available_processors(tmp_path) == HERE


@pytest.mark.parametrize("text", ["", "what\n", "0::/\n::::\n"])
def test_unreadable_groups_limit_nothing(tmp_path, text):
    files = {"sys/fs/cgroup/memory.max": "no number\n", "sys/fs/cgroup/cpu.max": "1\n"}

    assert available_memory(container(tmp_path, text, files)) == available_memory(tmp_path / "none")


def test_a_limit_of_the_address_space_counts(tmp_path):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    limit = 100 << 40  # larger than this machine, so that nothing fails meanwhile
    resource.setrlimit(resource.RLIMIT_AS, (limit, before[1]))
    try:
        from eigenlens.machine.limits import address_space_limit

        assert address_space_limit() == [limit]
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)

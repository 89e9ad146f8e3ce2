"""Files of text appear when they are complete; links and permissions stay."""

import stat

import pytest

import eigenlens as el
from eigenlens.document.table import Table


def test_a_link_is_followed_and_permissions_stay(tmp_path):
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)

    Table({"k": [1, 2]}).to_csv(link)

    assert link.is_symlink()
    assert real.read_text() == "k\n1\n2\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(tmp_path.iterdir()) == [link, real]


def test_a_folder_is_no_file_to_write(tmp_path):
    with pytest.raises(el.FileError, match="folder"):
        Table({"k": [1]}).to_csv(tmp_path)

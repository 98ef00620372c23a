"""Files are written completely or not at all."""

import errno
import os
import re
from pathlib import Path

import pytest

from fmcts._saving import write_whole


def test_a_file_is_written_and_replaced(tmp_path):
    file = tmp_path / 'file'
    for content in (b'one', b'', b'another'):
        assert write_whole(str(file), content) == len(content)
        assert file.read_bytes() == content
    assert [*tmp_path.iterdir()] == [file]


@pytest.mark.parametrize('what', ['replace', 'open'])
@pytest.mark.parametrize('error', [OSError(errno.ENOSPC, 'No space left'), KeyboardInterrupt()])
def test_an_interruption_leaves_the_old_file(tmp_path, monkeypatch, what, error):
    file = tmp_path / 'file'
    file.write_bytes(b'before')

    def fails(*_args, **_options):
        raise error

    monkeypatch.setattr(Path, what, fails)
    with pytest.raises(type(error)) as found:
        write_whole(file, b'after')
    monkeypatch.undo()
    assert {it: it.read_bytes() for it in tmp_path.iterdir()} == {file: b'before'}
    if isinstance(error, OSError):
        assert (found.value.errno, found.value.filename) == (errno.ENOSPC, str(file))


def test_new_refuses_an_existing_file(tmp_path):
    file = tmp_path / 'file'
    write_whole(file, b'mine', new=True)
    with pytest.raises(FileExistsError, match='file'):
        write_whole(file, b'other', new=True)
    assert file.read_bytes() == b'mine'


@pytest.mark.skipif(os.name == 'nt', reason='needs the links and modes of POSIX')
def test_links_modes_and_pipes_are_kept(tmp_path):
    file, link = tmp_path / 'file', tmp_path / 'link'
    file.write_bytes(b'before')
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, b'after')
    assert link.is_symlink()
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b'after', 0o640)
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(OSError, match=re.escape(str(link))) as found:
        write_whole(link, b'lost')
    assert found.value.errno == errno.ELOOP
    new = tmp_path / 'new'
    write_whole(new, b'')
    (tmp_path / 'plain').write_bytes(b'')
    assert new.stat().st_mode == (tmp_path / 'plain').stat().st_mode
    assert write_whole('/dev/null', b'gone') == 4


def test_an_unwritable_file_is_named(tmp_path, monkeypatch):
    file = tmp_path / 'no' / 'file'
    with pytest.raises(FileNotFoundError) as found:
        write_whole(file, b'')
    assert found.value.filename == str(file)

    def read_only(path, *_args, **_options):
        raise OSError(errno.EROFS, 'Read-only file system', str(path))

    for what in ('open', 'unlink'):
        monkeypatch.setattr(Path, what, read_only)
    with pytest.raises(OSError, match='Read-only') as found:
        write_whole(tmp_path / 'file', b'')
    assert found.value.filename == str(tmp_path / 'file')

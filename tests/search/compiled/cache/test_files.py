"""Cache files: complete or absent, never locked, and limited in number."""

import os
import pathlib
import socket
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from fmcts._numba.cache import files

NAME, OTHER = 'a' * 64, 'b' * 64
NOW = 2e9

posix = pytest.mark.skipif(not hasattr(os, 'getuid'), reason='os.getuid is not there')


@pytest.fixture
def file(tmp_path):
    made = tmp_path / 'cache' / NAME
    files.write(made, b'code')
    return made


def test_written_code_can_be_read(file):
    assert files.read(file) == b'code'
    files.write(file, b'other code')
    assert files.read(file) == b'other code'
    assert [found.name for found in file.parent.iterdir()] == [NAME]
    if hasattr(os, 'getuid'):
        assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    'damage',
    [
        lambda _whole: b'',
        lambda _whole: b'nonsense',
        lambda whole: whole[:-1],
        lambda whole: whole + b'\0',
        lambda whole: bytes(32) + whole[32:],  # all there, but for the sum in front
        lambda whole: whole[:32] + b'kode',
    ],
)
def test_damaged_files_count_as_absent(file, damage):
    file.write_bytes(damage(file.read_bytes()))
    assert files.read(file) is None


def test_a_renamed_file_counts_as_absent(file):
    file.rename(file.with_name(OTHER))
    assert files.read(file) is None
    assert files.read(file.with_name(OTHER)) is None
    file.with_name(OTHER).rename(file)
    assert files.read(file) == b'code'


def a_pipe(file):
    os.mkfifo(file)


def a_socket(file):
    at = pathlib.Path.cwd()
    os.chdir(file.parent)  # its path may be too long for a socket
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(file.name)
    os.chdir(at)


def a_link(file):
    file.symlink_to(file.with_name(OTHER))


def a_link_to_endless_zeros(file):
    file.symlink_to('/dev/zero')


@posix
@pytest.mark.parametrize('make', [a_pipe, a_socket, a_link, a_link_to_endless_zeros, os.mkdir])
def test_anything_but_a_plain_file_counts_as_absent(file, make):
    """Read in a thread: a pipe that is opened would wait for ever for a writer."""
    file.rename(file.with_name(OTHER))
    make(file)
    found = []
    thread = threading.Thread(target=lambda: found.append(files.read(file)), daemon=True)
    thread.start()
    thread.join(30)
    assert found == [None]
    files.write(file, b'code')  # in its place, where that can be
    assert files.read(file) == (None if make is os.mkdir else b'code')
    assert {one.name for one in file.parent.iterdir()} == {NAME, OTHER}


@posix
def test_files_writable_by_others_count_as_absent(file, monkeypatch):
    for mode in (0o620, 0o602):
        file.chmod(mode)
        assert files.read(file) is None
    file.chmod(0o644)
    assert files.read(file) == b'code'
    user = os.getuid()
    monkeypatch.setattr(os, 'getuid', lambda: user + 1)
    assert files.read(file) is None


def test_why_a_place_cannot_be_written_to_is_returned(tmp_path):
    (tmp_path / 'file').write_text('not a folder')
    assert files.write(tmp_path / 'file' / NAME, b'code') == 'File exists'
    assert files.read(tmp_path / 'file' / NAME) is None
    assert [*tmp_path.iterdir()] == [tmp_path / 'file']


def aged(place, name, days, size=10):
    """A file last used so many days before `NOW`."""
    files.write(place / name, b'.' * (size - files.DIGEST) if size > files.DIGEST else b'')
    os.utime(place / name, (NOW - 86_400 * days,) * 2)


def names(place):
    return sorted(found.name[:5] for found in place.iterdir())


@pytest.fixture
def quiet(monkeypatch):
    """Files are written without pruning, so that a test can say what the time is."""
    real = files.prune
    monkeypatch.setattr(files, 'prune', lambda *_: None)
    return real


def test_old_files_are_pruned(tmp_path, quiet):
    for days in (0, 1, 179, 181, 400):
        aged(tmp_path, f'{days:064x}', days)
    quiet(tmp_path, NAME, NOW)
    assert {int(found.name, 16) for found in tmp_path.iterdir()} == {0, 1, 179}


def test_reading_or_writing_renews_a_file(file):
    os.utime(file, (0, 0))
    assert files.read(file) == b'code'
    assert time.time() - file.stat().st_mtime < 86_400
    os.utime(file, (0, 0))
    files.write(file.with_name(OTHER), b'code')
    assert [found.name for found in file.parent.iterdir()] == [OTHER]


@pytest.mark.parametrize(
    ('most', 'left'), [(299, '12'), (300, '123'), (100, '1'), (99, ''), (0, '')]
)
def test_beyond_the_size_limit_the_oldest_files_are_pruned(
    tmp_path, quiet, monkeypatch, most, left
):
    """Of equal age, the first in the alphabet stay."""
    monkeypatch.setattr(files, 'MOST_BYTES', most)
    for name, days in (('4', 9), ('2', 5), ('3', 5), ('1', 2), ('9', 50)):
        aged(tmp_path, name * 64, days, size=100)
    quiet(tmp_path, '9' * 64, NOW)  # the file just written, whatever its age
    assert {found.name[0] for found in tmp_path.iterdir()} == {'9', *left}


def test_foreign_files_are_never_pruned(tmp_path, quiet):
    for name in ('notes.txt', 'A' * 64, 'a' * 63, 'new-note', 'g' * 64):
        (tmp_path / name).write_text('mine')
        os.utime(tmp_path / name, (0, 0))
    (tmp_path / NAME).mkdir()
    before = names(tmp_path)
    quiet(tmp_path, OTHER, NOW)
    assert names(tmp_path) == before


def test_unfinished_files_of_dead_processes_are_pruned(tmp_path, quiet):
    for name, age in (('new-abcd_123', 3601), ('new-efgh_456', 3599)):
        (tmp_path / name).touch(mode=0o600)
        os.utime(tmp_path / name, (NOW - age,) * 2)
    quiet(tmp_path, OTHER, NOW)
    assert [found.name for found in tmp_path.iterdir()] == ['new-efgh_456']


def write_many(place, first):
    for number in range(first, first + 40):
        name = f'{number % 17:064x}'
        files.write(place / name, b'%d' % (number % 17) * 1000)
        assert files.read(place / name) in (None, b'%d' % (number % 17) * 1000)
        files.prune(place, name, time.time() + files.MOST_AGE * 2)


@pytest.mark.exhaustive
def test_processes_can_write_and_prune_concurrently(tmp_path):
    """Readers see a whole file or none, and nobody minds that another was quicker."""
    with ProcessPoolExecutor(4, get_context('spawn')) as pool:
        for done in [pool.submit(write_many, tmp_path, 10 * first) for first in range(4)]:
            done.result()
    for found in tmp_path.iterdir():
        assert files.read(found) == b'%d' % int(found.name, 16) * 1000

"""The place of cached code and its notices, without any machine code."""

import hashlib

import pytest

from fmcts._content.naming import UnknownValueError
from fmcts._numba.cache import disk
from fmcts.notices import listening


@pytest.fixture
def trusted(monkeypatch, tmp_path):
    """The folder for code; it is trusted unless the test says otherwise."""
    monkeypatch.setattr(disk, 'folder', lambda: tmp_path)
    monkeypatch.setattr(disk, 'untrusted', lambda _place: None)
    return tmp_path


def files_of(name, signatures='ab'):
    """Where the code of this name lies for each signature, and what is said."""
    heard = []
    with listening(heard.append):
        found = [disk.DiskCache(name, 'it')._file(signature) for signature in signatures]
    return found, heard


def test_files_are_named_by_code_and_signature(trusted):
    found, heard = files_of(lambda: 'name')
    keys = [hashlib.sha256(text).hexdigest() for text in (b'name a', b'name b')]
    assert found == [trusted / key for key in keys]
    assert heard == []


def test_an_untrusted_folder_is_not_used_and_reported_once(trusted, monkeypatch):
    monkeypatch.setattr(disk, 'untrusted', lambda place: f'others may write to {place.name}')
    found, heard = files_of(lambda: 'name')
    assert found == [None, None]
    why = f'others may write to {trusted.name}'
    assert heard == [f'machine code is not cached in {trusted}: {why}']


def test_without_a_folder_nothing_is_cached(monkeypatch):
    monkeypatch.setattr(disk, 'folder', lambda: None)
    assert files_of(lambda: 'name') == ([None, None], [])


def test_unnameable_code_is_not_cached_and_reported_once(trusted):
    def name():
        raise UnknownValueError(f'a value in {trusted.name}')

    found, heard = files_of(name)
    assert found == [None, None]
    why = f'machine code is not cached, as a change would go unnoticed: a value in {trusted.name}'
    assert heard == [why]

"""The cache folder: never the current folder, and never one that others may write to."""

import os
import pathlib
import stat
import sys

import pytest

from fmcts._numba.cache import place

posix = pytest.mark.skipif(not hasattr(os, 'getuid'), reason='os.getuid is not there')


@pytest.fixture
def environment(monkeypatch):
    """`environment(VARIABLE=...)`: no other variable says where caches are kept."""

    def have(**variables):
        for name in ('FMCTS_CACHE_DIR', 'XDG_CACHE_HOME'):
            monkeypatch.delenv(name, raising=False)
        for name, value in {'HOME': '/home/someone', **variables}.items():
            monkeypatch.setenv(name, value)

    return have


@pytest.mark.parametrize(
    ('variables', 'expected'),
    [
        ({'FMCTS_CACHE_DIR': '/chosen'}, '/chosen'),
        ({'FMCTS_CACHE_DIR': '~/chosen'}, '/home/someone/chosen'),
        ({'FMCTS_CACHE_DIR': 'some/chosen'}, '/home/someone/some/chosen'),
        ({'FMCTS_CACHE_DIR': '.'}, '/home/someone'),
        ({'FMCTS_CACHE_DIR': '', 'XDG_CACHE_HOME': '/caches'}, '/caches/fmcts'),
        ({'XDG_CACHE_HOME': '/caches'}, '/caches/fmcts'),
        ({'XDG_CACHE_HOME': '~/caches'}, '/home/someone/.cache/fmcts'),
        ({'XDG_CACHE_HOME': 'caches'}, '/home/someone/.cache/fmcts'),
        ({'XDG_CACHE_HOME': ''}, '/home/someone/.cache/fmcts'),
        ({}, '/home/someone/.cache/fmcts'),
    ],
)
@pytest.mark.skipif(sys.platform != 'linux', reason='elsewhere caches are kept in other folders')
def test_the_folder_is_where_the_platform_keeps_caches(environment, variables, expected):
    environment(**variables)
    assert place.folder() == pathlib.Path(expected)


@pytest.mark.parametrize(
    'variables',
    [
        {'FMCTS_CACHE_DIR': '~nobody-of-this-name/cache'},
        {'HOME': 'home', 'FMCTS_CACHE_DIR': 'cache'},
    ],
)
def test_without_a_home_there_is_no_folder(environment, variables):
    environment(**variables)
    assert place.folder() is None


@posix
@pytest.mark.parametrize('variables', [{}, {'XDG_CACHE_HOME': 'cache'}])
def test_a_relative_home_is_not_used(environment, variables, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    environment(HOME='home', **variables)
    assert not place.folder().is_relative_to(tmp_path)


def test_a_user_without_a_home_gets_no_cache(environment, monkeypatch):
    def homeless(*_names, **_options):
        raise RuntimeError

    environment()
    monkeypatch.setattr('platformdirs.user_cache_path', homeless)
    assert place.folder() is None


@pytest.fixture
def cache(tmp_path):
    """A folder that nobody else may write to, in another one."""
    made = tmp_path / 'parent' / 'cache'
    place.make(made)
    return made


@posix
def test_the_user_s_own_folder_is_trusted(cache):
    assert place.untrusted(cache) is None
    assert place.untrusted(cache / 'not' / 'yet' / 'there') is None
    cache.chmod(0o755)  # others may read
    assert place.untrusted(cache) is None


@posix
@pytest.mark.parametrize('mode', [0o720, 0o702, 0o777, 0o1777])
def test_a_folder_writable_by_others_is_untrusted(cache, mode):
    cache.chmod(mode)
    assert place.untrusted(cache) == f'others may write to {cache} (chmod go-w {cache})'


@posix
@pytest.mark.parametrize(('mode', 'refused'), [(0o770, True), (0o707, True), (0o1777, False)])
def test_a_parent_writable_by_others_is_untrusted_unless_sticky(cache, mode, refused):
    """In a sticky folder, as /tmp is, nobody can: but somebody could make what is not there yet."""
    cache.parent.chmod(mode)
    assert bool(place.untrusted(cache)) == refused
    assert bool(place.untrusted(cache / 'below')) == refused


@posix
def test_links_are_followed_before_trusting(cache, tmp_path):
    link = tmp_path / 'link'
    link.symlink_to(cache)
    assert place.untrusted(link) is None
    cache.chmod(0o777)
    assert place.untrusted(link) == f'others may write to {cache} (chmod go-w {cache})'


@pytest.fixture
def owned(monkeypatch):
    """`owned(folder, user)`: as if that user owned it, and this process were that of user 1000."""
    owners = {}
    real = pathlib.Path.stat
    before = os.getuid()

    def seen(path, **options):
        found = list(real(path, **options))
        found[stat.ST_UID] = owners.get(path, 1000 if found[stat.ST_UID] == before else 0)
        return os.stat_result(found)

    def have(folder, user):
        owners[folder] = user
        monkeypatch.setattr(pathlib.Path, 'stat', seen)
        monkeypatch.setattr(os, 'getuid', lambda: 1000)
        monkeypatch.setattr(os, 'geteuid', lambda: 1000)

    return have


@posix
@pytest.mark.parametrize(
    ('which', 'user', 'trusted'),
    [
        *(('folder', 1000, True), ('folder', 1001, False), ('folder', 0, False)),
        *(('parent', 1000, True), ('parent', 1001, False), ('parent', 0, True)),
    ],
)
def test_a_folder_of_another_user_is_untrusted(cache, owned, which, user, trusted):
    """The administrator may own what lies above, and nobody else."""
    folder = cache if which == 'folder' else cache.parent
    owned(folder, user)
    assert place.untrusted(cache) == (None if trusted else f'{folder} belongs to another user')


@posix
def test_a_process_with_another_user_s_rights_trusts_no_folder(cache, monkeypatch):
    monkeypatch.setattr(os, 'geteuid', lambda: os.getuid() + 1)
    assert place.untrusted(cache) == 'the process runs with the rights of another user'


@posix
def test_without_owners_every_folder_is_trusted(cache, monkeypatch):
    """On Windows, where Python shows neither owners nor who may write."""
    cache.chmod(0o777)
    monkeypatch.delattr(os, 'getuid')
    assert place.untrusted(cache) is None
    assert place.owner_only(cache.stat()) is False
    (cache / 'file').touch(mode=0o666)
    assert place.owner_only((cache / 'file').stat())


@posix
def test_folders_are_created_private_to_the_user(tmp_path):
    old = os.umask(0)  # as open as can be
    try:
        place.make(tmp_path / 'one' / 'two')
        place.make(tmp_path / 'one' / 'two')
    finally:
        os.umask(old)
    for made in (tmp_path / 'one', tmp_path / 'one' / 'two'):
        assert made.stat().st_mode & 0o777 == 0o700

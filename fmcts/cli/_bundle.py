"""Bundles: one file with the records of matches and what is needed to play them again.

A bundle is a ZIP archive with `records/1.jsonl`, `records/2.jsonl` and so on, as `--out` writes
them; `modules`, the source of the user's modules that the games and bots are made of; and
`bundle.json`, the versions with which it was made and the SHA-256 of every other file. Files that
modules read are not included.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import platform
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from itertools import accumulate
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Final

from attrs import define
from returns.result import Failure, Result, Success

from fmcts import __version__
from fmcts._arguments import cut, shown
from fmcts._content.user_code import is_user_code
from fmcts._saving import write_whole
from fmcts.cli._named import look_here, modules_named
from fmcts.matches._files import FieldError, object_in
from fmcts.notices import info

FORMAT: Final = 1
CONTENTS: Final = 'bundle.json'
PACKAGES: Final = ('numba', 'numpy')
DATE: Final = (1980, 1, 1, 0, 0, 0)  # so that equal contents are equal files
LARGEST: Final = 1 << 30  # bytes of all files: more is not a bundle
DAMAGED: Final = (
    *(OSError, zipfile.BadZipFile, ValueError, NotImplementedError, RuntimeError),
    *(EOFError, zlib.error),
)
"""What Python raises for a file that is not a ZIP archive, or a damaged one."""


def write_bundle(
    path: Path, records: Sequence[bytes], before: Mapping[str, bytes], after: Mapping[str, bytes]
) -> None:
    """Write a bundle with the files of some matches.

    `before` and `after`: the user's modules when the games began and when they ended. Those of the
    beginning are written, and a notice says which have changed.

    :raises OSError: it cannot be written.
    """
    changed = [name for name in before if after.get(name) != before[name]]
    if changed:
        info(f'{", ".join(changed)} changed during the games: {path} has the text from before')
    files = {f'records/{number}.jsonl': text for number, text in enumerate(records, 1)}
    files |= {f'modules/{name}': text for name, text in {**after, **before}.items()}
    contents = {
        'format': FORMAT,
        'versions': _versions(),
        'files': {name: _hash(files[name]) for name in sorted(files)},
    }
    files[CONTENTS] = f'{json.dumps(contents, indent=2)}\n'.encode()
    whole = BytesIO()
    with zipfile.ZipFile(whole, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, DATE), files[name], zipfile.ZIP_DEFLATED)
    write_whole(path, whole.getvalue())


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _versions() -> dict[str, str]:
    found = {'python': platform.python_version(), 'fmcts': __version__}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


# ---- the user's modules ----


def sources_of(specs: Iterable[str]) -> dict[str, bytes]:
    """Return the user's modules that specs need, by their paths from the folder of imports.

    These are the modules that the specs name, what they import anywhere in their text, and loaded
    modules from the same folders, which may have been imported by a computed name.
    """
    named = {name for spec in specs for name in modules_named(spec)}
    found: dict[str, Path] = {}
    waiting = [*named]
    while waiting:
        name = waiting.pop()
        spec = None if name in found else _spec_of(name)
        if spec is not None and _is_source(spec.origin):
            found[name] = Path(str(spec.origin))
            waiting += _imported(found[name], name)
    roots = {_root(found[name]) for name in found if '.' not in name}
    for name, module in [*sys.modules.items()]:
        file = getattr(module, '__file__', None)
        if name != '__main__' and _is_source(file):
            path = Path(str(file))
            if any(path.is_relative_to(root) for root in roots):
                found.setdefault(name, path)
    return {_place(name, path): path.read_bytes() for name, path in sorted(found.items())}


def _is_source(file: str | None) -> bool:
    return file is not None and file.endswith('.py') and is_user_code(file)


def _spec_of(name: str) -> ModuleSpec | None:
    """Return where a module is found; nothing is imported."""
    top, *rest = accumulate(name.split('.'), '{}.{}'.format)
    spec = PathFinder.find_spec(top)
    for whole in rest:
        if spec is None or spec.submodule_search_locations is None:
            return None
        spec = PathFinder.find_spec(whole, spec.submodule_search_locations)
    return spec


def _imported(file: Path, name: str) -> Iterator[str]:
    """Yield the modules that a module may import, with the packages that hold them."""
    package = name if file.name == '__init__.py' else name.rpartition('.')[0]
    for whole in {*_named_in(file, package), name}:
        yield from accumulate(whole.split('.'), '{}.{}'.format)


def _named_in(file: Path, package: str) -> Iterator[str]:
    """Yield the names after `import` and `from`, anywhere in a file; some are no modules."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (it.name for it in node.names)
        if isinstance(node, ast.ImportFrom):
            relative = '.' * node.level + (node.module or '')
            try:
                whole = importlib.util.resolve_name(relative, package)
            except ImportError:  # beyond the top package, in code that never runs
                continue
            yield whole
            yield from (f'{whole}.{it.name}' for it in node.names)


def _root(file: Path) -> Path:
    """Return the folder from which a module without a dot in its name is imported."""
    return file.parent.parent if file.name == '__init__.py' else file.parent


def _place(name: str, path: Path) -> str:
    """Return the path of a module from the folder from which it is imported."""
    whole = name.replace('.', '/')
    return f'{whole}/__init__.py' if path.name == '__init__.py' else f'{whole}.py'


# ---- reading ----


def is_bundle(path: Path) -> bool:
    """Return whether a file is named as a bundle: code of no other file is run."""
    return path.is_file() and path.suffix.lower() == '.zip'


@define
class Unpacking:
    """Bundles unpacked until the stack ends, and their modules, which must be equal.

    Modules come before others of their names, so there must be `only_bundles` beside them.
    """

    stack: ExitStack
    only_bundles: bool
    modules: Mapping[str, bytes] | None = None


def unpacked(path: Path, unpacking: Unpacking) -> Result[tuple[list[Path], str], str]:
    """Return the files of records of a bundle, unpacked, and with which other versions it was made.

    Its modules are found from then on, until the stack ends.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            files = _files(archive)
        contents = _contents(files)
    except DAMAGED as error:
        return Failure(f'{path}: is not a bundle: {cut(str(error), 120)}')
    wrong = _wrong_in(files, contents['files'])
    if wrong is not None:
        return Failure(f'{path}: {wrong}')
    folder = Path(unpacking.stack.enter_context(TemporaryDirectory(prefix='fmcts-')))
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    made, here = contents['versions'], _versions()
    others = [f'{name} {made[name]}' for name in made if made[name] != here.get(name)]
    modules = {name: content for name, content in files.items() if name.startswith('modules/')}
    if modules and not unpacking.only_bundles:
        return Failure(f'{path}: its modules would take the place of others: verify it by itself')
    if unpacking.modules is None:
        taken = [it.stem for it in (folder / 'modules').glob('*') if it.stem in sys.modules]
        if taken:
            return Failure(f'{path}: the module {taken[0]} is loaded already: verify it by itself')
        look_here()  # so that the current folder does not come first
        sys.path.insert(0, str(folder / 'modules'))
        unpacking.stack.callback(_forget, folder / 'modules')
        unpacking.modules = modules
    elif unpacking.modules != modules:
        return Failure(
            f'{path}: its modules are not those of the first bundle: verify it by itself'
        )
    found = sorted((folder / 'records').iterdir(), key=lambda it: (len(it.name), it.name))
    return Success((found, f' (made with {", ".join(others)})' if others else ''))


def _forget(folder: Path) -> None:
    """Undo the loading of a bundle's modules."""
    sys.path.remove(str(folder))
    for name, module in [*sys.modules.items()]:
        file = getattr(module, '__file__', None)
        if file and Path(file).is_relative_to(folder):
            del sys.modules[name]


def _files(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """Return the files of an archive.

    :raises ValueError: a file has a place that no bundle has, two have the same, or they are too
        large.
    """
    members = archive.infolist()
    names = {member.filename for member in members}
    if len(names) != len(members):
        raise ValueError('it has two files of one name')
    for member in members:
        parts = PurePosixPath(member.filename).parts
        known = member.filename == CONTENTS or (
            len(parts) > 1 and parts[0] in {'records', 'modules'} and '..' not in parts
        )
        if not known or '\\' in member.filename or ':' in member.filename:
            raise ValueError(f'it has the file {shown(member.filename)}')
    if sum(member.file_size for member in members) > LARGEST:
        raise ValueError('its files are too large')
    return {member.filename: archive.read(member) for member in members}


def _contents(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return what `bundle.json` says.

    :raises ValueError: it is not what fmcts writes there.
    """
    try:
        found = object_in(files[CONTENTS])
    except FieldError as error:
        raise ValueError(f'its {CONTENTS} {error}') from None
    except (KeyError, ValueError, RecursionError):
        found = {}
    layout = found.get('format')
    if type(layout) is int and layout > FORMAT:
        raise ValueError(f'its format is {layout}, and this version of fmcts reads {FORMAT}')
    texts = found.get('versions'), found.get('files')
    if {*found} != {'format', 'versions', 'files'} or not (
        type(layout) is int
        and layout == FORMAT
        and all(isinstance(it, dict) and all(map(_is_text, it.values())) for it in texts)
    ):
        raise ValueError(f'it has no {CONTENTS} as fmcts writes it')
    return found


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _wrong_in(files: Mapping[str, bytes], listed: Mapping[str, str]) -> str | None:
    """Return what is wrong with the files of a bundle, or `None`."""
    here = {name: _hash(content) for name, content in files.items() if name != CONTENTS}
    for name in sorted(listed.keys() | here.keys()):
        if name not in here:
            return f'{name} is missing'
        if listed.get(name) != here[name]:
            return f'{name} was altered or added'
    if not any(name.startswith('records/') for name in files):
        return 'has no records'
    return None

"""A result changes with the version only, as `docs/reproducibility.md` says.

    python tests/test_versions.py            adds the goldens of a version that is new

A version that is there already is never written anew.
"""

import hashlib
import importlib.metadata
import itertools
import json
import re
import sys
from pathlib import Path

import fmcts

ROOT = Path(__file__).parents[1]
GOLDENS = ROOT / 'tests/search/golden.json'
BY_VERSION = Path(__file__).with_name('goldens_by_version.json')
CHANGELOG = ROOT / 'CHANGELOG.md'


def of_the_goldens():
    """Return what each golden analysis finds, by a hash of what it searches."""
    found = {}
    for case in json.loads(GOLDENS.read_text(encoding='utf-8')):
        given = {key: case[key] for key in ('game', 'moves', 'rng', 'search')}
        name = hashlib.sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()[:16]
        found[name] = f'{case["move"]} {case["digest"][:16]}'
    return found


def released():
    return json.loads(BY_VERSION.read_text(encoding='utf-8'))


def test_the_goldens_equal_this_version_s_results():
    """When they must change: a new version, named under "Results changed" in the changelog."""
    assert len(released()[fmcts.__version__]) >= 77
    assert released()[fmcts.__version__].items() <= of_the_goldens().items()


def test_changed_results_are_announced_in_the_changelog():
    text = CHANGELOG.read_text(encoding='utf-8')
    versions = [*released()]
    for before, after in itertools.pairwise(versions):
        section = text.partition(f'\n## {after}')[2].partition('\n## ')[0]
        if not released()[before].items() <= released()[after].items():
            assert '### Results changed' in section, after


def test_the_changelog_starts_with_this_version():
    headings = re.findall(r'^## (.*)$', CHANGELOG.read_text(encoding='utf-8'), re.MULTILINE)
    assert re.fullmatch(rf'{re.escape(fmcts.__version__)} \(\d{{4}}-\d\d-\d\d\)', headings[0])


def test_the_distribution_has_this_version():
    assert fmcts.__version__ == importlib.metadata.version('fmcts')


def test_the_citation_has_this_version():
    text = (ROOT / 'CITATION.cff').read_text(encoding='utf-8')
    assert f'\nversion: {fmcts.__version__}\n' in text


if __name__ == '__main__':
    found = released() if BY_VERSION.is_file() else {}
    if fmcts.__version__ in found:
        sys.exit(f'{fmcts.__version__} has its goldens already')
    found[fmcts.__version__] = of_the_goldens()
    BY_VERSION.write_text(json.dumps(found, indent=2) + '\n', encoding='utf-8')

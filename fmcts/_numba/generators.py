"""The two generators in compiled code: a few words of state, and `draw`, which advances them.

The functions that mix and advance the words are the ones that Python runs, in `fmcts.rng`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from fmcts._numba.intrinsics import compiled_only, inlined, int64, leading_zeros, uint64
from fmcts.rng import Rng, SplitMix, StdGen, _splitmix as splitmix_source, _stdgen as stdgen_source
from fmcts.rng._stdgen import ONE_DRAW, RADIX


class SplitMixWords(NamedTuple):
    """A `SplitMix`."""

    state: Any
    gamma: Any


class StdGenWords(NamedTuple):
    """A `StdGen`."""

    s1: Any
    s2: Any


Generator: TypeAlias = type[SplitMixWords] | type[StdGenWords]

_KINDS: Final[dict[type, Generator]] = {SplitMix: SplitMixWords, StdGen: StdGenWords}

mix64 = inlined(splitmix_source.mix64)
advance = inlined(stdgen_source.advance)


def kind_of(rng: Rng) -> Any:
    """Return the compiled counterpart of a generator's class.

    :raises KeyError: the class has no compiled counterpart.
    """
    return _KINDS[type(rng)]


def words_of(rng: Any) -> tuple[Any, Any]:
    """Return the generator's words in the form that compiled code accepts."""
    return exact((rng.state, rng.gamma) if isinstance(rng, SplitMix) else (rng.s1, rng.s2))


def exact(words: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the words with the type that compiled code expects.

    Compiled code returns Python integers, and numba would treat small ones as signed: it would
    compile the code again, with signed shifts.
    """
    first, second = words
    return uint64(first), uint64(second)


def generator_of(like: Any, words: tuple[Any, Any]) -> Any:
    """Return the generator with these words, of the same class as `like`."""
    first, second = map(int, words)
    if type(like) is SplitMix:
        return splitmix_source.made_of(first, second)
    return type(like)(first, second)


def _draw_splitmix(rng: Any, count: Any) -> Any:  # compiled
    if count <= 1:
        return 0, rng
    mask = int64(-1) ^ (int64(-1) << (64 - leading_zeros(count - 1)))
    gamma = rng.gamma
    state = rng.state
    while True:
        # Two words at a time. The second takes the place of a rejected first without a branch,
        # which the processor would mispredict about as often as a word is rejected.
        first = state + gamma
        second = first + gamma
        index = int64(mix64(first)) & mask
        spare = int64(mix64(second)) & mask
        rejected = index >= count
        index = spare if rejected else index
        state = second if rejected else first
        if index < count:
            return index, SplitMixWords(state, gamma)


def _draw_stdgen(rng: Any, count: Any) -> Any:  # compiled
    number, s1, s2 = advance(int64(rng.s1), int64(rng.s2))
    value = number - 1
    if count > ONE_DRAW:
        covered = int64(RADIX)
        # At most one draw more, as counts have 32 bits; then nothing grows past 63 bits.
        while covered < 1000 * count:
            number, s1, s2 = advance(s1, s2)
            value, covered = value * RADIX + number - 1, covered * RADIX
    index = value % count if count > 1 else int64(0)
    return index, StdGenWords(uint64(s1), uint64(s2))


@compiled_only
def draw(rng: Any, count: Any) -> Any:
    """Return an index below `count` and the next generator, equal to `Draws` draw for draw.

    A `count` below 1, which only wrong rules can request, gives index 0.
    """
    sources = {SplitMixWords: _draw_splitmix, StdGenWords: _draw_stdgen}
    return sources.get(getattr(rng, 'instance_class', None))  # type: ignore[arg-type]


def _draw_splitmix_often_two(rng: Any, count: Any) -> Any:  # compiled
    if count == 2:  # never rejected, so the next word does not wait for this one
        state = rng.state + rng.gamma
        return int64(mix64(state)) & 1, SplitMixWords(state, rng.gamma)
    return draw(rng, count)


@compiled_only
def draw_often_two(rng: Any, count: Any) -> Any:
    """Return what `draw` returns, sooner where `count` is 2 more often than not."""
    sources = {SplitMixWords: _draw_splitmix_often_two, StdGenWords: _draw_stdgen}
    return sources.get(getattr(rng, 'instance_class', None))  # type: ignore[arg-type]

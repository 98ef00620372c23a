"""Histories of games with chance or other players: versions, reasons, files."""

from functools import cache

import pytest
from attrs import evolve

from fmcts import Search, SplitMix, analyse, reroot
from fmcts.game import chances_of, players_of
from fmcts.games import tictactoe
from fmcts.games.chance import mnk3
from fmcts.history import FileError, history, load, load_history, load_log, parting, save
from toy_games import BY_CHANCE as STARTS, play_line

RNG = SplitMix.from_seed(3)
ONE_NUMBER = ('pig', 'bearoff')  # games between X and O with a winner


@cache
def made(name):
    return history(STARTS[name], RNG, Search(120), 'persistent')


@pytest.mark.parametrize('name', STARTS)
def test_every_version_equals_a_search(name):
    h = made(name)
    for k in (1, 47, 120):
        found, rng = analyse(STARTS[name], RNG, Search(k), engine='inplace')
        assert h.at(k) == found
        assert h.log.digest(k) == found.digest
        assert h.rng_at(k) == rng
    assert all(h.log.leaves)
    assert h.leaders()[-1].move == h.move
    assert h.timeline(5)[-1].stats == h.at(120).stats


@pytest.mark.parametrize('name', STARTS)
def test_the_log_has_chance_s_outcomes(name):
    """Each node is reached from the root by its moves and outcomes, those of the log alone."""
    h, players = made(name), players_of(STARTS[name])
    log = h.log
    assert (log.players, log.several) == (len(players), name not in ONE_NUMBER)
    states, drawn = [h.root.state], 0
    for above, index, count, mover in zip(
        log.parents[1:], log.indexes[1:], log.moves[1:], log.movers[1:], strict=True
    ):
        before = states[above]
        chances = chances_of(before)
        drawn += bool(chances)
        options = [outcome for outcome, _ in chances] or before.moves
        states.append(before.play(options[index]))
        assert players[mover] == before.player
        assert count == len(chances_of(states[-1]) or states[-1].moves)
    assert bool(drawn) == (name not in ('puzzle', 'mnk3'))


@pytest.mark.parametrize('name', STARTS)
def test_why_replays_an_iteration(name):
    h = made(name)
    for k in (2, 60, 120):
        why = h.why(k)
        state = play_line(h.root.state, (*why.path, *why.playout))
        assert state.over
        assert h.log.outcomes[k - 1] == why.outcome
        states = [h.root.state]
        for choice in why.choices:
            here = states[-1]
            assert (choice.by == 'chance') == bool(chances_of(here))
            states.append(here.play(choice.move))
        assert str(why).endswith(
            ', '.join(
                f'{reward:g} to {player}'
                for reward, player in zip(why.outcome, players_of(state), strict=True)
            )
            if isinstance(why.outcome, tuple)
            else f'worth {why.outcome:g} to X'
        )
    drawing = [it for it in h.why(120).choices if it.by == 'chance']
    assert all(str(it).endswith(f'chance draws {it.move}') for it in drawing)


@pytest.mark.parametrize('name', STARTS)
def test_files_and_forks(name, tmp_path):
    h, start = made(name), STARTS[name]
    save(tmp_path / 'history', h)
    assert load_log(tmp_path / 'history') == h.log
    assert load_history(tmp_path / 'history', start) == h
    save(tmp_path / 'tree', h.tree, h.after)
    assert load(tmp_path / 'tree', start) == (h.tree, h.after)
    fork = h.fork(50, Search(20, c=0.1))
    assert fork.log.digest() == fork.digest
    save(tmp_path / 'fork', fork)
    assert load_log(tmp_path / 'fork') == fork.log
    assert parting(h, history(start, RNG, Search(121), 'persistent')).what == 'end'
    with pytest.raises(FileError):
        load(tmp_path / 'tree', tictactoe.start)


@pytest.mark.parametrize('options', [{'selection': 'grave'}, {'playout': 'last-good-reply'}])
def test_what_three_players_remember_is_read_from_a_file(options, tmp_path):
    start = mnk3.start(3, 3, 3)
    found, rng = analyse(start, RNG, Search(60, **options), engine='persistent')
    save(tmp_path / 'tree', found, rng)
    assert load(tmp_path / 'tree', start) == (found.tree, rng)


def test_a_tree_below_a_throw_in_a_file(tmp_path):
    tree = reroot(made('pig').tree, 'roll')
    save(tmp_path / 'tree', tree)
    found, _ = load(tmp_path / 'tree', tree.state)
    assert [child.move for child in found.children] == [child.move for child in tree.children]
    assert found.visits == tree.visits


def test_where_searches_diverge():
    other = history(STARTS['mnk3'], RNG, Search(120, c=0.5), 'persistent')
    found = parting(made('mnk3'), other)
    assert found.choices[0].by == 'score'
    found = parting(made('pig'), history(STARTS['pig'], RNG.child(1), Search(120), 'persistent'))
    assert found.what in ('path', 'outcome')
    both = [evolve(it, by='chance') for it in made('pig').why(100).choices[:2]]
    text = str(evolve(found, what='path', line=(), choices=tuple(both)))
    assert f'chance draws {both[0].move} in one and {both[1].move} in the other' in text


def test_what_if_with_other_outcomes():
    for name, worth in (('pig', 1.0), ('mnk3', (0, 1, 0)), ('2048', (0.25,))):
        h = made(name)
        k = next(k for k in range(100, 121) if h.why(k).playout)
        found = h.what_if(k, worth)
        changed = list(h.log.outcomes[:k])
        changed[k - 1] = worth
        version = evolve(h.log, outcomes=[*changed, *h.log.outcomes[k:]])
        assert found.history.root.visits == k
        assert version.at(k)[1][0] == found.history.root.reward
    for wrong in (0.5, (1, 0), (0, 1, 2), (0, 1, 0, 0)):
        with pytest.raises(ValueError, match='outcome must be a tuple of 3 numbers from 0 to 1'):
            made('mnk3').what_if(100, wrong)
    assert 'to A, 1 to B, 0 to C, not' in repr(made('mnk3').what_if(100, (0, 1, 0)))

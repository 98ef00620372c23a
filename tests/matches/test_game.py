"""One game of a match, against its definition."""

import pytest
from attrs import evolve

from fmcts import EndlessGameError, Player, Search, analyse, mcts, play_game, random_bot, reroot
from fmcts.errors import FinishedGameError, IllegalMoveError
from fmcts.games import tictactoe
from fmcts.matches import Match, PlayedGame, _game as game, play_number
from fmcts.matches._game import opening_of, points
from played import RNG, small
from toy_games import Corridor, play_line

X, O = Player.X, Player.O  # noqa: E741 - their names
RANDOM = small(first=random_bot)


def after(moves, state=tictactoe.start):
    return play_line(state, moves)


# ---- points ----


@pytest.mark.parametrize(
    ('side', 'winner', 'worth'),
    [(X, X, 1.0), (X, O, 0.0), (X, None, 0.5), (O, X, 0.0), (O, O, 1.0), (O, None, 0.5)],
)
def test_points_are_for_the_first_bot(side, winner, worth):
    played = evolve(play_number(RANDOM, 0), first_plays=side, winner=winner)
    assert played.points == worth


def test_only_whole_pairs_count():
    """A pair that is not whole yet says nothing: its other side is to come."""
    one = play_number(RANDOM, 0)
    worth = {1.0: X, 0.0: O, 0.5: None}
    games = tuple(
        evolve(one, number=number, first_plays=X, winner=worth[each])
        for number, each in enumerate((1.0, 0.5, 0.0, 0.0, 0.5, 0.0, 1.0))
    )
    assert points(games) == (1.5, 0.0, 0.5)
    assert points(games[:2]) == (1.5,)
    assert points(games[:1]) == points(()) == ()


# ---- openings ----


def test_random_openings_come_from_the_pair_s_first_child():
    described = evolve(RANDOM, opening_plies=3)
    for number in range(6):
        rng, state, moves = RNG.child(number // 2).child(0), tictactoe.start, []
        for ply in range(3):
            index, rng = rng.uniform(0, 8 - ply)
            moves.append(state.moves[index])
            state = state.play(moves[-1])
        assert opening_of(described, number) == tuple(moves)
    assert len({opening_of(described, number) for number in (0, 2, 4)}) == 3
    assert opening_of(evolve(described, opening_plies=0), 0) == ()


def test_random_openings_stop_before_a_final_move():
    long = evolve(RANDOM, opening_plies=9)
    for number in range(0, 40, 2):
        line = opening_of(long, number)
        assert not after(line).over
        assert len(line) >= 4
        rng = RNG.child(number // 2).child(0)
        for ply in range(len(line)):
            _, rng = rng.uniform(0, 8 - ply)
        index, _ = rng.uniform(0, 8 - len(line))
        assert after(line).play(after(line).moves[index]).over


def test_given_openings_are_used_in_turn():
    described = evolve(RANDOM, opening_plies=0, openings=[[4], [0, 8], []])
    found = [opening_of(described, number) for number in range(10)]
    assert found == [(4,), (4,), (0, 8), (0, 8), (), (), (4,), (4,), (0, 8), (0, 8)]


# ---- games ----


def test_play_uses_the_pair_s_second_child():
    described = small(first=mcts(Search(9)), opening_plies=2)
    for number in range(4):
        opening, rng = opening_of(described, number), RNG.child(number // 2).child(1)
        bots = described.bots[::-1] if number % 2 else described.bots
        record, end = play_game(after(opening), *bots, rng)
        side = (X, O)[number % 2]
        assert play_number(described, number) == PlayedGame(
            number, tictactoe.start, side, opening, record.moves, record.winner, rng, end
        )


def test_a_game_beyond_max_plies_is_reported():
    with pytest.raises(EndlessGameError, match='4 plies'):
        play_number(evolve(RANDOM, max_plies=4, opening_plies=0), 0)


def later(answer):
    """A bot that plays as it should in the first three plies, and then answers so."""
    return lambda state, rng: answer if len(state.moves) < 7 else (state.moves[0], rng)


@pytest.mark.parametrize(
    ('answer', 'wrong'),
    [
        ((9, RNG), 'illegal move 9: the legal moves are '),
        ((0, None), 'expected a generator after its move, not None$'),
        (0, 'expected a move and a generator, not 0$'),
    ],
    ids=['move', 'generator', 'pair'],
)
def test_wrong_answers_name_the_game_ply_and_bot(answer, wrong):
    """Plies are counted from 1, those of the opening too; in odd games the first bot plays O."""
    for first, names in ((True, ('mine', 'other')), (False, ('other', 'mine'))):
        given = {'first' if first else 'second': later(answer)}
        described = small(**{'first': random_bot, 'opening_plies': 2, 'names': names, **given})
        for number in range(4):
            side, ply = ('X', 5) if first is (number % 2 == 0) else ('O', 4)
            told = f'^game {number}: ply {ply}: mine \\({side}\\) against other: {wrong}'
            with pytest.raises(IllegalMoveError, match=told):
                play_number(described, number)


# ---- kept trees ----


def by_kept_trees(described, number, asked):
    """The moves of a game in which the first bot keeps its tree, from the definition."""
    bot, side = described.first, (X, O)[number % 2]
    state, rng = after(opening_of(described, number)), RNG.child(number // 2).child(1)
    tree, moves = None, []
    while not state.over:
        if state.player is side:
            known = 0 if tree is None else tree.visits
            asked.append(max(1, bot.search.iterations - known))
            search = evolve(bot.search, iterations=asked[-1])
            tree, rng = analyse(state, rng, search, engine=bot.engine, tree=tree)
            move = tree.move
        else:
            move, rng = described.second(state, rng)
        state, moves = state.play(move), [*moves, move]
        tree = None if tree is None or state.over else reroot(tree, move)
    return tuple(moves), rng


@pytest.mark.parametrize('iterations', [1, 40, 3000])
def test_a_kept_tree_follows_the_moves_and_is_topped_up(iterations, monkeypatch):
    """Of a reply that the tree does not know, nothing is kept."""
    bot = mcts(Search(iterations), engine='inplace')
    described = small(first=bot, second=random_bot, opening_plies=0, keep_trees=True)
    made = []

    def counted(state, rng, search, **more):
        assert more['engine'] == 'inplace'
        made.append(search.iterations)
        return analyse(state, rng, search, **more)

    monkeypatch.setattr(game, 'analyse', counted)
    asked = []
    for number in range(2 if iterations == 3000 else 4):
        played = play_number(described, number)
        assert (played.moves, played.rng_out) == by_kept_trees(described, number, asked)
    assert made == asked
    assert made[0] == iterations
    assert iterations == 1 or 1 <= min(made[1:]) < iterations


def test_a_complete_tree_gets_one_more_iteration(monkeypatch):
    """A search has at least one. (Where the side to move stays, all may have gone through it.)"""
    made = []

    def counted(state, rng, search, **more):
        made.append(search.iterations)
        return analyse(state, rng, search, **more)

    monkeypatch.setattr(game, 'analyse', counted)
    bot = mcts(Search(20), engine='inplace')
    described = Match(first=bot, second=random_bot, start=Corridor(5), rng=RNG, keep_trees=True)
    assert play_number(described, 0).moves == (1, 1, 1, 1, 1)
    assert made == [20, 1, 1, 1, 1]


# ---- descriptions ----


WON = (0, 3, 1, 4, 2)  # by X


def test_a_match_is_a_value():
    """Two of the same are equal, and openings may be given as lists."""
    one, two = (small(openings=given, opening_plies=0) for given in ([[4], (0, 8)], [(4,), [0, 8]]))
    assert one == two
    assert one.openings == ((4,), (0, 8))
    assert one.bots == (mcts(Search(20)), random_bot)
    with pytest.raises(AttributeError):
        one.games = 4


def test_one_tree_search_suffices_to_keep_trees():
    tree = mcts(Search(20))
    for first, second in ((tree, random_bot), (random_bot, tree), (tree, tree)):
        assert small(first=first, second=second, keep_trees=True).keep_trees


@pytest.mark.parametrize(
    ('given', 'complaint'),
    [
        (
            {'games': 7},
            'games must be an even number, because each opening is played from both sides, not 7',
        ),
        ({'games': 0}, 'games must be a whole number of at least 2, not 0'),
        ({'games': 2.0}, 'games must be a whole number of at least 2, not 2.0'),
        ({'opening_plies': -1}, 'opening_plies must be a whole number of at least 0, not -1'),
        ({'max_plies': 0}, 'max_plies must be a whole number of at least 1, not 0'),
        ({'openings': [], 'opening_plies': 0}, 'openings must hold at least one line of moves'),
        (
            {'openings': [[0], [4, 4]], 'opening_plies': 0},
            r'opening \(4, 4\): ply 2: illegal move 4: the legal moves are 0, 1, 2, 3, 5, 6, 7, 8',
        ),
        (
            {'openings': [[4]], 'opening_plies': 1},
            'openings and opening_plies exclude each other: give one of them',
        ),
        ({'keep_trees': True, 'first': random_bot}, 'keep_trees needs a tree search'),
        ({'keep_trees': 1}, 'keep_trees must be True or False, not 1'),
        ({'sprt': (0, 20)}, r'sprt must be a Sprt or None, not \(0, 20\)'),
        ({'names': ('a',)}, r"names must be the names of both bots, two texts, not \('a',\)"),
        ({'names': ('a', 'b', 'c')}, 'names must be the names of both bots'),
        ({'names': 'ab'}, "names must be the names of both bots, two texts, not 'ab'"),
        ({'names': ('a', 1)}, 'names must be the names of both bots'),
        (
            {'names': ('a', 'a')},
            "names must tell two bots apart, and both are 'a': give each its own$",
        ),
        ({'names': None}, 'names must be the names of both bots, two texts, not None'),
        (
            {'keep_trees': True, 'first': mcts(Search(50, schedule='halving'))},
            'keep_trees needs a tree search without a schedule, and neither bot is one',
        ),
    ],
    ids=lambda it: it if isinstance(it, str) else '',
)
def test_invalid_matches_are_refused(given, complaint):
    with pytest.raises(ValueError, match=f'^{complaint}'):
        small(**given)


def test_a_bot_against_itself_may_share_one_name():
    names = ('mcts', 'mcts')
    assert small(second=mcts(Search(20)), names=names).names == names


def test_a_finished_start_or_opening_is_refused():
    with pytest.raises(
        FinishedGameError, match=r'^opening \(0, 3, 1, 4, 2\): the game is over aft'
    ):
        small(openings=[[4], WON], opening_plies=0)
    state = play_line(tictactoe.start, WON)
    with pytest.raises(
        FinishedGameError, match=r'^the game is over at the start: there is nothing'
    ):
        evolve(small(), start=state)

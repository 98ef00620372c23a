"""What the server of a page answers, and that nobody holds up the others."""

import json
import socket
import threading
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from fmcts import Search
from fmcts.explore._answers import AskError
from fmcts.explore._boards import picture_of
from fmcts.games import tictactoe
from fmcts.games.chance import mnk3, pig
from fmcts.games.families import find_member
from pages_shown import RNG, answering, running, searched, state_of

ENDLESS = 'fork?k=1&spec=mcts:1000000000'


def asked(address, path):
    with urlopen(address + path, timeout=60) as answer:  # noqa: S310 - of this test
        return json.load(answer)


def test_a_fork_holds_up_nobody_and_ends_with_its_tab():
    begun, before = threading.Event(), {*threading.enumerate()}

    def watch(done):
        if done > 100:  # the page's own search has 20
            begun.set()

    with running(answering(tictactoe.start, 20, watch=watch)) as server:
        address = urlsplit(server.address)
        tab = socket.create_connection((address.hostname, address.port), timeout=60)
        tab.sendall(
            f'GET {address.path}{ENDLESS} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n'.encode()
        )
        assert begun.wait(60)
        (searching,) = {*threading.enumerate()} - before - {server.thread}
        found = asked(server.address, 'fork?k=1&spec=mcts:30')
        made = searched(tictactoe.start, Search(20))
        assert found['digest'] == made.fork(1, Search(29)).digest
        assert searching.is_alive()
        tab.close()
        searching.join(60)
        assert not searching.is_alive()


def test_a_fork_for_which_there_is_no_memory_is_refused():
    def watch(done):
        if done > 100:
            raise MemoryError

    with (
        running(answering(tictactoe.start, 20, watch=watch)) as server,
        pytest.raises(HTTPError) as found,
    ):
        asked(server.address, ENDLESS)
    with found.value as error:
        assert json.load(error) == {'error': 'out of memory: use fewer iterations'}


# ---- its pages ----


@pytest.fixture(scope='module')
def at_the_server():
    return searched(tictactoe.start.play(4), Search(120))


def test_the_playout_is_shown_on_the_board(visit, server, at_the_server):
    shown = visit(server.address, '#k=5')
    why = at_the_server.why(5)
    shown.keyboard.press('p')
    shown.wait_for_selector('#ply')
    assert shown.locator('.ply').all_inner_texts() == [str(move) for move in why.playout]
    stones = 1 + len(why.path) + len(why.playout)
    assert shown.locator('#board .stone').count() == stones
    shown.locator('.ply').first.click()
    assert shown.locator('#board .stone').count() == 2 + len(why.path)
    shown.locator('#ply').fill('0')
    assert shown.locator('#board .stone').count() == 1 + len(why.path)
    again = visit(server.address, shown.evaluate('(explorer.write(), location.hash)'))
    again.wait_for_selector('#ply')
    assert again.locator('#board .stone').count() == 1 + len(why.path)
    shown.click('#hide-playout')
    assert shown.locator('#ply').count() == 0


def test_a_served_page_is_saved_as_a_file(visit, server, at_the_server, tmp_path):
    shown = visit(server.address)
    with shown.expect_download() as saved:
        shown.click('#save')
    saved.value.save_as(tmp_path / 'saved.html')
    alone = visit((tmp_path / 'saved.html').as_uri())
    assert alone.locator('#digest').get_attribute('data-computed') == at_the_server.digest
    assert not alone.locator('#save').is_visible()


def test_a_fork_is_compared_with_the_search(visit, server, at_the_server):
    shown = visit(server.address, '#k=60')
    shown.keyboard.press('f')
    shown.keyboard.press('Control+a')
    shown.keyboard.type('mcts:150,c=0.3')
    shown.keyboard.press('Enter')
    shown.wait_for_function('explorer.two !== null')
    other = at_the_server.fork(60, Search(90, c=0.3))
    shown.wait_for_function(f"explorer.two.found === '{other.digest}'")
    assert state_of(shown)['two'] == 'mcts:150,c=0.3 from 60'
    again = visit(server.address, shown.evaluate('(explorer.write(), location.hash)'))
    assert state_of(again)['two'] == 'mcts:150,c=0.3 from 60'
    shown.click('#alone')
    assert state_of(shown)['two'] is None


def test_what_if(visit, server, at_the_server):
    k = next(
        k
        for k in range(2, 60)
        if at_the_server.why(k).outcome == 1 and at_the_server.why(k).playout
    )
    shown = visit(server.address, f'#k={k}')
    shown.keyboard.press('w')
    assert shown.evaluate('document.activeElement.textContent') == 'a draw'
    shown.locator('#what-if button', has_text='O had won').click()
    shown.wait_for_function('explorer.two !== null')
    other = at_the_server.what_if(k, 0).history
    shown.wait_for_function(f"explorer.two.found === '{other.digest}'")
    assert f'at iteration {k}: the same path, another outcome' in (
        shown.locator('#compared').inner_text()
    )


def test_nothing_is_said_of_draws_where_none_was_seen(visit, server):
    game = find_member('hex:3').unwrap()
    with running(answering(game.start, 60)) as hex_server:
        for address, drawn in ((hex_server.address, 0), (server.address, 1)):
            shown = visit(address, '#k=20')
            assert shown.locator('#what-if button').count() == 1 + drawn
            assert shown.locator('#draws:not([hidden])').count() == drawn
            assert shown.locator('th[title*="draw"]').count() == drawn


def test_a_search_that_cannot_be_forked_is_refused_in_one_line(server):
    def refused(path, host=None):
        request = Request(server.address + path, headers={'Host': host} if host else {})  # noqa: S310 - of this test
        with pytest.raises(HTTPError) as found:
            urlopen(request, timeout=60)  # noqa: S310 - the same
        with found.value as error:
            return error.code, error.read().decode()

    def why(path):
        code, text = refused(path)
        assert code == 400
        return json.loads(text)['error']

    assert 'expected a tree search' in why('fork?k=60&spec=random')
    assert '60 iterations in all' in why('fork?k=60&spec=mcts:60')
    assert 'the tree to continue keeps no columns' in why('fork?k=6&spec=mcts:60,selection=rave')
    assert 'keeps no columns' in why('fork?k=6&spec=mcts:60,solver=on')
    assert 'k must be a whole number from 1 to 120' in why('fork?k=121&spec=mcts:160')
    assert 'outcome must be one of' in why('what-if?k=6&outcome=2')
    assert 'line must be indices' in why('board?line=9.9.9')
    assert why('playout?k=1&moves=1,1') == '1 is illegal'
    assert refused('?moves=0,1,2,3,4,5,6')[0] == 400
    assert 'moves must be UTF-8' in refused('?moves=%FF')[1]
    assert 'the game is over' in refused('?moves=0,3,1,4,2')[1]
    assert refused('', host='evil.example:80')[0] == 403
    assert refused('../')[0] == 404


def test_the_bot_answers_a_move(visit, server):
    shown = visit(server.address, '#k=120&at=0')
    shown.locator('#table .name').nth(2).click()
    link = shown.locator('#play a')
    assert link.inner_text() == 'Play 0 3: the bot answers'
    link.click()
    shown.wait_for_selector('#digest .same')
    assert shown.locator('#title').inner_text() == 'tictactoe after 4 0 3: mcts:120'
    made = searched(tictactoe.start.play(4).play(0).play(3), Search(120), RNG.child(3))
    assert shown.locator('#digest').get_attribute('data-computed') == made.digest


def test_missing_images_are_requested(visit, monkeypatch):
    monkeypatch.setattr('fmcts.explore._boards.ROOM', 0)
    nim = find_member('nim:1,2').unwrap()

    with running(answering(nim.start, 40)) as server:
        shown = visit(server.address)
        first = shown.locator('#board img').get_attribute('src')
        shown.locator('.open').first.click()
        shown.wait_for_selector('#board img')
        after = nim.start.play(nim.start.moves[0])
        assert shown.locator('#board img').get_attribute('src') == picture_of(after, nim) != first


def test_a_served_game_for_three_players(visit):
    made, answers = searched(mnk3.start(3, 3, 3), Search(40)), answering(mnk3.start(3, 3, 3), 40)
    with running(answers) as server:
        shown = visit(server.address, '#k=20')
        worth = zip(made.why(20).outcome, 'ABC', strict=True)
        words = ', '.join(f'{number:.3f} for {player}' for number, player in worth)
        assert shown.locator('#playout strong').inner_text() == words
        shown.locator('#what-if button').nth(1).click()
        shown.wait_for_function('explorer.two')
        other = made.what_if(20, (0, 1, 0)).history
        assert shown.evaluate('explorer.two.digest') == other.digest
        assert shown.evaluate('digestOf(explorer.two, explorer.two.version(40))') == other.digest
    with pytest.raises(AskError, match='outcome must be one of 0, 1, 2, not'):
        answers.what_if(None, '20', '0.5')


def test_chance_states_are_not_searched():
    answers = answering(pig.start(12), 9)
    with pytest.raises(AskError, match='chance moves there: give one of its outcomes, too, of 1'):
        answers.made('roll')
    thrown = pig.start(12).play('roll').play(3)
    assert answers.board(None, '0.2')['picture'] == picture_of(thrown, answers.game)

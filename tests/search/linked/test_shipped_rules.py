"""Rules of the library's games come as bitcode, each file under the key of its rules."""

from fmcts._linked import codes, ship
from fmcts.rules import rules_of


def test_the_rules_of_the_library_s_games_are_shipped():
    names = set()
    for _, start in ship.games():
        rules = rules_of(start)
        if rules is not None:
            position = rules.pack(start)
            names.add(codes.name_of(codes.rules_key(rules, position, rules.menu(position))))
    assert names == {path.name for path in codes.SHIPPED.glob('*.bc')}

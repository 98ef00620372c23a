"""SVG as text: elements, words that fit, and whole pictures.

A picture is one self-contained element: no script, no external style sheet, no identifier that
could clash with another picture's on a page. The same content gives the same bytes. Colours are
attributes, so a page that strips styles keeps them; lines and words have the colour of the
surrounding text (`currentColor`), which in a separate file follows the reader's choice of light or
dark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

SIDES: Final = {'X': '#0072B2', 'O': '#D55E00'}
"""From the Okabe-Ito palette, like all colours here: colour-blind people can distinguish them."""

INK: Final = 'currentColor'
COLOURS: Final = (*SIDES.values(), '#009E73', '#CC79A7', '#56B4E9', '#E69F00')  # of players
MOVES: Final = ('#1ea51e', '#d20069', '#a578a5', '#c38769', '#0096e1', '#4b782d', '#5a78ff')
"""The colours of moves, wherever moves have colours.

Chosen by a search for the greatest distance between any two of them and from the sides, as seen
with each kind of colour blindness, with a contrast of 3 to white and to a dark page.
"""

NEUTRAL: Final = '#767676'  # as far from white as from black, for pages whose ground is unknown

DARK: Final = '#1f2328'  # the ink on light ground
STYLE: Final = (
    f'<style>svg:root{{color:{DARK};color-scheme:light dark}}'
    '@media(prefers-color-scheme:dark){svg:root{color:#e6edf3}}</style>'
)
SANS: Final = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif"
MONO: Final = "ui-monospace, 'DejaVu Sans Mono', monospace"
BELOW: Final = 18.0  # the height of a line under a picture
NOT_XML: Final = re.compile('[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')
HEAD: Final = re.compile(r'<svg\b[^>]*>')
SIZE: Final = re.compile(r'(\s)(width|height)=(["\'])([0-9.]+)(?:px)?\3')
WIDE: Final = '\u1100'  # from here on a character may be as wide as it is high


def colours_of_moves(visits: Sequence[int]) -> list[str | None]:
    """Return the colour of each move: of the first seven, or of the seven most visited of more.

    >>> colours_of_moves([5] * 7) == [*MOVES], colours_of_moves([0] * 7 + [9])[6:]
    (True, [None, '#1ea51e'])
    """
    order = [*range(len(visits))]
    # With few moves each keeps its colour as visits change; with many only the best have one.
    if len(visits) > len(MOVES):
        order.sort(key=lambda place: -visits[place])
    colours = dict(zip(order, MOVES, strict=False))
    return [colours.get(place) for place in range(len(visits))]


class Svg(str):
    """The text of a picture, which notebooks show as the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    @property
    def as_file(self) -> str:
        """The text of a file: the picture after an XML declaration."""
        return f'<?xml version="1.0" encoding="utf-8"?>\n{self}\n'


def plain(text: object) -> str:
    """Return text that is valid anywhere in XML: escaped, and without characters that XML forbids.

    >>> plain('<&"' + chr(0))
    '&lt;&amp;&quot;�'
    """
    return escape(NOT_XML.sub('\ufffd', str(text)), {'"': '&quot;', '\r': '&#13;'})


def element(name: str, *inside: str, **attributes: object) -> str:
    """Return an element around XML text; `_` in an attribute's name means `-`.

    Attributes that are `None` are left out, and `class_` is `class`.

    >>> element('g', '<path/>', class_='a"b', stroke_width=1.5, fill=None)
    '<g class="a&quot;b" stroke-width="1.5"><path/></g>'
    """
    written = ''.join(
        f' {key.rstrip("_").replace("_", "-")}="{plain(_written(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f'<{name}{written}>{"".join(inside)}</{name}>' if inside else f'<{name}{written}/>'


def _written(value: object) -> object:
    """Return a number with at most two decimals."""
    if isinstance(value, float):
        return f'{round(value, 2) + 0.0:.2f}'.rstrip('0').rstrip('.')  # no -0
    return value


def width_of(text: str, size: float, *, mono: bool = False) -> float:
    """Return an upper estimate of the width of words."""
    wide = sum(character >= WIDE for character in text)
    return size * ((len(text) - wide) * (0.605 if mono else 0.62) + wide * 1.1)


def words(
    x: float,
    y: float,
    text: str,
    size: float = 12,
    *,
    room: float | None = None,
    mono: bool = False,
    **attributes: object,
) -> str:
    """Return words on one line, centred at `x` unless `text_anchor` says otherwise.

    :param room: the maximum width; longer words are squeezed.
    :param mono: squeeze or stretch them to exactly `width_of`, whatever the font.
    """
    needed = width_of(text, size, mono=mono)
    fit: dict[str, object] = {}
    if text and (mono or (room is not None and needed > room)):
        length = needed if room is None else min(needed, room)
        fit = {'textLength': length, 'lengthAdjust': 'spacingAndGlyphs'}
    family = MONO if mono else None
    space = {'xml:space': 'preserve'} if mono else {}
    usual: dict[str, object] = {'text_anchor': 'middle', 'fill': INK}
    usual |= {'font_family': family, **fit, **space, **attributes}
    return element('text', plain(text), x=x, y=y, font_size=size, **usual)


def document(
    width: float,
    height: float,
    inside: Sequence[str],
    *,
    title: str,
    about: str = '',
    below: Sequence[str] = (),
    bold: bool = False,
) -> Svg:
    """Return a whole picture.

    :param title: what it is, in a line, for those who cannot see it.
    :param about: what it shows, in words.
    :param below: lines of words under it, centred; with `bold`, the first of them is.
    """
    wide = max([width, *(width_of(line, 12) + 24 for line in below)])
    if wide > width:
        inside = [element('g', *inside, transform=f'translate({(wide - width) / 2:.2f} 0)')]
    said = []
    for number, line in enumerate(below):
        weight = 'bold' if bold and number == 0 else None
        said.append(words(wide / 2, height + BELOW * number + 10, line, 12, font_weight=weight))
    high = float(height + BELOW * len(below))
    return Svg(
        element(
            'svg',
            element('title', plain(title)),
            *([element('desc', plain(about))] if about else []),
            STYLE,
            *inside,
            *said,
            xmlns='http://www.w3.org/2000/svg',
            width=wide,
            height=high,
            viewBox=f'0 0 {_written(float(wide))} {_written(high)}',
            role='img',
            font_family=SANS,
            fill='none',
        )
    )


def put(picture: str, x: float, y: float, width: float, height: float) -> str:
    """Return an image to be embedded in another one, at a place and in a size.

    It keeps its proportions; an image without a size fills the place.
    """
    head = HEAD.search(picture)
    sizes = {name: size for _, name, _, size in SIZE.findall(head[0] if head else '')}
    whole = f'0 0 {sizes["width"]} {sizes["height"]}' if len(sizes) == 2 else None
    places = {'x': x, 'y': y, 'width': width, 'height': height}
    return element('svg', picture[head.start() if head else 0 :], viewBox=whole, **places)

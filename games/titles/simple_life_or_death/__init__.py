"""Simple Life or Death, by Fred Poutre: whoever has the last piece on the board wins."""

from operator import attrgetter

from games.kernel.contract import Title
from games.titles.simple_life_or_death.board import draw
from games.titles.simple_life_or_death.defence import call, orders
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.moves import foresee
from games.titles.simple_life_or_death.notation import parse, redact
from games.titles.simple_life_or_death.options import options
from games.titles.simple_life_or_death.rules import SimpleLifeOrDeathRules
from games.titles.simple_life_or_death.story import dice, tell

TITLE = Title(
    META,
    SimpleLifeOrDeathRules(),
    parse,
    options,
    draw,
    tell,
    redact,
    foresee=foresee,
    call=call,
    orders=orders,
    dice=dice,
    out=attrgetter("out"),
)

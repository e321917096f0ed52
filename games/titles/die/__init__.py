"""DIE, by Mark Steere: the first to have no stones left wins."""

from games.kernel.contract import Title
from games.titles.die.board import draw
from games.titles.die.meta import META
from games.titles.die.notation import parse
from games.titles.die.options import options
from games.titles.die.rules import DieRules
from games.titles.die.story import tell

TITLE = Title(META, DieRules(), parse, options, draw, tell)

"""Dice Is Health, Strength, and Money: gather dice, win a trinket, be first back in the middle."""

from games.kernel.contract import Title
from games.titles.dice_is_health.board import draw
from games.titles.dice_is_health.meta import META
from games.titles.dice_is_health.notation import parse
from games.titles.dice_is_health.options import options
from games.titles.dice_is_health.rules import DiceIsHealthRules
from games.titles.dice_is_health.story import tell

TITLE = Title(META, DiceIsHealthRules(), parse, options, draw, tell)

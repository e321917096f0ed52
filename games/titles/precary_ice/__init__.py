"""Precary-Ice, by Eric Zuckerman: build higher than the others, before it falls."""

from games.kernel.contract import Title
from games.titles.precary_ice.board import draw
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.notation import parse
from games.titles.precary_ice.options import options
from games.titles.precary_ice.rules import PrecaryIceRules
from games.titles.precary_ice.story import tell

TITLE = Title(META, PrecaryIceRules(), parse, options, draw, tell)

"""Grim Reaper, by Wyon Stansfeld: two peoples that mate, give birth, age and die."""

from games.kernel.contract import Title
from games.titles.grim_reaper.board import draw
from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.notation import parse
from games.titles.grim_reaper.options import options
from games.titles.grim_reaper.rules import GrimReaperRules
from games.titles.grim_reaper.story import tell

TITLE = Title(META, GrimReaperRules(), parse, options, draw, tell)

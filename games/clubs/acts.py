"""What leaders did, in words."""

from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from games.clubs.models import LeaderAct
from games.kernel import registry

Kind = LeaderAct.Kind

STOPPED_LEADING = _("{who} stopped leading the club")

WORDS: dict[str, StrOrPromise] = {
    # Translators: in each of these {who} is a leader, and must come first.
    Kind.EDIT: _("{who} edited the club"),
    Kind.APPOINT: _("{who} made {name} a leader"),
    Kind.DISMISS: _("{who} dismissed {name} as a leader"),
    Kind.REMOVE: _("{who} removed {name}"),
    Kind.READMIT: _("{who} allowed {name} to come back"),
    Kind.MESSAGE: _("{who} wrote to all members"),
    Kind.CLOSE: _("{who} closed the club"),
    Kind.FOUND_LADDER: _("{who} opened a ladder of {game}"),
    Kind.CLOSE_LADDER: _("{who} closed the ladder of {game}"),
    Kind.CHALLENGE: _("{who} challenged {club} to a team match of {game}"),
    Kind.WITHDRAW: _("{who} withdrew the challenge to {club}"),
    Kind.ACCEPT: _("{who} accepted the challenge of {club}"),
    Kind.DECLINE: _("{who} declined the challenge of {club}"),
    Kind.CANCEL: _("{who} cancelled the team match against {club}"),
    Kind.LINE_UP: _("{who} set the line-up against {club}"),
    Kind.REPLACE: _("{who} replaced {name} in the team match against {club}"),
}
"""What each act has done, in a sentence."""


def sentence(act: LeaderAct, *, who: str, name: str, club: str) -> SafeString:
    """Return what was done as HTML, with links or names in it.

    :param who: the leader. If it's empty, the sentence begins with the verb.
    :param name: the member whom it concerns.
    :param club: the other club.
    """
    is_own = act.kind == Kind.DISMISS and act.about_id == act.actor_id
    words = STOPPED_LEADING if is_own else WORDS[act.kind]
    game = registry.name_of(act.title) if act.title else ""
    return format_html(conditional_escape(words), who=who, name=name, club=club, game=game)

"""A new challenge in sentences, shown above the button that sends it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from games.kernel.contract import Meta
from games.lobby.models import Challenge
from games.matches import formatting
from games.web import parameters

Audience = Challenge.Audience

BEGINS = {
    Challenge.Seating.RANDOM: gettext_lazy("Chance decides who begins."),
    Challenge.Seating.FIRST: gettext_lazy("You begin."),
    Challenge.Seating.LAST: gettext_lazy("You don’t begin."),
}


def challenge_in_words(meta: Meta, cleaned: Mapping[str, Any]) -> str:
    """Return the terms of a challenge, from the cleaned data of a ``ChallengeForm``."""
    clock = cleaned["time_control"]
    days = cleaned["lifetime"]
    expires = ngettext(
        "The challenge expires after {count} day.",
        "The challenge expires after {count} days.",
        days,
    )
    return " ".join(
        [
            _to_whom(cleaned).format(
                players=formatting.names([user.shown_name for user in _invited(cleaned)]),
                points=cleaned["rating_within"],
                game=meta.name,
                settings=_settings(meta, cleaned),
            ),
            _("Clock: {clock}.").format(clock=formatting.clock(clock))
            if clock
            else _("There is no clock."),
            _beginning(meta, cleaned),
            *_extras(cleaned),
            expires.format(count=days),
        ]
    )


def _invited(cleaned: Mapping[str, Any]) -> Sequence[User]:
    players: Sequence[User] = cleaned["players"]
    return players if cleaned["audience"] == Audience.NAMED else ()


def _to_whom(cleaned: Mapping[str, Any]) -> str:
    """Return the sentence that says who is challenged to what."""
    is_rated = cleaned["rated"] is True
    audience = cleaned["audience"]
    if audience == Audience.NAMED:
        if is_rated:
            return _("You challenge {players} to a rated match of {game} ({settings}).")
        return _("You challenge {players} to a friendly match of {game} ({settings}).")
    if audience == Audience.LINK:
        if is_rated:
            return _("You challenge anybody with the link to a rated match of {game} ({settings}).")
        return _("You challenge anybody with the link to a friendly match of {game} ({settings}).")
    if audience == Audience.OPEN and cleaned["rating_within"]:
        if is_rated:
            return _(
                "You challenge anybody rated within {points} points of you to a rated match of "
                "{game} ({settings})."
            )
        return _(
            "You challenge anybody rated within {points} points of you to a friendly match of "
            "{game} ({settings})."
        )
    if is_rated:
        return _("You challenge anybody to a rated match of {game} ({settings}).")
    return _("You challenge anybody to a friendly match of {game} ({settings}).")


def _settings(meta: Meta, cleaned: Mapping[str, Any]) -> str:
    board = formatting.parameters_short(meta, parameters.params(cleaned)) or _("standard board")
    if "seats" not in cleaned:
        return board
    seats = cleaned["seats"]
    players = ngettext("{count} player", "{count} players", seats).format(count=seats)
    return f"{board}, {players}"


def _beginning(meta: Meta, cleaned: Mapping[str, Any]) -> str:
    if meta.rolls_for_first:
        return _("The highest roll begins.")
    return str(BEGINS[Challenge.Seating(cleaned["seating"])])


def _extras(cleaned: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each unusual setting."""
    extras = []
    if least := cleaned["least_reliability"]:
        text = _("Accepting it takes a reliability of {percent} %.")
        extras.append(text.format(percent=least))
    if cleaned["audience"] == Audience.OPEN:
        if hours := cleaned["bots_after"]:
            if hours == 1:
                text = _("If nobody accepts within an hour, {bot} does.")
            else:
                text = _("If nobody accepts within a day, {bot} does.")
            extras.append(text.format(bot=f"bot-{cleaned['bot_level']}"))
        if most := cleaned["keep_up_to"]:
            text = ngettext(
                "We repost it until you have {count} match of it.",
                "We repost it until you have {count} matches of it.",
                most,
            )
            extras.append(text.format(count=most))
    if cleaned.get("strict_dice"):
        extras.append(_("The dice are strict."))
    return extras

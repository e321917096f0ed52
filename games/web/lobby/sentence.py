"""A new challenge in sentences, shown above the button that sends it."""

from collections.abc import Mapping, Sequence
from typing import Any

from accounts.models import User
from games.kernel.contract import Meta
from games.lobby.models import Challenge
from games.matches import formatting
from games.matches.formatting import counted
from games.web import parameters

BEGINS = {
    Challenge.Seating.RANDOM: "Chance decides who begins.",
    Challenge.Seating.FIRST: "You begin.",
    Challenge.Seating.LAST: "You don’t begin.",
}


def challenge_in_words(meta: Meta, cleaned: Mapping[str, Any]) -> str:
    """Return the terms of a challenge, from the cleaned data of a ``ChallengeForm``."""
    clock = cleaned["time_control"]
    return " ".join(
        [
            f"You challenge {_whom(cleaned)} to {_match(meta, cleaned)}.",
            f"Clock: {formatting.clock(clock)}." if clock else "There is no clock.",
            _beginning(meta, cleaned),
            *_extras(cleaned),
            f"The challenge expires after {counted(cleaned['lifetime'], 'day')}.",
        ]
    )


def _whom(cleaned: Mapping[str, Any]) -> str:
    invited: Sequence[User] = cleaned["players"]
    audience = cleaned["audience"]
    if audience == Challenge.Audience.NAMED:
        return formatting.names([user.shown_name for user in invited])
    parts = ["anybody with the link" if audience == Challenge.Audience.LINK else "anybody"]
    if audience == Challenge.Audience.OPEN and cleaned["rating_within"]:
        parts.append(f"rated within {cleaned['rating_within']} points of you")
    return " ".join(parts)


def _match(meta: Meta, cleaned: Mapping[str, Any]) -> str:
    kind = "rated" if cleaned["rated"] is True else "friendly"
    board = formatting.parameters_short(meta, parameters.params(cleaned)) or "standard board"
    players = f", {cleaned['seats']} players" if "seats" in cleaned else ""
    return f"a {kind} match of {meta.name} ({board}{players})"


def _beginning(meta: Meta, cleaned: Mapping[str, Any]) -> str:
    if meta.rolls_for_first:
        return "The highest roll begins."
    return BEGINS[Challenge.Seating(cleaned["seating"])]


def _extras(cleaned: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each unusual setting."""
    extras = []
    if cleaned["least_reliability"]:
        extras.append(f"Accepting it takes a reliability of {cleaned['least_reliability']} %.")
    if cleaned["audience"] == Challenge.Audience.OPEN:
        if hours := cleaned["bots_after"]:
            wait = "an hour" if hours == 1 else "a day"
            extras.append(f"If nobody accepts within {wait}, bot-{cleaned['bot_level']} does.")
        if most := cleaned["keep_up_to"]:
            matches = counted(most, "match", "matches")
            extras.append(f"We repost it until you have {matches} of it.")
    if cleaned.get("strict_dice"):
        extras.append("The dice are strict.")
    return extras

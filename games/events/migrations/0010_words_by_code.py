"""Titles of the site, acts and notifications are stored by codes and values, not in English.

The column of the name stays. A tournament that the site has named has none, and its ``number`` in
its series. What an earlier release put into words that can't be read back is shown as it is.
"""

import re

import accounts.texts
from django.db import migrations, models

from games.kernel import registry

TITLES = {"league": "Bot league of {}, season {}", "open": "{} Open {}"}
ERASED = "Tournament of {}"
LABELS = {
    "Name": "name",
    "Description": "about",
    "Kind": "format",
    "Rounds": "rounds",
    "Rated": "rated",
    "Fewest players": "least",
    "Most players": "most",
    "Players at a board": "seats",
    "Entry closes": "starts",
    "Begins when full": "begins_when_full",
    "Board": "params",
    "Clock": "clock",
    "Days for a round": "round_days",
    "Lowest rating": "rating_low",
    "Highest rating": "rating_high",
    "Ended matches": "least_matches",
    "Reliability": "least_reliability",
    "By invitation": "by_invitation",
    "Club": "club_id",
    "Late entry until round": "late_until",
    "Tie-breaks": "tie_breaks",
}
BOOLEANS = ("rated", "begins_when_full", "by_invitation")
TEXTS = ("name", "about")
NUMBERS = ("rounds", "least", "most", "seats", "round_days", "late_until")
REASONS = {
    "too-few": "Too few players had entered when entry closed.",
    "organiser": "The organiser cancelled it before it began.",
    "moderator": "A moderator cancelled it before it began.",
}
CODES = {sentence: code for code, sentence in REASONS.items()}
NEWS = ("tournament-news", "tournament-asked")
KEPT = ("changes", "changed", "round", "days", "deadline", "players", "outcome", "name", "word")


def _game(slug):
    return registry.get(slug).meta.name if slug in registry.titles() else slug


def _title(one):
    """Return the English title of a tournament that the site has named."""
    kind = one.series.partition("-")[0]
    if kind in TITLES:
        return TITLES[kind].format(_game(one.title), one.number)[:100]
    return ERASED.format(_game(one.title))[:60]


def _forget_titles(apps):
    """Take away the names that the site has given. Return these, by tournament."""
    found = {}
    tournaments = apps.get_model("events", "Tournament").objects.all()
    for one in tournaments.iterator():
        if one.series and (number := re.search(r"[0-9]+$", one.own_name)):
            one.number = int(number[0]) if len(number[0]) < 9 else 0
        if one.own_name == _title(one):
            found[one.pk] = one.own_name
            one.own_name = ""
            one.save(update_fields=["own_name", "number"])
    return found


def _value(name, text):
    """Return the value of a term that was stored in words."""
    if name in BOOLEANS and text in ("yes", "no"):
        return text == "yes"
    if name in NUMBERS and text.isdecimal():
        return int(text)
    if name in NUMBERS and text == "none":
        return 0
    return text if name in TEXTS else {"words": text}


def _acts_to_codes(apps):
    acts = apps.get_model("events", "OrganiserAct").objects
    for act in acts.filter(kind="edit").iterator():
        if "changes" not in act.details:
            continue
        names = [(LABELS.get(label), after) for label, _, after in act.details.pop("changes")]
        before = act.details.get("before", {})
        act.details["changed"] = [
            [name, before.get(name), _value(name, after)] for name, after in names if name
        ]
        acts.filter(pk=act.pk).update(details=act.details)


def _notifications(apps, *kinds):
    rows = apps.get_model("accounts", "Notification").objects
    return rows.filter(kind__in=kinds).iterator()


def _stored(act):
    return {
        "kind": act.kind,
        "who": act.actor.username if act.actor else "",
        "about": act.about.username if act.about else "",
        "title": act.tournament.title,
        "details": {name: act.details[name] for name in KEPT if name in act.details},
        "undoes": _stored(act.undoes) if act.undoes else None,
    }


def _news_to_codes(apps):
    acts = apps.get_model("events", "OrganiserAct").objects
    for row in _notifications(apps, *NEWS):
        number = (row.key or "").rpartition(":")[2]
        act = acts.filter(pk=number).first() if number.isdecimal() else None
        text = row.payload.get("text", {})
        if act is None or "did" not in text:
            continue
        text["act"] = {**_stored(act), "who": text.pop("who")}
        del text["did"], text["changes"]
        row.save(update_fields=["payload"])


def to_codes(apps, _schema):
    titles = _forget_titles(apps)
    _acts_to_codes(apps)
    _news_to_codes(apps)
    tournaments = apps.get_model("events", "Tournament").objects
    own = {one.pk: [one.title, one.series, one.number] for one in tournaments.filter(pk__in=titles)}
    kinds = ("round-begun", "round-ending", "tournament-over", "tournament-cancelled", "moved-up")
    for row in _notifications(apps, *kinds, *NEWS):
        text, pk = row.payload.get("text", {}), row.payload.get("tournament")
        why = text.get("why")
        is_titled = pk in titles and text.get("name") == titles[pk]
        if is_titled:
            del text["name"]
            text["titled"] = own[pk]
        if why in CODES:
            text["why"] = CODES[why]
        if is_titled or why in CODES:
            row.save(update_fields=["payload"])


def to_words(apps, _schema):
    """Restore titles, reasons and changed terms in English.

    News of an act say only that something was changed.
    """
    labels = {name: label for label, name in LABELS.items()}
    acts = apps.get_model("events", "OrganiserAct").objects
    for act in acts.filter(kind="edit").iterator():
        if "changed" in act.details:
            act.details["changes"] = [
                [labels[name], _plain(before), _plain(after)]
                for name, before, after in act.details.pop("changed")
            ]
            acts.filter(pk=act.pk).update(details=act.details)
    tournaments = apps.get_model("events", "Tournament").objects
    for row in _notifications(apps, "tournament-cancelled"):
        text = row.payload.get("text", {})
        if text.get("why") in REASONS:
            text["why"] = REASONS[text["why"]]
            row.save(update_fields=["payload"])
    kinds = ("round-begun", "round-ending", "tournament-over", "tournament-cancelled", "moved-up")
    for row in _notifications(apps, *kinds, *NEWS):
        text = row.payload.get("text", {})
        if "titled" in text:
            one = tournaments.filter(pk=row.payload["tournament"]).first()
            text.pop("titled")
            text["name"] = _title(one) if one else ""
        if "act" in text:
            act = text.pop("act")
            text |= {"who": act["who"], "did": "changed something", "changes": []}
        row.save(update_fields=["payload"])
    for one in tournaments.filter(own_name="").iterator():
        one.own_name = _title(one)
        one.save(update_fields=["own_name"])


def _plain(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return str(value.get("words", "another"))
    return str(value or "none")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0025_language"),
        ("events", "0009_team_matches"),
    ]

    operations = [
        # The column keeps its name, so that processes of the release before read it.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("tournament", "name", "own_name"),
                migrations.AlterField(
                    "tournament",
                    "own_name",
                    accounts.texts.LineField(
                        blank=True, db_column="name", max_length=100, verbose_name="name"
                    ),
                ),
            ]
        ),
        migrations.AddField(
            "tournament", "number", models.PositiveIntegerField(db_default=0, default=0)
        ),
        migrations.RunPython(to_codes, to_words),
    ]

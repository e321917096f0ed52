"""Notifications name the club of a ladder, instead of a phrase or a sentence in English."""

from django.db import migrations

from games.kernel import registry

SUBJECT = "{} challenges you for your place on the ladder of {}"


def _rows(apps, kind):
    return apps.get_model("accounts", "Notification").objects.filter(kind=kind).iterator()


def _game(title):
    return registry.get(title).meta.name if title in registry.titles() else title


def _club(where, title):
    """Return the name of the club. None if these aren't the words of the site."""
    game = _game(title)
    if where == game:
        return ""
    prefix = f"{game} in "
    return where.removeprefix(prefix) if where.startswith(prefix) else None


def _where(title, club):
    return f"{_game(title)} in {club}" if club else _game(title)


def _challenges(apps):
    """Yield the notifications of challenges for a place, with the challenge."""
    ladder = apps.get_model("ladders", "LadderChallenge")
    for row in _rows(apps, "challenge-received"):
        if row.payload.get("subject"):
            one = ladder.objects.filter(challenge=row.payload["challenge"]).first()
            if one is not None:
                yield row, one


def to_codes(apps, _schema):
    for row in _rows(apps, "ladder"):
        club = _club(row.payload.get("where", ""), row.payload["title"])
        if club:
            row.payload["club_name"] = club
            del row.payload["where"]
            row.save(update_fields=["payload"])
    for row, one in _challenges(apps):
        where = str(row.payload["subject"]).partition(" on the ladder of ")[2]
        club = _club(where, one.title)
        if club is not None:
            row.payload["subject"] = {"code": "ladder-challenge", "club": club}
            row.save(update_fields=["payload"])


def to_words(apps, _schema):
    for row in _rows(apps, "ladder"):
        if "club_name" in row.payload:
            row.payload["where"] = _where(row.payload["title"], row.payload.pop("club_name"))
            row.save(update_fields=["payload"])
    users = apps.get_model("accounts", "User").objects
    for row, one in _challenges(apps):
        if isinstance(row.payload["subject"], dict):
            name = users.get(pk=one.challenger_id).username
            row.payload["subject"] = SUBJECT.format(
                name, _where(one.title, row.payload["subject"]["club"])
            )
            row.save(update_fields=["payload"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0026_outgoing_mail_language"),
        ("ladders", "0004_club_ladders"),
    ]

    operations = [migrations.RunPython(to_codes, to_words)]

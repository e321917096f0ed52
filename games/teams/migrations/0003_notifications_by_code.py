"""News of team matches are stored as codes with their parts, instead of sentences in English.

Sentences of other releases that aren't known stay, and are shown as they are.
"""

import re

from django.db import migrations

LINE_UP = "The line-up has to be set again."
CALL = "Members can sign up now, and the leaders set the line-up."
YOURS = "Both line-ups are shown, and the matches begin, once yours is set."

NEWS = (
    ("accepted", "{club} has accepted the challenge", CALL),
    ("declined", "{club} has declined the challenge", ""),
    ("line-up-set", "{club} has set its line-up", YOURS),
)
CANCELLED = "The team match is cancelled"
BROKEN = re.compile("(.+) (?:doesn’t|don’t) play after all")

REASONS = (
    ("leaders", "The leaders of {club} have cancelled it."),
    ("moderators", "The moderators have cancelled it: {reason}"),
    ("closed", "{club} is closed."),
    ("not-answered", "{club} didn’t answer in time."),
)
NO_LINE_UP = re.compile("(.+) didn’t set (a line-up|line-ups) in time\\.")


def _parts(sentence, text):
    """Return the parts of a text that a sentence made. None for another text."""
    pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*)", re.escape(sentence))
    found = re.fullmatch(pattern, text, re.DOTALL)
    return found and found.groupdict()


def _why(text):
    for code, sentence in REASONS:
        if (parts := _parts(sentence, text)) is not None:
            return {"code": code, **parts}
    if found := NO_LINE_UP.fullmatch(text):
        clubs = found[1].split(" and ") if found[2] == "line-ups" else [found[1]]
        return {"code": "no-line-up", "clubs": clubs}
    return None


def _news(did, more):
    """Return the code and the parts of two sentences. None if they aren't known."""
    for code, sentence, details in NEWS:
        parts = _parts(sentence, did)
        if parts is not None and more == details:
            return {"news": code, **parts}
    if did == CANCELLED and (why := _why(more)):
        return {"news": "cancelled", "why": why}
    if (found := BROKEN.fullmatch(did)) and more == LINE_UP:
        return {"news": "line-up-broken", "names": re.split(", | and ", found[1])}
    return None


def _listed(names):
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _reason(why):
    if why["code"] == "no-line-up":
        what = "a line-up" if len(why["clubs"]) == 1 else "line-ups"
        return f"{' and '.join(why['clubs'])} didn’t set {what} in time."
    return dict(REASONS)[why["code"]].format(**why)


def _sentences(payload):
    if payload["news"] == "cancelled":
        return CANCELLED, _reason(payload["why"])
    if payload["news"] == "line-up-broken":
        verb = "doesn’t" if len(payload["names"]) == 1 else "don’t"
        return f"{_listed(payload['names'])} {verb} play after all", LINE_UP
    known = {code: (sentence, details) for code, sentence, details in NEWS}
    sentence, details = known[payload["news"]]
    return sentence.format(club=payload["club"]), details


def _rows(apps):
    rows = apps.get_model("accounts", "Notification").objects
    return rows.filter(kind="team-news").iterator()


def to_codes(apps, _schema):
    for row in _rows(apps):
        if "did" in row.payload and (news := _news(row.payload["did"], row.payload["more"])):
            row.payload.update(news)
            del row.payload["did"], row.payload["more"]
            row.save(update_fields=["payload"])


def to_words(apps, _schema):
    for row in _rows(apps):
        if "news" in row.payload:
            row.payload["did"], row.payload["more"] = _sentences(row.payload)
            for name in ("news", "club", "why", "names"):
                row.payload.pop(name, None)
            row.save(update_fields=["payload"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0025_language"),
        ("teams", "0002_reminder_and_reason"),
    ]

    operations = [migrations.RunPython(to_codes, to_words)]

"""Delete imported records with times that no match can have.

Imports did not check times before November 2026, and the pages of such records fail.
"""

import re
from datetime import datetime

from django.db import migrations

MOMENT = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII | re.IGNORECASE
)
YEARS = range(2000, 3000)
MAX_SECONDS = 10**9


def delete_impossible_times(apps, schema_editor):
    record_model = apps.get_model("records", "ImportedRecord")
    entry_model = apps.get_model("records", "ImportedEntry")
    heads = record_model.objects.values_list("pk", "head")
    refused = {pk for pk, head in heads.iterator() if not _head_holds(head)}
    entries = entry_model.objects.values_list("record_id", "data")
    refused.update(pk for pk, data in entries.iterator() if not _entry_holds(data))
    record_model.objects.filter(pk__in=refused).delete()


def _head_holds(head):
    moments = map(_is_moment, (head["started"], head["ended"]))
    seconds = (value for value in (head["clock"] or {}).values() if not isinstance(value, str))
    return all(moments) and all(map(_is_span, seconds))


def _entry_holds(data):
    spans = map(_is_span, (data["thinking"], data["time_left"]))
    return _is_moment(data["at"]) and all(spans)


def _is_moment(text):
    try:
        return bool(MOMENT.fullmatch(text)) and datetime.fromisoformat(text).year in YEARS
    except (TypeError, ValueError):
        return False


def _is_span(seconds):
    return seconds is None or 0 <= seconds <= MAX_SECONDS


class Migration(migrations.Migration):

    dependencies = [
        ("records", "0004_one_animation_an_asker"),
    ]

    operations = [
        migrations.RunPython(delete_impossible_times, migrations.RunPython.noop),
    ]

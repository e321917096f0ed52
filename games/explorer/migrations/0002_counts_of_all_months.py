"""Add the counts of all months together.

A match that an old process adds during the upgrade is missing in them: ``recount_explorer``
gives the right numbers.
"""

from django.db import migrations

EVERY_MONTH = 0


def add_up(apps, schema_editor):
    schema_editor.execute(
        "INSERT INTO explorer_movecount (title, key, month, rating, firsts, move, matches)"
        " SELECT title, key, %s, rating, firsts, move, SUM(matches) FROM explorer_movecount"
        " WHERE month <> %s GROUP BY title, key, rating, firsts, move",
        [EVERY_MONTH, EVERY_MONTH],
    )


def forget(apps, schema_editor):
    schema_editor.execute("DELETE FROM explorer_movecount WHERE month = %s", [EVERY_MONTH])


class Migration(migrations.Migration):
    dependencies = [("explorer", "0001_initial")]

    operations = [migrations.RunPython(add_up, forget)]

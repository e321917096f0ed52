"""Add the counts of quarters and of years: a column of months becomes one of periods.

A match that an old process adds during the upgrade is missing in them: ``recount_explorer``
gives the right numbers.
"""

from django.db import migrations, models

MONTHS_BEGIN = 12_000


def add_up(apps, schema_editor):
    for months in (3, 12):
        schema_editor.execute(
            "INSERT INTO explorer_movecount (title, key, month, rating, firsts, move, matches)"
            " SELECT title, key, month / %s, rating, firsts, move, SUM(matches)"
            " FROM explorer_movecount WHERE month >= %s"
            " GROUP BY title, key, 3, rating, firsts, move",
            [months, MONTHS_BEGIN],
        )


def forget(apps, schema_editor):
    schema_editor.execute(
        "DELETE FROM explorer_movecount WHERE month > 0 AND month < %s", [MONTHS_BEGIN]
    )


class Migration(migrations.Migration):
    dependencies = [("explorer", "0002_counts_of_all_months")]

    operations = [
        migrations.RunPython(add_up, forget),
        # The column keeps its name, because old processes write to it during the upgrade.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("movecount", "one_count_of_a_move"),
                migrations.AlterField(
                    "movecount", "month", models.PositiveSmallIntegerField(db_column="month")
                ),
                migrations.RenameField("movecount", "month", "period"),
                migrations.AddConstraint(
                    "movecount",
                    models.UniqueConstraint(
                        fields=["key", "period", "rating", "firsts", "move"],
                        name="one_count_of_a_move",
                    ),
                ),
            ]
        ),
    ]

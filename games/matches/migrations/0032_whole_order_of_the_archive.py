"""Let indexes of the archive hold its whole order, so that pages are found without the rows."""

from django.db import migrations, models

OVER = models.Q(status="over")
FIELDS = {
    "match_over": ["-ended", "-id"],
    "match_over_by_title": ["title", "-ended", "-id"],
    "match_over_by_ending": ["ending", "-ended", "-id"],
}


class Migration(migrations.Migration):
    dependencies = [("match", "0031_table_of_queues")]

    operations = [
        *(migrations.RemoveIndex("match", name) for name in FIELDS),
        *(
            migrations.AddIndex("match", models.Index(fields=fields, name=name, condition=OVER))
            for name, fields in FIELDS.items()
        ),
    ]

"""Drop the empty table of queues: no process of a supported release uses it any more."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

QUEUE = migrations.CreateModel(
    name="Queue",
    fields=[
        ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False)),
        ("moves", models.JSONField()),
        ("after", models.PositiveIntegerField()),
        ("waits", models.BooleanField()),
        ("foreseen", models.BooleanField(db_default=False, default=False)),
        ("submission", models.UUIDField(default=uuid.uuid4)),
        ("halted", models.TextField(blank=True)),
        (
            "player",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="queue",
                to="match.player",
            ),
        ),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("match", "0030_reasons_of_stopped_plans")]

    # The model is gone since 0029; its table is known again only to be dropped, or to come back.
    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[QUEUE]),
        migrations.DeleteModel("Queue"),
    ]

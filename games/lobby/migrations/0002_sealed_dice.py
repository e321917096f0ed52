import hashlib

from django.db import migrations, models

import games.matches.fields


def seal(apps, schema_editor):
    """Seal what is there already."""
    challenges = apps.get_model("lobby", "Challenge").objects
    for challenge in challenges.all().iterator():
        challenges.filter(pk=challenge.pk).update(
            seal=hashlib.sha256(challenge.secret).hexdigest()
        )


class Migration(migrations.Migration):

    dependencies = [
        ("lobby", "0001_initial"),
        ("match", "0002_sealed_dice"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="challenge",
            options={"base_manager_name": "objects", "ordering": ("-created", "-pk")},
        ),
        migrations.AddField(
            model_name="challenge",
            name="seal",
            field=models.CharField(default="", max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="place",
            name="nonce_is_own",
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="challenge",
            name="secret",
            field=games.matches.fields.HiddenField(),
        ),
        migrations.AlterField(
            model_name="place",
            name="nonce",
            field=games.matches.fields.HiddenField(default=bytes),
        ),
        migrations.RunPython(seal, migrations.RunPython.noop, elidable=True),
    ]

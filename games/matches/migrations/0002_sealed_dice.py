import hashlib

from django.db import migrations, models

import games.matches.fields


def seal(apps, schema_editor):
    """Seal what is there already."""
    matches = apps.get_model("match", "Match").objects
    for match in matches.all().iterator():
        matches.filter(pk=match.pk).update(seal=hashlib.sha256(match.secret).hexdigest())


class Migration(migrations.Migration):

    dependencies = [
        ("match", "0001_initial"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="match",
            options={"base_manager_name": "objects", "verbose_name_plural": "matches"},
        ),
        migrations.AddField(
            model_name="match",
            name="seal",
            field=models.CharField(default="", max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="match",
            name="setup_sides",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="move",
            name="sides",
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name="player",
            name="nonce_is_own",
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="match",
            name="secret",
            field=games.matches.fields.HiddenField(),
        ),
        migrations.AlterField(
            model_name="player",
            name="nonce",
            field=games.matches.fields.HiddenField(),
        ),
        migrations.RunPython(seal, migrations.RunPython.noop, elidable=True),
    ]

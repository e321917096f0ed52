"""Let matches that ended before there were ratings count, if only people with accounts played.

Matches that still run stay friendly: their players have not agreed to anything else.
"""

from django.db import migrations
from django.db.models import Exists, OuterRef, Q


def rate_earlier(apps, schema_editor):
    Match = apps.get_model("match", "Match")
    Player = apps.get_model("match", "Player")
    others = Player.objects.filter(
        Q(is_bot=True) | Q(user__is_guest=True) | Q(user__is_program=True), match=OuterRef("pk")
    )
    Match.objects.filter(~Exists(others), status="over").update(rated=True)


class Migration(migrations.Migration):

    dependencies = [
        ("ratings", "0001_ratings"),
    ]

    operations = [
        migrations.RunPython(rate_earlier, migrations.RunPython.noop),
    ]

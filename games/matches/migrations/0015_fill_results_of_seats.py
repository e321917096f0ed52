from django.db import migrations
from django.db.models import Case, Exists, Max, OuterRef, Q, Subquery, Value, When

BATCH = 10_000
"""Matches that are written at once: whoever plays one meanwhile does not wait for all."""


def repeat_results(apps, schema_editor):
    """Write what each match says of its seats into them."""
    Match, Player = apps.get_model("match", "Match"), apps.get_model("match", "Player")
    match = Match.objects.filter(pk=OuterRef("match"))
    others = Player.objects.filter(match=OuterRef("match"), rank=1).exclude(pk=OuterRef("pk"))
    result = Case(
        When(Q(rank__gt=1), then=Value("lost")),
        When(Q(rank=1) & Exists(others), then=Value("tied")),
        When(Q(rank=1), then=Value("won")),
        default=Value(""),
    )
    last = Match.objects.aggregate(last=Max("pk"))["last"] or 0
    for first in range(0, last + 1, BATCH):
        Player.objects.filter(match__gte=first, match__lt=first + BATCH).update(
            title=Subquery(match.values("title")[:1]),
            ended=Subquery(match.values("ended")[:1]),
            result=result,
        )


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ("match", "0014_results_of_seats"),
    ]

    operations = [
        migrations.RunPython(repeat_results, migrations.RunPython.noop),
    ]

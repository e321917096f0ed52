"""Make conditional moves of leftover queues, and forget the model.

The table stays, empty: processes of the release before still delete from it during an upgrade.
"""

from django.db import migrations


def _nodes(moves, seat):
    """Return moves of a seat as a line in which the others play whatever they like before each."""
    nodes = []
    for text in moves:
        for mover, written in ((None, ""), (seat, text)):
            number = len(nodes) + 1
            nodes.append({"id": number, "parent": number - 1, "seat": mover, "text": written})
    return nodes


def carry_queues_over(apps, schema_editor):
    """Make conditional moves of queues that processes of an older release stored last."""
    plans = apps.get_model("match", "ConditionalMoves").objects
    for queue in apps.get_model("match", "Queue").objects.select_related("player"):
        values = {
            "nodes": _nodes(queue.moves, queue.player.seat),
            "at": 0,
            "after": queue.after,
            "waits": queue.waits,
            "one_turn": not queue.foreseen,
            "submission": queue.submission,
            "halted": queue.halted,
        }
        plans.update_or_create(player=queue.player, defaults=values)
        queue.delete()


class Migration(migrations.Migration):
    dependencies = [("match", "0028_player_rating")]

    operations = [
        migrations.RunPython(carry_queues_over, migrations.RunPython.noop),
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel("Queue")]),
    ]

from django.db import migrations

REASONS = {
    "taken-back": "A move was taken back.",
    "turn-ended": "Your turn had ended.",
    "by-hand": "You played another move yourself.",
    "dice": "What dice and chance decide cannot be planned.",
    "not-planned": "Another move was played than you planned for.",
}


def to_codes(apps, schema_editor):
    for code, sentence in REASONS.items():
        plans = apps.get_model("match", "ConditionalMoves").objects
        plans.filter(halted=sentence).update(halted=code)


def to_sentences(apps, schema_editor):
    for code, sentence in REASONS.items():
        plans = apps.get_model("match", "ConditionalMoves").objects
        plans.filter(halted=code).update(halted=sentence)


class Migration(migrations.Migration):
    dependencies = [("match", "0029_queues_are_gone")]

    operations = [migrations.RunPython(to_codes, to_sentences, elidable=True)]

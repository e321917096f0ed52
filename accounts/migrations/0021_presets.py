"""Presets of notifications are stored, so that they cover kinds that the site adds later."""

from django.db import migrations, models

URGENT = {"your-turn", "time-short"}
KINDS = URGENT | {
    "push-stopped",
    "match-started",
    "match-ended",
    "dropped-out",
    "player-left",
    "offer-made",
    "queue-stopped",
    "time-given",
    "vacation-begun",
    "vacation-ending",
    "watched-ended",
    "chat-message",
    "challenge-received",
    "challenge-posted",
    "challenge-accepted",
    "challenge-declined",
    "reveal-due",
    "reveal-missed",
    "left-at-once",
    "decision",
    "kept-out",
}
"""The kinds of notification before there were tournaments and ladders."""


def find_presets(apps, _schema_editor):
    """Store the preset of everybody who had turned off what it turns off."""
    users = apps.get_model("accounts", "User").objects.exclude(mail_off=[])
    chosen = apps.get_model("accounts", "DeliverySettings").objects
    for pk, mail_off in users.values_list("pk", "mail_off").iterator():
        if set(mail_off) >= KINDS:
            chosen.update_or_create(user_id=pk, defaults={"preset": "quiet"})
        elif _is_urgent(mail_off):
            for one in chosen.filter(user=pk):
                if _is_urgent(one.push_off):
                    chosen.filter(user=pk).update(preset="urgent")


def _is_urgent(off):
    return set(off) >= KINDS - URGENT and URGENT.isdisjoint(off)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0020_here_today")]

    operations = [
        migrations.AddField(
            model_name="deliverysettings",
            name="preset",
            field=models.CharField(
                blank=True,
                choices=[("", "none"), ("urgent", "turns and deadlines"), ("quiet", "no email")],
                db_default="",
                default="",
                max_length=10,
            ),
        ),
        migrations.RunPython(find_presets, migrations.RunPython.noop),
    ]

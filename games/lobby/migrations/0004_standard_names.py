"""Rename in code only: tables and columns keep their names; one commitment a challenge."""

from django.conf import settings
from django.db import migrations, models

OLD, NEW = "place", "invitation"


def rename_permissions(apps, schema_editor):
    """Let who had a right on the model keep it under the model's new name."""
    _rename(apps, schema_editor.connection.alias, OLD, NEW)


def restore_permissions(apps, schema_editor):
    """Give the rights their old names back."""
    _rename(apps, schema_editor.connection.alias, NEW, OLD)


def _rename(apps, database, before, after):
    permissions = apps.get_model("auth", "Permission").objects.using(database)
    for permission in permissions.filter(
        content_type__app_label="lobby", codename__endswith=f"_{before}"
    ):
        verb = permission.codename.removesuffix(f"_{before}")
        permission.codename = f"{verb}_{after}"
        permission.save(update_fields=["codename"])



class Migration(migrations.Migration):
    dependencies = [("lobby", "0003_strict_dice"), ("auth", "0012_alter_user_first_name_max_length"), ("contenttypes", "0002_remove_content_type_name")]

    operations = [
        migrations.AlterModelTable("place", "lobby_place"),
        migrations.RenameModel("Place", "Invitation"),
        migrations.AlterField(
            "challenge", "seal", models.CharField(max_length=64, db_column="seal")
        ),
        migrations.RenameField("challenge", "seal", "commitment"),
        migrations.AddConstraint(
            "challenge",
            models.UniqueConstraint(fields=["commitment"], name="one_challenge_a_commitment"),
        ),
        migrations.AlterField(
            "invitation",
            "challenge",
            models.ForeignKey("lobby.challenge", models.CASCADE, related_name="invitations"),
        ),
        migrations.AlterField(
            "invitation",
            "user",
            models.ForeignKey(
                settings.AUTH_USER_MODEL, models.PROTECT, related_name="invitations"
            ),
        ),
        migrations.RunPython(rename_permissions, restore_permissions),
    ]

"""Rename in code only: tables and columns keep their names, so the release before still runs."""

from django.db import migrations, models

OLD, NEW = "move", "logentry"


def rename_permissions(apps, schema_editor):
    """Let who had a right on the model keep it under the model's new name."""
    _rename(apps, schema_editor.connection.alias, OLD, NEW)


def restore_permissions(apps, schema_editor):
    """Give the rights their old names back."""
    _rename(apps, schema_editor.connection.alias, NEW, OLD)


def _rename(apps, database, before, after):
    permissions = apps.get_model("auth", "Permission").objects.using(database)
    for permission in permissions.filter(
        content_type__app_label="match", codename__endswith=f"_{before}"
    ):
        verb = permission.codename.removesuffix(f"_{before}")
        permission.codename = f"{verb}_{after}"
        permission.save(update_fields=["codename"])



class Migration(migrations.Migration):
    dependencies = [("match", "0007_strict_dice"), ("auth", "0012_alter_user_first_name_max_length"), ("contenttypes", "0002_remove_content_type_name")]

    operations = [
        migrations.AlterModelTable("move", "match_move"),
        migrations.RenameModel("Move", "LogEntry"),
        migrations.AlterField(
            "match", "seal", models.CharField(max_length=64, db_column="seal")
        ),
        migrations.RenameField("match", "seal", "commitment"),
        migrations.RunPython(rename_permissions, restore_permissions),
    ]

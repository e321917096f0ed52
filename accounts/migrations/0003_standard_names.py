"""Rename in code only: tables and columns keep their names, so the release before still runs."""

from django.conf import settings
from django.db import migrations, models

OLD, NEW = "notice", "notification"


def rename_permissions(apps, schema_editor):
    """Let who had a right on the model keep it under the model's new name."""
    _rename(apps, schema_editor.connection.alias, OLD, NEW)


def restore_permissions(apps, schema_editor):
    """Give the rights their old names back."""
    _rename(apps, schema_editor.connection.alias, NEW, OLD)


def _rename(apps, database, before, after):
    permissions = apps.get_model("auth", "Permission").objects.using(database)
    for permission in permissions.filter(
        content_type__app_label="accounts", codename__endswith=f"_{before}"
    ):
        verb = permission.codename.removesuffix(f"_{before}")
        permission.codename = f"{verb}_{after}"
        permission.save(update_fields=["codename"])



class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_outgoing_mail_and_error_report"), ("auth", "0012_alter_user_first_name_max_length"), ("contenttypes", "0002_remove_content_type_name")]

    operations = [
        migrations.AlterModelTable("notice", "accounts_notice"),
        migrations.RenameModel("Notice", "Notification"),
        migrations.AlterField(
            "notification", "place", models.CharField(blank=True, max_length=80, help_text="The page that shows it, as the payload names it.", db_column="place")
        ),
        migrations.RenameField("notification", "place", "page_key"),
        migrations.AlterField(
            "notification",
            "recipient",
            models.ForeignKey(
                settings.AUTH_USER_MODEL,
                models.CASCADE,
                related_name="notifications",
                db_index=False,
                verbose_name="to",
            ),
        ),
        migrations.RunPython(rename_permissions, restore_permissions),
    ]

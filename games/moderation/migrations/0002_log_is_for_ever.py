from django.db import migrations

MAKE = """
CREATE FUNCTION moderation_log_is_for_ever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The log of moderators is append-only.';
END $$;
CREATE TRIGGER moderation_log_is_for_ever
    BEFORE UPDATE OR DELETE ON moderation_moderatoraction
    FOR EACH ROW EXECUTE FUNCTION moderation_log_is_for_ever();
"""
DROP = """
DROP TRIGGER moderation_log_is_for_ever ON moderation_moderatoraction;
DROP FUNCTION moderation_log_is_for_ever();
"""


def make(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(MAKE)


def drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(DROP)


class Migration(migrations.Migration):
    dependencies = [("moderation", "0001_cases")]
    operations = [migrations.RunPython(make, drop)]

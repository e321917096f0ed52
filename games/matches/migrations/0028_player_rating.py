from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("match", "0027_conditional_moves")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="rating",
            field=models.PositiveSmallIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="player",
            name="rating_is_provisional",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("match", "0015_fill_results_of_seats"),
    ]

    operations = [
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('ended', None)), fields=['user'], name='player_running'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('ended__isnull', False)), fields=['user', '-ended'], name='player_ended'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('ended__isnull', False)), fields=['user', 'result', '-ended'], name='player_by_result'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('ended__isnull', False)), fields=['user', 'title', 'result', '-ended'], name='player_by_title'),
        ),
    ]

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


CREATE_TRIGGER = """
CREATE FUNCTION moderation_log_is_for_ever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The log of moderators is append-only.';
END $$;
CREATE TRIGGER moderation_log_is_for_ever
    BEFORE UPDATE OR DELETE ON moderation_moderatoraction
    FOR EACH ROW EXECUTE FUNCTION moderation_log_is_for_ever();
"""
DROP_TRIGGER = """
DROP TRIGGER moderation_log_is_for_ever ON moderation_moderatoraction;
DROP FUNCTION moderation_log_is_for_ever();
"""


def create_trigger(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(CREATE_TRIGGER)


def drop_trigger(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(DROP_TRIGGER)


class Migration(migrations.Migration):

    replaces = [
        ('moderation', '0001_cases'),
        ('moderation', '0002_log_is_for_ever'),
        ('moderation', '0003_unlock_hands'),
        ('moderation', '0004_cases_keep_their_suspect'),
        ('moderation', '0005_abandoned_seats'),
    ]

    initial = True

    dependencies = [
        ('match', '0001_squashed_0024_lean_indexes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='AbandonedSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('reason', models.TextField()),
                ('opened', models.DateTimeField()),
                ('outcome', models.CharField(blank=True, choices=[('substitute', 'Go on with a substitute'), ('remove', 'Take the player out'), ('wait', 'Let the clock run'), ('void', 'The player is back')], max_length=10)),
                ('decided', models.DateTimeField(blank=True, null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='match.match')),
                ('moderator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('cheating', 'Cheating'), ('stalling', 'Stalling'), ('abuse', 'Abuse'), ('spam', 'Spam'), ('accounts', 'Several accounts'), ('name', 'Name'), ('other', 'Something else')], max_length=10)),
                ('status', models.CharField(choices=[('open', 'open'), ('upheld', 'action taken'), ('dismissed', 'no action needed')], default='open', max_length=10)),
                ('opened', models.DateTimeField()),
                ('closed', models.DateTimeField(blank=True, null=True)),
                ('claimed_until', models.DateTimeField(blank=True, null=True)),
                ('admins_told', models.BooleanField(default=False)),
                ('claimed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('suspect', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'permissions': (('use_desk', 'Can read cases, claim them, take notes and close them'), ('warn_player', 'Can warn players'), ('mute_player', 'Can mute players'), ('suspend_player', 'Can suspend players'), ('ban_player', 'Can ban players'), ('rename_player', 'Can rename players'), ('end_matches', 'Can end and annul matches, and remove players from them'), ('give_time', 'Can give time'), ('unlock_hands', 'Can look at hidden hands (the players are notified)'), ('lift_sanctions', 'Can lift sanctions and answer appeals')),
            },
        ),
        migrations.CreateModel(
            name='ModeratorAction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('action', models.CharField(max_length=20)),
                ('moderator_id', models.BigIntegerField()),
                ('moderator_name', models.CharField(max_length=40)),
                ('user_id', models.BigIntegerField(null=True)),
                ('user_name', models.CharField(blank=True, max_length=40)),
                ('match_id', models.BigIntegerField(null=True)),
                ('case_id', models.BigIntegerField(null=True)),
                ('reason', models.TextField()),
                ('details', models.CharField(blank=True, max_length=200)),
            ],
            options={
                'ordering': ('-pk',),
                'indexes': [models.Index(fields=['user_id'], name='action_by_user')],
            },
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('created', models.DateTimeField()),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='moderation.case')),
            ],
            options={
                'ordering': ('created', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='OpponentChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('choice', models.CharField(choices=[('substitute', 'Go on with a substitute'), ('remove', 'Take the player out'), ('wait', 'Let the clock run'), ('void', 'The player is back')], max_length=10)),
                ('abandoned', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='choices', to='moderation.abandonedseat')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.CharField(max_length=80)),
                ('text', models.TextField(blank=True)),
                ('created', models.DateTimeField()),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='moderation.case')),
                ('reporter', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('created', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='SubstituteOffer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('reason', models.TextField()),
                ('created', models.DateTimeField()),
                ('expires', models.DateTimeField()),
                ('state', models.CharField(choices=[('open', 'open'), ('taken', 'taken'), ('declined', 'declined')], default='open', max_length=8)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='moderation.case')),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='match.match')),
                ('moderator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddConstraint(
            model_name='abandonedseat',
            constraint=models.UniqueConstraint(condition=models.Q(('outcome', '')), fields=('match', 'seat'), name='one_open_choice_a_seat'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(condition=models.Q(('status', 'open')), fields=['opened'], name='case_queue'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'open')), fields=('suspect', 'kind'), name='one_open_case_a_suspect_and_kind'),
        ),
        migrations.AddConstraint(
            model_name='opponentchoice',
            constraint=models.UniqueConstraint(fields=('abandoned', 'user'), name='one_choice_an_opponent'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('case', 'reporter', 'subject'), name='one_report_a_person_and_subject'),
        ),
        migrations.AddConstraint(
            model_name='substituteoffer',
            constraint=models.UniqueConstraint(condition=models.Q(('state', 'open')), fields=('match', 'seat', 'user'), name='one_open_offer_a_substitute'),
        ),
        migrations.RunPython(create_trigger, drop_trigger),
    ]

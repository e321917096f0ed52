import django.db.models.deletion
import games.matches.fields
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('lobby', '0001_initial'),
        ('lobby', '0002_sealed_dice'),
        ('lobby', '0003_strict_dice'),
        ('lobby', '0004_standard_names'),
        ('lobby', '0005_checks'),
        ('lobby', '0006_lobby_index'),
        ('lobby', '0007_open_to_bots'),
        ('lobby', '0008_least_reliability'),
        ('lobby', '0009_follows_and_preferences'),
        ('lobby', '0010_renewals'),
    ]

    initial = True

    dependencies = [
        ('match', '0001_squashed_0024_lean_indexes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ChallengePreferences',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='challenge_preferences', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('challengers', models.CharField(choices=[('anybody', 'Anybody I have not blocked'), ('followed', 'Only players I follow'), ('nobody', 'Nobody')], default='anybody', max_length=8)),
                ('most_matches', models.PositiveSmallIntegerField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='StandingChallenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=60, verbose_name='game')),
                ('params', models.JSONField()),
                ('clock', models.JSONField(null=True)),
                ('seats', models.PositiveSmallIntegerField()),
                ('seating', models.CharField(max_length=6)),
                ('message', models.CharField(blank=True, max_length=500)),
                ('least_reliability', models.PositiveSmallIntegerField(default=0)),
                ('most', models.PositiveSmallIntegerField()),
                ('since', models.DateTimeField()),
                ('stopped', models.CharField(blank=True, choices=[('timeout', 'your time ran out in one of its matches'), ('idle', 'you were away for two weeks')], max_length=7)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standing_challenges', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=60, verbose_name='game')),
                ('params', models.JSONField()),
                ('clock', models.JSONField(null=True)),
                ('seats', models.PositiveSmallIntegerField()),
                ('audience', models.CharField(choices=[('open', 'anybody'), ('named', 'the players named'), ('link', 'anybody with the link')], max_length=6)),
                ('seating', models.CharField(choices=[('random', 'random'), ('first', 'I begin'), ('last', 'they begin')], default='random', max_length=6)),
                ('message', models.CharField(blank=True, max_length=500)),
                ('token', models.CharField(max_length=43, unique=True)),
                ('commitment', models.CharField(db_column='seal', max_length=64)),
                ('secret', games.matches.fields.HiddenField()),
                ('strict_dice', models.BooleanField(default=False)),
                ('bots_from', models.DateTimeField(blank=True, null=True)),
                ('bot_level', models.CharField(blank=True, db_default='', default='', max_length=20)),
                ('least_reliability', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('status', models.CharField(choices=[('open', 'open'), ('revealing', 'waiting for the dice'), ('started', 'started'), ('declined', 'declined'), ('withdrawn', 'withdrawn'), ('expired', 'expired')], default='open', max_length=10)),
                ('version', models.PositiveIntegerField(default=0)),
                ('created', models.DateTimeField()),
                ('expires', models.DateTimeField()),
                ('creator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='challenges', to=settings.AUTH_USER_MODEL)),
                ('match', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='challenge', to='match.match')),
                ('rematch_of', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rematches', to='match.match')),
                ('renewal', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='challenges', to='lobby.standingchallenge')),
            ],
            options={
                'ordering': ('-created', '-pk'),
                'base_manager_name': 'objects',
            },
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created', models.DateTimeField()),
                ('followed', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='followers', to=settings.AUTH_USER_MODEL)),
                ('follower', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-created', '-pk'),
                'constraints': [models.UniqueConstraint(fields=('follower', 'followed'), name='one_follow_a_pair'), models.CheckConstraint(condition=models.Q(('follower', models.F('followed')), _negated=True), name='follow_of_somebody_else')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('invited', 'invited'), ('taken', 'accepted'), ('declined', 'declined')], max_length=8)),
                ('nonce', games.matches.fields.HiddenField(default=bytes)),
                ('nonce_is_own', models.BooleanField(default=False)),
                ('nonce_commitment', models.CharField(blank=True, default='', max_length=64)),
                ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('answered', models.DateTimeField(blank=True, null=True)),
                ('challenge', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='lobby.challenge')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invitations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'lobby_place',
                'ordering': ('answered', 'pk'),
                'constraints': [models.UniqueConstraint(fields=('challenge', 'user'), name='one_place_a_person'), models.CheckConstraint(condition=models.Q(('state__in', ['invited', 'taken', 'declined'])), name='invitation_state_is_known'), models.CheckConstraint(condition=models.Q(('seat', None), ('seat__lt', 10), _connector='OR'), name='invitation_seat_exists')],
            },
        ),
        migrations.AddIndex(
            model_name='challenge',
            index=models.Index(fields=['status', 'expires'], name='challenge_expiry'),
        ),
        migrations.AddIndex(
            model_name='challenge',
            index=models.Index(condition=models.Q(('audience', 'open'), ('status', 'open')), fields=['-created'], name='challenge_in_lobby'),
        ),
        migrations.AddIndex(
            model_name='challenge',
            index=models.Index(condition=models.Q(('bots_from__isnull', False), ('status', 'open')), fields=['bots_from'], name='challenge_for_bots'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ['open', 'revealing'])), fields=('rematch_of',), name='one_open_rematch_a_match'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.UniqueConstraint(condition=models.Q(('status__in', ['open', 'revealing'])), fields=('renewal',), name='one_open_challenge_a_renewal'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.UniqueConstraint(fields=('commitment',), name='one_challenge_a_commitment'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(('audience__in', ['open', 'named', 'link']), ('seating__in', ['random', 'first', 'last'])), name='challenge_choices_are_known'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('match__isnull', False), ('status', 'started')), models.Q(('match', None), ('status__in', ['open', 'revealing', 'declined', 'withdrawn', 'expired'])), _connector='OR'), name='challenge_starts_with_a_match'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(('seats__gte', 2), ('seats__lte', 10)), name='challenge_seats_2_to_10'),
        ),
        migrations.AddConstraint(
            model_name='challenge',
            constraint=models.CheckConstraint(condition=models.Q(('expires__gt', models.F('created'))), name='challenge_expires_after_creation'),
        ),
    ]

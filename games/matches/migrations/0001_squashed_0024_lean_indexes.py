import datetime
import django.db.models.deletion
import django.db.models.functions.comparison
import games.matches.fields
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('match', '0001_initial'),
        ('match', '0002_sealed_dice'),
        ('match', '0003_list_of_running_matches'),
        ('match', '0004_traces'),
        ('match', '0005_orders_and_queues'),
        ('match', '0006_outage_progress'),
        ('match', '0007_strict_dice'),
        ('match', '0008_standard_names'),
        ('match', '0009_set_aside'),
        ('match', '0010_checks'),
        ('match', '0011_plans_ahead'),
        ('match', '0012_checkpoints'),
        ('match', '0013_list_indexes'),
        ('match', '0014_results_of_seats'),
        ('match', '0015_fill_results_of_seats'),
        ('match', '0016_indexes_of_seats'),
        ('match', '0017_bots'),
        ('match', '0018_pauses'),
        ('match', '0019_vacations'),
        ('match', '0020_offers'),
        ('match', '0021_substitutes'),
        ('match', '0022_pace'),
        ('match', '0023_watches'),
        ('match', '0024_lean_indexes'),
    ]

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Sweep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=20, unique=True)),
                ('ran', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=60, verbose_name='game')),
                ('params', models.JSONField()),
                ('rules_version', models.PositiveSmallIntegerField()),
                ('clock', models.JSONField(null=True)),
                ('commitment', models.CharField(db_column='seal', max_length=64)),
                ('secret', games.matches.fields.HiddenField()),
                ('strict_dice', models.BooleanField(default=False)),
                ('setup_chance', models.JSONField(default=list)),
                ('setup_sides', models.JSONField(default=list)),
                ('rolls', models.PositiveIntegerField(default=0)),
                ('position', models.JSONField()),
                ('version', models.PositiveIntegerField(default=0)),
                ('clock_epoch', models.PositiveIntegerField(default=0)),
                ('status', models.CharField(choices=[('running', 'running'), ('over', 'finished'), ('cancelled', 'cancelled'), ('annulled', 'annulled')], default='running', max_length=10)),
                ('ending', models.CharField(blank=True, max_length=40)),
                ('created', models.DateTimeField()),
                ('changed', models.DateTimeField()),
                ('ended', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'matches',
                'base_manager_name': 'objects',
                'indexes': [models.Index(fields=['status', '-changed'], name='match_by_change'), models.Index(fields=['title', 'status', '-changed'], name='match_by_title'), models.Index(condition=models.Q(('status', 'over')), fields=['-ended'], name='match_over'), models.Index(condition=models.Q(('status', 'over')), fields=['title', '-ended'], name='match_over_by_title'), models.Index(condition=models.Q(('status', 'over')), fields=['ending', '-ended'], name='match_over_by_ending'), models.Index(condition=models.Q(('status__in', ['cancelled', 'annulled'])), fields=['-changed'], name='match_void')],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['running', 'over', 'cancelled', 'annulled'])), name='match_status_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('ended', None), ('ending', ''), ('status', 'running')), models.Q(models.Q(('status', 'running'), _negated=True), ('ended__isnull', False), models.Q(('ending', ''), _negated=True)), _connector='OR'), name='match_ends_when_not_running'), models.CheckConstraint(condition=models.Q(('rules_version__gte', 1)), name='match_rules_version_from_1')],
            },
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('cause', models.CharField(choices=[('deadlines', 'scheduled jobs'), ('web', 'web processes')], default='deadlines', max_length=20)),
                ('began', models.DateTimeField()),
                ('ended', models.DateTimeField()),
                ('settled', models.BooleanField(default=False)),
                ('reached', models.BigIntegerField(default=0)),
            ],
            options={
                'ordering': ('began',),
                'constraints': [models.CheckConstraint(condition=models.Q(('cause__in', ['deadlines', 'web'])), name='outage_cause_is_known'), models.CheckConstraint(condition=models.Q(('ended__gte', models.F('began'))), name='outage_ends_after_its_beginning')],
            },
        ),
        migrations.CreateModel(
            name='Pace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('median', models.DurationField(null=True)),
                ('answers', models.PositiveIntegerField()),
                ('entry', models.BigIntegerField(db_index=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='pace', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('nonce', games.matches.fields.HiddenField()),
                ('nonce_is_own', models.BooleanField(default=False)),
                ('nonce_commitment', models.CharField(blank=True, default='', max_length=64)),
                ('version', models.PositiveIntegerField(default=0)),
                ('to_move', models.BooleanField(default=False)),
                ('time_left', models.DurationField(blank=True, null=True)),
                ('clock_since', models.DateTimeField(blank=True, null=True)),
                ('deadline', models.DateTimeField(blank=True, null=True)),
                ('remind_at', models.DateTimeField(blank=True, null=True)),
                ('pauses', models.JSONField(db_default=models.Value([], models.JSONField()), default=list)),
                ('agrees_to_close', models.BooleanField(default=False)),
                ('agrees_to', models.CharField(blank=True, db_default='', default='', max_length=10)),
                ('take_backs', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('dropped', models.CharField(blank=True, choices=[('resigned', 'resigned'), ('timeout', 'ran out of time'), ('removed', 'removed by a moderator')], max_length=10)),
                ('rank', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('plans', models.BooleanField(db_default=False, default=False)),
                ('since', models.PositiveIntegerField(db_default=0, default=0)),
                ('title', models.CharField(blank=True, db_default='', default='', max_length=60, verbose_name='game')),
                ('ended', models.DateTimeField(blank=True, null=True)),
                ('result', models.CharField(blank=True, choices=[('won', 'won'), ('tied', 'tied'), ('lost', 'lost')], db_default='', default='', max_length=4)),
                ('is_bot', models.BooleanField(db_default=False, default=False, verbose_name='bot')),
                ('with_bots', models.BooleanField(db_default=False, default=False)),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='players', to='match.match')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('seat',),
            },
        ),
        migrations.CreateModel(
            name='Queue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('moves', models.JSONField()),
                ('after', models.PositiveIntegerField()),
                ('waits', models.BooleanField()),
                ('foreseen', models.BooleanField(db_default=False, default=False)),
                ('submission', models.UUIDField(default=uuid.uuid4)),
                ('halted', models.TextField(blank=True)),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='queue', to='match.player')),
            ],
        ),
        migrations.CreateModel(
            name='SetAside',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField()),
                ('part', models.CharField(max_length=10)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='set_aside', to='match.match')),
            ],
            options={
                'verbose_name': 'match set aside',
                'verbose_name_plural': 'matches set aside',
            },
        ),
        migrations.CreateModel(
            name='StandingOrder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('given', models.DateTimeField()),
                ('seen', models.PositiveIntegerField(null=True)),
                ('called', models.PositiveIntegerField(null=True)),
                ('due', models.DateTimeField(db_index=True, null=True)),
                ('submission', models.UUIDField(null=True)),
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='order', to='match.player')),
            ],
        ),
        migrations.CreateModel(
            name='Vacation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begin', models.DateTimeField()),
                ('end', models.DateTimeField(db_index=True)),
                ('shows_end', models.BooleanField(default=True)),
                ('automatic', models.BooleanField(default=False)),
                ('end_told', models.BooleanField(default=False)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vacations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('begin',),
            },
        ),
        migrations.CreateModel(
            name='Watch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField()),
                ('tells_end', models.BooleanField(default=False)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='watches', to='match.match')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='watches', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='LogEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('play', 'move'), ('resign', 'resignation'), ('timeout', 'out of time'), ('offer', 'offer to close'), ('accept', 'agreement to close'), ('decline', 'refusal to close'), ('take-back', 'take-back'), ('cancel', 'cancelled'), ('remove', 'removed by a moderator'), ('close', 'ended by a moderator'), ('annul', 'annulled by a moderator'), ('pause', 'clocks stopped'), ('resume', 'clocks resumed'), ('substitute', 'a substitute')], max_length=10)),
                ('seat', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('text', models.TextField(blank=True)),
                ('chance', models.JSONField(default=list)),
                ('sides', models.JSONField(default=list)),
                ('trace', models.JSONField(blank=True, null=True)),
                ('events', models.JSONField(default=list)),
                ('undoes', models.PositiveIntegerField(blank=True, null=True)),
                ('at', models.DateTimeField()),
                ('thinking', models.DurationField(blank=True, null=True)),
                ('time_left', models.DurationField(blank=True, null=True)),
                ('submission', models.UUIDField(blank=True, null=True)),
                ('part', models.PositiveSmallIntegerField(default=0)),
                ('reason', models.TextField(blank=True)),
                ('moderator', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='log', to='match.match')),
            ],
            options={
                'verbose_name': 'log entry',
                'verbose_name_plural': 'log entries',
                'db_table': 'match_move',
                'ordering': ('match', 'number'),
                'indexes': [models.Index(condition=models.Q(('undoes__isnull', False)), fields=['match', 'undoes'], name='entry_undone'), models.Index(condition=models.Q(('moderator__isnull', False)), fields=['moderator'], name='entry_of_moderator')],
                'constraints': [models.UniqueConstraint(fields=('match', 'number'), name='one_entry_a_number'), models.UniqueConstraint(fields=('match', 'seat', 'submission', 'part'), name='one_entry_a_submission'), models.CheckConstraint(condition=models.Q(('kind__in', ['play', 'resign', 'timeout', 'offer', 'accept', 'decline']), ('kind__in', ['take-back', 'cancel', 'remove', 'close', 'annul', 'pause', 'resume']), models.Q(('kind', 'substitute'), ('moderator__isnull', False), ('seat__isnull', False)), _connector='OR'), name='entry_kind_is_known'), models.CheckConstraint(condition=models.Q(('number__gte', 1), models.Q(('seat', None), ('seat__lt', 10), _connector='OR')), name='entry_number_and_seat'), models.CheckConstraint(condition=models.Q(models.Q(('thinking', None), ('thinking__gte', datetime.timedelta(0)), _connector='OR'), models.Q(('time_left', None), ('time_left__gte', datetime.timedelta(0)), _connector='OR')), name='entry_spans_from_0'), models.CheckConstraint(condition=models.Q(models.Q(models.Q(('kind', 'take-back'), _negated=True), ('undoes', None)), models.Q(('kind', 'take-back'), ('undoes__gte', 1), ('undoes__isnull', False), ('undoes__lt', models.F('number'))), _connector='OR'), name='entry_undoes_an_earlier_one')],
            },
        ),
        migrations.CreateModel(
            name='FormerPlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('until', models.PositiveIntegerField()),
                ('at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_players', to='match.match')),
            ],
            options={
                'ordering': ('until',),
                'constraints': [models.UniqueConstraint(fields=('match', 'until'), name='one_substitution_an_entry')],
            },
        ),
        migrations.CreateModel(
            name='Checkpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('position', models.JSONField()),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='checkpoints', to='match.match')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('match', 'number'), name='one_checkpoint_a_number')],
            },
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(fields=['user', 'ended'], name='player_of_user'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(models.F('user'), django.db.models.functions.comparison.Coalesce('deadline', models.Value(datetime.datetime(9999, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)), output_field=models.DateTimeField()), models.F('match'), condition=models.Q(('to_move', True)), name='player_waiting'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('deadline__isnull', False)), fields=['deadline'], name='player_due'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('remind_at__isnull', False)), fields=['remind_at'], name='player_to_remind'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('ended__isnull', False)), fields=['user', 'result', '-ended'], name='player_by_result'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('ended__isnull', False)), fields=['user', 'title', 'result', '-ended', 'with_bots'], name='player_by_title'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(fields=('match', 'seat'), name='one_player_a_seat'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('seat__lt', 10)), name='player_seat_exists'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('rank', None), ('rank__gte', 1), _connector='OR'), name='player_rank_from_1'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('dropped__in', ['', 'resigned', 'timeout', 'removed'])), name='player_dropped_is_known'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('time_left', None), ('time_left__gte', datetime.timedelta(0)), _connector='OR'), name='player_time_left_from_0'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clock_since', None), ('deadline', None), ('remind_at', None)), models.Q(('clock_since__isnull', False), ('deadline__isnull', False), ('time_left__isnull', False)), models.Q(('clock_since__isnull', False), ('remind_at', None), ('time_left__isnull', False)), _connector='OR'), name='player_deadline_of_a_clock'),
        ),
        migrations.AddConstraint(
            model_name='setaside',
            constraint=models.CheckConstraint(condition=models.Q(('part__in', ['rules', 'position', 'log'])), name='set_aside_part_is_known'),
        ),
        migrations.AddConstraint(
            model_name='standingorder',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('called', None), ('due', None)), models.Q(('called__isnull', False), ('due__isnull', False), ('submission__isnull', False)), _connector='OR'), name='order_due_when_called'),
        ),
        migrations.AddIndex(
            model_name='vacation',
            index=models.Index(fields=['user', 'begin'], name='vacation_by_user'),
        ),
        migrations.AddConstraint(
            model_name='vacation',
            constraint=models.CheckConstraint(condition=models.Q(('end__gt', models.F('begin'))), name='vacation_ends_after_its_beginning'),
        ),
        migrations.AddConstraint(
            model_name='watch',
            constraint=models.UniqueConstraint(fields=('user', 'match'), name='one_watch_a_match'),
        ),
    ]

import accounts.names
import accounts.zones
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import django_countries.fields
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('accounts', '0001_initial'),
        ('accounts', '0002_outgoing_mail_and_error_report'),
        ('accounts', '0003_standard_names'),
        ('accounts', '0004_left_handed'),
        ('accounts', '0005_bots'),
        ('accounts', '0006_security_events'),
        ('accounts', '0008_sanctions'),
        ('accounts', '0009_auto_vacation'),
        ('accounts', '0010_blocks'),
        ('accounts', '0011_guests'),
        ('accounts', '0012_api_tokens'),
        ('accounts', '0013_sanctions_keep_their_user'),
        ('accounts', '0014_delivery'),
        ('accounts', '0015_presence'),
        ('accounts', '0016_web_push'),
        ('accounts', '0017_feed_addresses'),
        ('accounts', '0018_moves_by_mail'),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'This name is taken.'}, max_length=20, unique=True, validators=[accounts.names.validate], verbose_name='name')),
                ('skeleton', models.GeneratedField(db_persist=True, expression=django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Replace(django.db.models.functions.text.Lower(models.F('username')), models.Value('_'), models.Value(''), output_field=models.CharField()), models.Value('-'), models.Value(''), output_field=models.CharField()), models.Value('o'), models.Value('0'), output_field=models.CharField()), models.Value('i'), models.Value('1'), output_field=models.CharField()), models.Value('l'), models.Value('1'), output_field=models.CharField()), output_field=models.CharField(max_length=20), unique=True)),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='mail address')),
                ('is_active', models.BooleanField(default=True, help_text='Switch off rather than delete: matches refer to the row.', verbose_name='active')),
                ('is_staff', models.BooleanField(default=False, help_text='May use the admin.', verbose_name='staff')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name='joined')),
                ('time_zone', models.CharField(default='UTC', max_length=60, validators=[accounts.zones.validate])),
                ('theme', models.CharField(choices=[('auto', 'As the device'), ('light', 'Light'), ('dark', 'Dark')], default='auto', max_length=5)),
                ('confirm_moves', models.BooleanField(default=True)),
                ('left_handed', models.BooleanField(default=False)),
                ('shows_presence', models.BooleanField(db_default=True, default=True)),
                ('last_here', models.DateField(blank=True, editable=False, null=True)),
                ('is_bot', models.BooleanField(db_default=False, default=False, editable=False, verbose_name='bot')),
                ('is_restricted', models.BooleanField(db_default=False, default=False, editable=False, verbose_name='restricted')),
                ('is_guest', models.BooleanField(db_default=False, default=False, editable=False, verbose_name='guest')),
                ('is_program', models.BooleanField(db_default=False, default=False, editable=False, verbose_name='played by a program')),
                ('mail_off', models.JSONField(blank=True, default=list, verbose_name='kinds of notification not mailed')),
                ('auto_vacation', models.BooleanField(db_default=False, default=False, verbose_name='vacation starts before time runs out')),
                ('about', models.TextField(blank=True, max_length=1000)),
                ('country', django_countries.fields.CountryField(blank=True, max_length=2)),
                ('languages', models.JSONField(blank=True, default=list, verbose_name='codes of languages spoken')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
        ),
        migrations.CreateModel(
            name='ErrorReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('fingerprint', models.CharField(max_length=64, unique=True)),
                ('summary', models.CharField(max_length=200)),
                ('details', models.TextField(help_text='Details of the first occurrence.')),
                ('first_seen', models.DateTimeField()),
                ('last_seen', models.DateTimeField(db_index=True)),
                ('count', models.PositiveIntegerField(default=0)),
                ('mailed_count', models.PositiveIntegerField(default=0)),
                ('mailed_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name': 'error',
            },
        ),
        migrations.CreateModel(
            name='OutgoingMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('to', models.EmailField(max_length=254)),
                ('subject', models.CharField(max_length=255)),
                ('text', models.TextField()),
                ('created', models.DateTimeField()),
                ('expires', models.DateTimeField(help_text='It is not sent after this time.')),
                ('mail_state', models.CharField(choices=[('due', 'waiting to be sent'), ('sending', 'being sent')], default='due', max_length=8)),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Number of tries. A worker writes only if its try is the latest.')),
                ('next_try', models.DateTimeField(db_index=True, help_text='When it is due, or while being sent, when its lease ends.')),
                ('error', models.CharField(blank=True, max_length=300)),
            ],
            options={
                'verbose_name': 'outgoing mail',
            },
        ),
        migrations.CreateModel(
            name='SiteKey',
            fields=[
                ('name', models.CharField(max_length=20, primary_key=True, serialize=False)),
                ('value', models.TextField()),
            ],
            options={
                'db_table': 'accounts_site_key',
            },
        ),
        migrations.CreateModel(
            name='AccountDeletion',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='deletion', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('due', models.DateTimeField(db_index=True)),
            ],
            options={
                'db_table': 'accounts_deletion',
            },
        ),
        migrations.CreateModel(
            name='DeliverySettings',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='delivery', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('site_off', models.JSONField(blank=True, default=list, verbose_name='kinds not listed on the site')),
                ('push_off', models.JSONField(blank=True, default=list, verbose_name='kinds not pushed')),
                ('mail_daily', models.JSONField(blank=True, default=list, verbose_name='kinds mailed once a day')),
                ('daily_hour', models.PositiveSmallIntegerField(default=18, validators=[django.core.validators.MaxValueValidator(23)], verbose_name='hour of the daily mail')),
                ('quiet_from', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MaxValueValidator(23)], verbose_name='quiet from')),
                ('quiet_until', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MaxValueValidator(23)], verbose_name='quiet until')),
                ('mail_replies', models.BooleanField(db_default=True, default=True, verbose_name='moves by mail')),
                ('refused_address', models.EmailField(blank=True, max_length=254, verbose_name='address that refuses mails')),
                ('refusals', models.PositiveSmallIntegerField(default=0, verbose_name='refusals in a row')),
            ],
            options={
                'verbose_name': 'delivery settings',
                'verbose_name_plural': 'delivery settings',
                'db_table': 'accounts_delivery_settings',
            },
        ),
        migrations.CreateModel(
            name='FeedAddress',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='feed_address', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('nonce', models.CharField(max_length=32)),
                ('created', models.DateTimeField()),
            ],
            options={
                'verbose_name_plural': 'feed addresses',
                'db_table': 'accounts_feed_address',
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('scopes', models.JSONField(default=list)),
                ('created', models.DateTimeField()),
                ('last_used', models.DateTimeField(blank=True, null=True)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'API token',
            },
        ),
        migrations.CreateModel(
            name='Block',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created', models.DateTimeField()),
                ('blocked', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocked_by', to=settings.AUTH_USER_MODEL)),
                ('blocker', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-created',),
            },
        ),
        migrations.CreateModel(
            name='MutedPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('page_key', models.CharField(max_length=80)),
                ('created', models.DateTimeField()),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='muted_pages', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'accounts_muted_page',
            },
        ),
        migrations.CreateModel(
            name='Notification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('payload', models.JSONField(default=dict)),
                ('page_key', models.CharField(blank=True, db_column='place', help_text='The page it is about, by the key in the payload.', max_length=80)),
                ('key', models.CharField(blank=True, max_length=160, null=True)),
                ('created', models.DateTimeField()),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('mail_state', models.CharField(choices=[('due', 'waiting to be sent'), ('sending', 'being sent'), ('sent', 'sent'), ('seen', 'not needed: seen on the site'), ('off', 'not wanted'), ('merged', 'sent in the mail of another notification'), ('replaced', 'not needed: replaced by a later one'), ('over', 'not needed: no longer true'), ('failed', 'given up')], default='due', max_length=8)),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Number of tries. A worker writes only if its try is the latest.')),
                ('next_try', models.DateTimeField(help_text='When it is due, or while being sent, when its lease ends.')),
                ('sent_at', models.DateTimeField(blank=True, null=True)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('push_due', models.BooleanField(db_default=False, default=True, verbose_name='not pushed to browsers yet')),
                ('recipient', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notifications', to=settings.AUTH_USER_MODEL, verbose_name='to')),
            ],
            options={
                'db_table': 'accounts_notice',
            },
        ),
        migrations.CreateModel(
            name='PushDevice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('endpoint', models.CharField(max_length=500, unique=True)),
                ('public_key', models.CharField(max_length=100)),
                ('secret', models.CharField(max_length=40)),
                ('browser', models.CharField(blank=True, max_length=60)),
                ('created', models.DateTimeField()),
                ('refusals', models.PositiveSmallIntegerField(default=0)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='push_devices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'accounts_push_device',
            },
        ),
        migrations.CreateModel(
            name='PushMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('mail_state', models.CharField(default='due', max_length=8, verbose_name='state')),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('next_try', models.DateTimeField(db_index=True)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='accounts.pushdevice')),
                ('notification', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='accounts.notification')),
            ],
            options={
                'db_table': 'accounts_push_message',
            },
        ),
        migrations.CreateModel(
            name='Sanction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('warning', 'Warning'), ('mute', 'Mute'), ('suspension', 'Suspension'), ('ban', 'Ban')], max_length=10)),
                ('reason', models.TextField()),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('read', models.DateTimeField(blank=True, null=True)),
                ('lifted', models.DateTimeField(blank=True, null=True)),
                ('appeal', models.TextField(blank=True)),
                ('appealed', models.DateTimeField(blank=True, null=True)),
                ('answer_due', models.DateTimeField(blank=True, null=True)),
                ('answer', models.TextField(blank=True)),
                ('answered', models.DateTimeField(blank=True, null=True)),
                ('moderator', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sanctions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'accounts_sanction',
            },
        ),
        migrations.CreateModel(
            name='SecurityEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('signed-in', 'Signed in'), ('failed', 'Wrong password'), ('code-failed', 'Wrong code'), ('sessions-ended', 'Signed out elsewhere'), ('password', 'Password changed'), ('email', 'Email address changed'), ('factor-added', 'Second factor added'), ('factor-removed', 'Second factor removed'), ('factors-reset', 'All second factors removed'), ('codes', 'New recovery codes'), ('token-made', 'API token made'), ('token-revoked', 'API token revoked'), ('rights', 'Rights changed'), ('data', 'Own data downloaded'), ('deletion', 'Deletion asked for'), ('kept', 'Deletion called off')], max_length=16)),
                ('at', models.DateTimeField()),
                ('address', models.GenericIPAddressField(blank=True, null=True, verbose_name='network address')),
                ('browser', models.CharField(blank=True, max_length=60)),
                ('by', models.CharField(blank=True, max_length=40)),
                ('details', models.CharField(blank=True, max_length=200)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='security_events', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'accounts_security_event',
            },
        ),
        migrations.CreateModel(
            name='Trace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('address', 'network address'), ('device', 'browser')], max_length=7)),
                ('digest', models.CharField(max_length=32)),
                ('last_seen', models.DateTimeField(db_index=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'db_table': 'accounts_trace',
            },
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(django.db.models.functions.text.Upper('username'), name='user_by_name'),
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('is_guest', True)), fields=['last_login'], name='guest_by_age'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), condition=models.Q(('email', ''), _negated=True), name='one_user_an_address'),
        ),
        migrations.AddConstraint(
            model_name='apitoken',
            constraint=models.UniqueConstraint(fields=('user', 'name'), name='one_api_token_a_name'),
        ),
        migrations.AddConstraint(
            model_name='block',
            constraint=models.UniqueConstraint(fields=('blocker', 'blocked'), name='one_block_a_pair'),
        ),
        migrations.AddConstraint(
            model_name='block',
            constraint=models.CheckConstraint(condition=models.Q(('blocker', models.F('blocked')), _negated=True), name='block_of_somebody_else'),
        ),
        migrations.AddConstraint(
            model_name='mutedpage',
            constraint=models.UniqueConstraint(fields=('user', 'page_key'), name='one_mute_a_page'),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(fields=['recipient', '-created'], name='notice_list'),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(condition=models.Q(('seen_at', None)), fields=['recipient'], name='notice_unseen'),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(condition=models.Q(('mail_state__in', ['due', 'sending'])), fields=['next_try'], name='notice_waiting'),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(condition=models.Q(('mail_state', 'sent')), fields=['recipient', 'sent_at'], name='notice_mailed'),
        ),
        migrations.AddIndex(
            model_name='notification',
            index=models.Index(condition=models.Q(('push_due', True)), fields=['id'], name='notice_to_push'),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.UniqueConstraint(fields=('recipient', 'key'), name='told_once'),
        ),
        migrations.AddConstraint(
            model_name='pushmessage',
            constraint=models.UniqueConstraint(fields=('notification', 'device'), name='one_push_a_device'),
        ),
        migrations.AddIndex(
            model_name='sanction',
            index=models.Index(condition=models.Q(('answered', None), ('appealed__isnull', False)), fields=['answer_due'], name='sanction_appealed'),
        ),
        migrations.AddIndex(
            model_name='securityevent',
            index=models.Index(fields=['user', '-at'], name='security_event_list'),
        ),
        migrations.AddIndex(
            model_name='securityevent',
            index=models.Index(fields=['at'], name='security_event_age'),
        ),
        migrations.AddIndex(
            model_name='trace',
            index=models.Index(fields=['kind', 'digest'], name='trace_shared'),
        ),
        migrations.AddConstraint(
            model_name='trace',
            constraint=models.UniqueConstraint(fields=('user', 'kind', 'digest'), name='one_trace_each'),
        ),
    ]

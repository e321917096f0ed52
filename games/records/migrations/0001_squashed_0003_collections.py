import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('records', '0001_imported_records'),
        ('records', '0002_animations'),
        ('records', '0003_collections'),
    ]

    initial = True

    dependencies = [
        ('match', '0001_squashed_0024_lean_indexes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Collection',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('is_public', models.BooleanField(default=False, verbose_name='open to everybody who has its address')),
                ('created', models.DateTimeField()),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='collections', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('name', 'pk'),
            },
        ),
        migrations.CreateModel(
            name='ImportedRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=60, verbose_name='game')),
                ('head', models.JSONField()),
                ('digest', models.CharField(max_length=64)),
                ('length', models.PositiveIntegerField()),
                ('created', models.DateTimeField()),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imported_records', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ('-created', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='ImportedEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('data', models.JSONField()),
                ('events', models.JSONField()),
                ('undoes', models.PositiveIntegerField(blank=True, null=True)),
                ('position', models.JSONField(blank=True, null=True)),
                ('record', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='records.importedrecord')),
            ],
            options={
                'ordering': ('record', 'number'),
            },
        ),
        migrations.CreateModel(
            name='Bookmark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('placed', models.DateTimeField()),
                ('match', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='match.match')),
                ('collection', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='bookmarks', to='records.collection')),
                ('imported', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='records.importedrecord')),
            ],
            options={
                'ordering': ('-placed', '-pk'),
            },
        ),
        migrations.CreateModel(
            name='Animation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.PositiveIntegerField()),
                ('last', models.PositiveIntegerField()),
                ('theme', models.CharField(max_length=10)),
                ('status', models.CharField(choices=[('waiting', 'being made'), ('ready', 'ready'), ('failed', 'could not be made')], default='waiting', max_length=10)),
                ('data', models.BinaryField(null=True)),
                ('asked', models.DateTimeField(db_index=True)),
                ('begun', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='animations', to='match.match')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('match', 'first', 'last', 'theme'), name='one_animation_a_stretch'), models.CheckConstraint(condition=models.Q(('status__in', ['waiting', 'ready', 'failed'])), name='animation_status_is_known'), models.CheckConstraint(condition=models.Q(('last__gte', models.F('first'))), name='animation_goes_forward')],
            },
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.UniqueConstraint(fields=('owner', 'name'), name='one_collection_a_name'),
        ),
        migrations.AddConstraint(
            model_name='importedrecord',
            constraint=models.UniqueConstraint(fields=('owner', 'digest'), name='one_import_a_record'),
        ),
        migrations.AddConstraint(
            model_name='importedentry',
            constraint=models.UniqueConstraint(fields=('record', 'number'), name='one_entry_of_an_import'),
        ),
        migrations.AddConstraint(
            model_name='importedentry',
            constraint=models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='imported_entry_from_1'),
        ),
        migrations.AddIndex(
            model_name='bookmark',
            index=models.Index(fields=['collection', '-placed', '-id'], name='bookmark_by_place'),
        ),
        migrations.AddConstraint(
            model_name='bookmark',
            constraint=models.UniqueConstraint(condition=models.Q(('match__isnull', False)), fields=('collection', 'match', 'number'), name='one_bookmark_of_a_match'),
        ),
        migrations.AddConstraint(
            model_name='bookmark',
            constraint=models.UniqueConstraint(condition=models.Q(('imported__isnull', False)), fields=('collection', 'imported', 'number'), name='one_bookmark_of_an_import'),
        ),
        migrations.AddConstraint(
            model_name='bookmark',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('imported__isnull', False), ('match', None)), models.Q(('imported', None), ('match__isnull', False)), _connector='OR'), name='bookmark_of_one_record'),
        ),
    ]

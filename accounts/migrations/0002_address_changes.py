"""Create the model that refers to allauth's addresses, which refer to users."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [
        ('accounts', '0007_address_changes_and_deletions'),
    ]

    dependencies = [
        ('account', '0009_emailaddress_unique_primary_email'),
        ('accounts', '0001_squashed_0018_moves_by_mail'),
    ]

    operations = [
        migrations.CreateModel(
            name='AddressChange',
            fields=[
                ('address', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='change', serialize=False, to='account.emailaddress')),
                ('asked', models.DateTimeField()),
                ('new_agreed', models.BooleanField(default=False)),
                ('old_agreed', models.BooleanField(default=False)),
            ],
            options={
                'db_table': 'accounts_address_change',
            },
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tables', '0003_invitations'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='terms',
            field=models.CharField(blank=True, default='', max_length=12),
            preserve_default=False,
        ),
    ]

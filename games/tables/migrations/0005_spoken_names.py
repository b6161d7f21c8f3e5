import games.tables.models
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0004_terms"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="game",
            options={"verbose_name": "match", "verbose_name_plural": "matches"},
        ),
        migrations.AlterField(
            model_name="game",
            name="label",
            field=models.CharField(blank=True, max_length=80, verbose_name="label"),
        ),
        migrations.AlterField(
            model_name="game",
            name="opened_at",
            field=models.DateTimeField(verbose_name="opened at"),
        ),
        migrations.AlterField(
            model_name="game",
            name="profile_name",
            field=models.CharField(max_length=80, verbose_name="rules"),
        ),
        migrations.AlterField(
            model_name="game",
            name="public_id",
            field=models.CharField(
                default=games.tables.models.new_public_id,
                max_length=16,
                unique=True,
                verbose_name="opaque id",
            ),
        ),
        migrations.AlterField(
            model_name="game",
            name="status",
            field=models.CharField(
                choices=[
                    ("playing", "being played"),
                    ("between", "between two deals"),
                    ("over", "over"),
                ],
                default="between",
                max_length=8,
                verbose_name="state",
            ),
        ),
    ]

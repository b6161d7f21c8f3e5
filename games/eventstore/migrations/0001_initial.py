import django.db.models.functions.datetime
from django.db import migrations, models

TABLES = """
CREATE TABLE eventstore_stream (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- Columns stand in the order that leaves no padding. `txid` would be an xid8, but that type has no
-- BRIN operators, and a B-tree would cost more than the column itself.
CREATE TABLE eventstore_event (
    stream bigint NOT NULL,
    txid bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
    at timestamptz NOT NULL,
    command_key bigint,
    seq integer NOT NULL CHECK (seq > 0),
    type text NOT NULL,
    by text NOT NULL,
    data bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (stream, seq)
);
CREATE UNIQUE INDEX eventstore_event_command
    ON eventstore_event (stream, command_key) WHERE command_key IS NOT NULL;
CREATE INDEX eventstore_event_txid
    ON eventstore_event USING brin (txid) WITH (pages_per_range = 16, autosummarize = on);
"""

TRIGGERS = """
CREATE FUNCTION eventstore_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% on % is refused: events are never changed or removed', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege',
              HINT = 'Append an event that says what is true now.';
END $$;

CREATE TRIGGER eventstore_event_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON eventstore_event
    FOR EACH STATEMENT EXECUTE FUNCTION eventstore_refuse_change();
CREATE TRIGGER eventstore_event_row_kept BEFORE UPDATE OR DELETE ON eventstore_event
    FOR EACH ROW EXECUTE FUNCTION eventstore_refuse_change();
CREATE TRIGGER eventstore_stream_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON eventstore_stream
    FOR EACH STATEMENT EXECUTE FUNCTION eventstore_refuse_change();
CREATE TRIGGER eventstore_stream_row_kept BEFORE UPDATE OR DELETE ON eventstore_stream
    FOR EACH ROW EXECUTE FUNCTION eventstore_refuse_change();
"""


class Migration(migrations.Migration):
    initial = True

    # No way back: a migration that drops the log is not one to run by mistake.
    operations = [
        migrations.RunSQL(
            TABLES,
            state_operations=[
                migrations.CreateModel(
                    name="Stream",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("kind", models.TextField()),
                        (
                            "created_at",
                            models.DateTimeField(
                                db_default=django.db.models.functions.datetime.Now()
                            ),
                        ),
                    ],
                    options={"managed": False},
                ),
            ],
        ),
        migrations.RunSQL(TRIGGERS),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("follower", models.TextField(primary_key=True, serialize=False)),
                ("txid", models.BigIntegerField(default=0)),
                ("stream", models.BigIntegerField(default=0)),
                ("seq", models.IntegerField(default=0)),
            ],
        ),
    ]

"""The groups of those who keep order, and a log that the database itself keeps append-only."""

from django.apps.registry import Apps
from django.contrib.auth.management import create_permissions
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

READ = ["accounts.user"] + [
    f"games.{model}" for model in ("match", "seat", "move", "chatline", "case", "report", "flag", "action", "appeal")
]
ACT = ["games.moderate"]


def make_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give ``Moderators`` what they need to act, and ``Support`` what it needs to read."""
    # Permissions are else made after all migrations.
    for label in ("accounts", "games"):
        config = apps.get_app_config(label)
        config.models_module = True
        create_permissions(config, apps=apps, verbosity=0)
        config.models_module = None
    permission_model = apps.get_model("auth", "Permission")
    group_model = apps.get_model("auth", "Group")

    def permission(label: str, codename: str) -> object:
        return permission_model.objects.get(content_type__app_label=label, codename=codename)

    reading = [permission(label, f"view_{model}") for label, model in (name.split(".") for name in READ)]
    acting = [permission(label, codename) for label, codename in (name.split(".") for name in ACT)]
    group_model.objects.get_or_create(name="Support")[0].permissions.set(reading)
    group_model.objects.get_or_create(name="Moderators")[0].permissions.set(reading + acting)


def remove_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the groups away again."""
    apps.get_model("auth", "Group").objects.filter(name__in=("Support", "Moderators")).delete()


POSTGRESQL = [
    """CREATE FUNCTION games_action_refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the log of moderators'' actions is append-only'; END $$""",
    """CREATE TRIGGER games_action_append_only BEFORE UPDATE OR DELETE ON games_action
    FOR EACH ROW EXECUTE FUNCTION games_action_refuse()""",
]
# SQLite has no TRUNCATE, by which a database is emptied as a whole: there the model alone refuses to delete.
SQLITE = [
    """CREATE TRIGGER games_action_append_only BEFORE UPDATE ON games_action
    BEGIN SELECT RAISE(ABORT, 'the log of moderators'' actions is append-only'); END""",
]


def guard_log(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let the database refuse to change what is in the log."""
    for statement in {"postgresql": POSTGRESQL, "sqlite": SQLITE}.get(schema_editor.connection.vendor, []):
        schema_editor.execute(statement)


def unguard_log(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take the guard away."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER games_action_append_only ON games_action")
        schema_editor.execute("DROP FUNCTION games_action_refuse()")
    elif schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TRIGGER games_action_append_only")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0005_notices"),
        ("accounts", "0003_restrictions"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.RunPython(make_groups, remove_groups),
        migrations.RunPython(guard_log, unguard_log),
    ]

"""Seat the computer: one account for each of its eight levels."""

from django.db import migrations

LEVELS = range(1, 9)


def add_computers(apps, schema_editor):
    from accounts.names import skeleton
    from accounts.names import comparison_key

    User = apps.get_model("accounts", "User")
    ComputerPlayer = apps.get_model("games", "ComputerPlayer")
    for level in LEVELS:
        name = f"computer-{level}"
        user = User.objects.create(
            username=name,
            username_key=comparison_key(name),
            skeleton=skeleton(name),
            kind="computer",
            password="!",
        )
        ComputerPlayer.objects.create(level=level, user=user)


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial"), ("accounts", "0001_initial")]
    operations = [migrations.RunPython(add_computers, migrations.RunPython.noop)]

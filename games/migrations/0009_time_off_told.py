"""Players are told when their planned time off begins; an index that another made superfluous goes."""

from django.db import migrations, models
from django.utils import timezone


def nothing_to_tell(apps, schema_editor):
    """Time off that has begun already is no news."""
    apps.get_model("games", "TimeOff").objects.filter(begins_at__lte=timezone.now()).update(told=True)


class Migration(migrations.Migration):
    dependencies = [("games", "0008_load_puzzles")]

    operations = [
        migrations.RemoveIndex(model_name="delivery", name="delivery_match"),
        migrations.AddField("timeoff", "told", models.BooleanField(default=False, verbose_name="noticed")),
        migrations.RunPython(nothing_to_tell, migrations.RunPython.noop),
        migrations.AddIndex(
            "timeoff",
            models.Index(fields=["begins_at"], condition=models.Q(told=False), name="time_off_untold"),
        ),
    ]

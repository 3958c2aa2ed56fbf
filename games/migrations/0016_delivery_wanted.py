"""Drops an index that each delivery paid for and no query used: what is due is found by ``due_at``."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0015_match_cancelled")]

    operations = [migrations.RemoveIndex(model_name="delivery", name="delivery_wanted")]

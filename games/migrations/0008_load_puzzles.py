"""Store the puzzles that come with the site."""

import json
from pathlib import Path

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SHIPPED = Path(__file__).resolve().parents[1] / "data" / "puzzles.jsonl"


def load(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make a row of each line, numbered from 1."""
    puzzle = apps.get_model("games", "Puzzle")
    with SHIPPED.open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    puzzle.objects.bulk_create(
        puzzle(
            number=number,
            position=one["position"],
            line=" ".join(one["line"]),
            asked=one["asked"],
            turns=one["turns"],
            grade=one["grade"],
        )
        for number, one in enumerate(found, start=1)
    )


class Migration(migrations.Migration):
    dependencies = [("games", "0007_analyses_and_puzzles")]
    operations = [migrations.RunPython(load, migrations.RunPython.noop)]

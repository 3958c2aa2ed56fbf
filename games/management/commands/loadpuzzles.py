"""``manage.py loadpuzzles``: store puzzles that ``makepuzzles`` wrote."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.services import puzzles

#: The puzzles that come with the site.
SHIPPED = Path(__file__).resolve().parents[2] / "data" / "puzzles.jsonl"


class Command(BaseCommand):
    """Store the puzzles of a file; those that are there already keep their numbers."""

    help = "Store the puzzles that come with the site, or those of another file."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file."""
        parser.add_argument("file", type=Path, nargs="?", default=SHIPPED)

    def handle(self, *args: object, **options: object) -> None:
        """Load the file; raise ``CommandError`` where it cannot be read."""
        try:
            with options["file"].open(encoding="utf-8") as lines:
                count = puzzles.load(lines)
        except OSError as error:
            raise CommandError(f"{options['file']}: {error.strerror}") from error
        except (ValueError, KeyError) as error:
            raise CommandError(f"{options['file']} holds no puzzles: {error}") from error
        if options["verbosity"]:
            self.stdout.write(f"{count} new puzzles")

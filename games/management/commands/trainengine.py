"""``manage.py trainengine``: learn the engine's weights anew by self-play."""

import os
import shutil
import time
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from games.engine.training_recipe import Recipe


class Command(BaseCommand):
    """Run the training recipe."""

    help = "Learn the engine's weights by rounds of self-play; goes on where the folder holds rounds already."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the recipe's numbers and the folder for the rounds' weights."""
        recipe = Recipe()
        parser.add_argument("--rounds", type=int, default=recipe.rounds)
        parser.add_argument("--size", type=int, default=recipe.size, help="positions kept a round")
        parser.add_argument("--nodes", type=int, default=recipe.nodes, help="positions searched a turn of self-play")
        parser.add_argument("--epochs", type=int, default=recipe.epochs)
        parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
        parser.add_argument("--seed", type=int, default=recipe.seed)
        parser.add_argument("--folder", type=Path, default=Path(settings.BASE_DIR) / "var" / "engine")
        parser.add_argument("--install", action="store_true", help="play with the last round's weights from now on")

    def handle(self, *args: object, **options: object) -> None:
        """Train, telling each step with the time of day."""
        from games.engine.network import DEFAULT
        from games.engine.training import newest_round, train

        names = ("rounds", "size", "nodes", "epochs", "threads", "seed")
        folder = options["folder"]
        folder.mkdir(parents=True, exist_ok=True)
        train(
            Recipe(**{name: options[name] for name in names}),
            folder,
            tell=lambda text: self.stdout.write(f"{time.strftime('%H:%M:%S')} {text}"),
        )
        if options["install"]:
            shutil.copyfile(folder / f"round-{newest_round(folder):02d}.ytnw", DEFAULT)
            self.stdout.write(f"{DEFAULT.name} now holds the last round's weights.")

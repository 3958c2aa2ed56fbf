"""``manage.py warmengine``: compile the engine ahead, so that nobody waits for it at the table."""

import shutil
import time

from django.core.management.base import BaseCommand

from games.engine import think
from games.rules import parse_position

_POSITION = "9CTCACTDQDAD9SQS/JCQCKC9DJDKD9HTHJHQHKHAHTSJSKSAS - HD 0 strict"


class Command(BaseCommand):
    """Compile what the engine's play needs and keep it on disk."""

    help = "Compile the engine and keep the result on disk; what older sources were compiled to is removed."

    def handle(self, *args: object, **options: object) -> None:
        """Think once, which compiles; tell how long it took."""
        started = time.perf_counter()
        think(parse_position(_POSITION), nodes=1000)
        seconds = time.perf_counter() - started

        from games.engine.compiled import CACHE, is_cache

        for folder in CACHE.parent.iterdir():
            if folder != CACHE and is_cache(folder):
                shutil.rmtree(folder, ignore_errors=True)
        if options["verbosity"]:
            self.stdout.write(f"The engine is ready ({seconds:.1f} s).")

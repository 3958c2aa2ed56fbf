"""``manage.py verifydeal``: deal a finished match again and compare."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.models import Match
from games.present import words
from games.services.dealing import DealError, check_deal


class Command(BaseCommand):
    """Says what was checked; the exit status is 1 where anything differs."""

    help = "Check that a match was dealt from its secret and nonce, and that the secret is the one committed to."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the match."""
        parser.add_argument("code", help="the match's code, as in its address")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check one match; raises ``CommandError`` where it does not hold or is still in play."""
        match = Match.objects.with_seats().filter(code=options["code"]).first()
        if match is None:
            raise CommandError("there is no such match")
        try:
            facts = check_deal(match)
        except DealError as error:
            raise CommandError(str(error)) from error
        for name, value in facts.items():
            self.stdout.write(f"{name}: {value}")
        first, second = (words.player_name(seat.user) for seat in match.seated)
        self.stdout.write(f"{first} made the match and has the first hand and trump; {second} accepted it.")
        self.stdout.write(self.style.SUCCESS("The deal is as it was committed to."))

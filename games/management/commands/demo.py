"""``manage.py demo``: players, running and finished matches to look at."""

import random
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from games.engine.lookahead import look_ahead
from games.models import Deal, Match, OpenTo, Pace, Pickup, Trump
from games.services import ending, playing, seating
from games.services.seating import MatchTerms

#: Names as people write them, in the site's languages.
NAMES = ("Alice", "கிருஷ்ணன்", "क्षत्रिय", "ກິດ", "ნინო", "Борис", "Madhavi", "Tamar")
PASSWORD = "trumps-and-aces"  # noqa: S105
LIVE = MatchTerms(pace=Pace.LIVE, base_seconds=900, increment_seconds=15)
DAYS = MatchTerms(pace=Pace.CORRESPONDENCE, days_per_turn=3)
OTHERS = (
    MatchTerms(pace=Pace.CORRESPONDENCE, days_per_turn=7, deck_size=52),
    MatchTerms(pace=Pace.CORRESPONDENCE, days_per_turn=1, deck_size=24, pickup=Pickup.FREE),
    MatchTerms(pace=Pace.CORRESPONDENCE, days_per_turn=5, deal=Deal.MIRRORED, open_hands=True),
)


class Command(BaseCommand):
    """Adds to the database; run again, it adds more matches between the same players."""

    help = "Fill the database with players and with open, running and finished matches (only with LOCAL)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the number of finished matches."""
        parser.add_argument("--matches", type=int, default=12, help="finished matches to play")
        parser.add_argument("--seed", type=int, default=1, help="seed of who plays whom and how")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make everything; raises ``CommandError`` where LOCAL is off, for the password is known."""
        if not settings.LOCAL:
            raise CommandError("demo makes accounts with a known password: run it with LOCAL=1 only")
        self.random = random.Random(options["seed"])  # noqa: S311
        players = [self._player(name) for name in NAMES]
        for number in range(options["matches"]):
            terms = (LIVE, DAYS, *OTHERS)[number % 5]
            self._play(self._begin(players, terms), turns=400)
        resigned = self._begin(players, LIVE)
        self._play(resigned, turns=9)
        ending.resign(resigned.code, resigned.seated[0].user)
        for terms, turns in ((DAYS, 12), (DAYS, 31), (LIVE, 6), (OTHERS[0], 40), (OTHERS[2], 3)):
            self._play(self._begin(players, terms), turns)
        seating.create(players[1], LIVE, open_to=OpenTo.LOBBY, trump=Trump.HEARTS)
        seating.create(players[3], DAYS, open_to=OpenTo.LOBBY)
        seating.create(players[2], DAYS, open_to=OpenTo.PLAYER, invited=players[0], trump=Trump.SPADES)
        self.stdout.write(f"Log in as any of {', '.join(NAMES)} with the password {PASSWORD}")

    def _player(self, name: str) -> User:
        user = User.objects.filter(username=name).first()
        return user or User.objects.create_user(name, password=PASSWORD)

    def _begin(self, players: list[User], terms: MatchTerms) -> Match:
        first, second = self.random.sample(players, 2)
        trumps = self.random.sample(Trump.values[1:], 2)
        match = seating.create(first, terms, open_to=OpenTo.LINK, trump=trumps[0])
        seating.accept(match.code, second, trumps[1])
        return Match.objects.with_seats().get(pk=match.pk)

    def _play(self, match: Match, turns: int) -> None:
        users = [seat.user for seat in match.seated]
        for _turn in range(turns):
            match.refresh_from_db()
            if not match.is_running or match.to_move is None:
                return
            position = match.rules_position
            move = look_ahead(position, seed=self.random.randrange(1 << 30)).move
            playing.play(match.code, users[match.to_move], match.turn, str(move))

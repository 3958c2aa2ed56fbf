"""``manage.py arena``: matches between two players of the engine."""

import os

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.match import Budget, Pairing, Tally, play_deals, player
from games.management.amounts import count, duration, even_count
from games.rules import DECK_SIZES


def summary(first: str, second: str, tally: Tally) -> str:
    """Return a match's result in one line: score, draws, Elo difference with its 95 % interval."""
    elo, low, high = tally.elo()
    return (
        f"{first} against {second}: {tally.games} games, score {tally.score:.3f} +- {tally.margin:.3f} "
        f"(+{tally.wins} ={tally.draws} -{tally.losses}), draws {tally.draws / tally.games:.1%}, "
        f"Elo {elo:+.0f} [{low:+.0f}, {high:+.0f}], {tally.turns / tally.games:.0f} turns a game"
    )


class Command(BaseCommand):
    """Play a match and print its score, draws and Elo difference."""

    help = "Play a match between two players: levels 1 to 8, lookahead, handmade, or a weights file."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the two players, the number of games, the budget and the kind of games."""
        parser.add_argument("first", help="a level, lookahead, handmade or a weights file")
        parser.add_argument("second")
        parser.add_argument("--games", type=even_count, default=100, help="even: each deal is played from both sides")
        budget = parser.add_mutually_exclusive_group()
        budget.add_argument("--nodes", type=count, help="positions a turn, for weights files and level 8")
        budget.add_argument("--seconds", type=duration, help="seconds a turn, for weights files and level 8")
        parser.add_argument("--deck", default="36", choices=[*map(str, sorted(DECK_SIZES)), "mixed"])
        parser.add_argument("--pickup", default="strict", choices=["strict", "free", "mixed"])
        parser.add_argument("--deal", default="shuffled", choices=["shuffled", "mirrored", "mixed"])
        parser.add_argument("--seed", type=int, default=1, help="which deals")
        parser.add_argument("--processes", type=count, default=os.cpu_count() or 1)

    def handle(self, *args: object, **options: object) -> None:
        """Play, telling how it stands after every fifty games and at the end."""
        first, second = options["first"], options["second"]
        budget = Budget(options["nodes"], options["seconds"])
        if budget == Budget():
            budget = Budget(nodes=20_000)
        try:
            for name in (first, second):
                player(name, budget)
        except ValueError as error:
            raise CommandError(str(error)) from error
        pairing = Pairing(
            first,
            second,
            budget,
            deck_size=None if options["deck"] == "mixed" else int(options["deck"]),
            strict={"strict": True, "free": False, "mixed": None}[options["pickup"]],
            mirrored={"mirrored": True, "shuffled": False, "mixed": None}[options["deal"]],
            seed=options["seed"],
        )
        deals = options["games"] // 2
        tally = None
        for tally in play_deals(pairing, deals, options["processes"]):
            if tally.games % 50 == 0 and tally.games < 2 * deals:
                self.stderr.write(summary(first, second, tally))
        if tally is not None:
            self.stdout.write(summary(first, second, tally))

"""Matches between two kinds of player, on the same deals from both sides."""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from games.engine.thought import Thought
from games.rules import DECK_SIZES, Game, Position
from games.rules.dealing import Terms, deal

#: So many standard deviations to both sides hold 95 %.
_Z = 1.96

type Player = Callable[[Position, Sequence[Position], int], Thought]


@dataclass(frozen=True, slots=True)
class Budget:
    """What a searching player may spend on a turn; levels below the highest keep to their own."""

    nodes: int | None = None
    seconds: float | None = None


class Pairing(NamedTuple):
    """Two players by name, what they may spend, and the kind of games; None means a mix of all."""

    first: str
    second: str
    budget: Budget
    deck_size: int | None = 36
    strict: bool | None = True
    mirrored: bool | None = False
    seed: int = 1


class Tally(NamedTuple):
    """The first player's wins, draws and losses, and the turns played."""

    wins: int
    draws: int
    losses: int
    turns: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The first player's share of the points, 0 to 1."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def margin(self) -> float:
        """Half the width of the score's 95 % interval."""
        low, high = self.interval()
        return (high - low) / 2

    def interval(self) -> tuple[float, float]:
        """Both ends of the score's 95 % interval.

        Wilson's, for scores near 0 and 1 and for few games; draws count for their smaller spread.
        """
        spread = (self.wins + self.draws / 4) / self.games - self.score**2
        extra = _Z**2 / self.games
        middle = (self.score + extra / 2) / (1 + extra)
        half = _Z / (1 + extra) * math.sqrt(max(spread, 0.0) / self.games + extra / (4 * self.games))
        return max(0.0, middle - half), min(1.0, middle + half)

    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo points, with both ends of its 95 % interval; infinite where nothing was lost."""
        low, high = self.interval()
        return _elo(self.score), _elo(low), _elo(high)


def _elo(score: float) -> float:
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1)


@lru_cache(maxsize=8)
def player(name: str, budget: Budget) -> Player:
    """Return the player of a name: ``1`` to ``8``, ``lookahead``, ``handmade`` or the path of a weights file.

    Raises ``ValueError`` for any other name.
    """
    if name == "lookahead":
        from games.engine.lookahead import look_ahead

        return lambda position, history, seed: look_ahead(position, seed=seed)
    if name in ("1", "2", "3", "4", "5", "6", "7", "8"):
        return _level(int(name), budget)
    from games.engine.evaluate import HAND_MADE, NETWORK
    from games.engine.network import load
    from games.engine.thinker import search_position

    if name != "handmade" and not Path(name).is_file():
        raise ValueError(f"no such player: {name} (a level, lookahead, handmade or a weights file)")
    weights = load() if name == "handmade" else load(Path(name))
    mode = HAND_MADE if name == "handmade" else NETWORK
    return lambda position, history, seed: search_position(
        position, nodes=budget.nodes, seconds=budget.seconds, history=history, weights=weights, mode=mode
    )


def _level(level: int, budget: Budget) -> Player:
    from games.engine import think
    from games.engine.levels import LEVELS

    own = level < len(LEVELS) or (budget.nodes is None and budget.seconds is None)
    if own:
        return lambda position, history, seed: think(position, level=level, history=history, seed=seed)
    return lambda position, history, seed: think(
        position, nodes=budget.nodes, seconds=budget.seconds, history=history, seed=seed
    )


def _kind(pairing: Pairing, number: int) -> Terms:
    """The kind of game of a deal; what is left open goes through all there is."""
    sizes = sorted(DECK_SIZES)
    size = sizes[number % len(sizes)] if pairing.deck_size is None else pairing.deck_size
    strict = number // 4 % 2 == 0 if pairing.strict is None else pairing.strict
    mirrored = number // 8 % 2 == 0 if pairing.mirrored is None else pairing.mirrored
    return Terms(size, mirrored, strict, (None, None))


def play_deal(pairing: Pairing, number: int) -> Tally:
    """Play one deal twice, each player once on either side."""
    terms = _kind(pairing, number)
    dealt = deal(b"arena", f"{pairing.seed}/{number}".encode(), terms)
    start = dealt.position(dealt.drawn_lead, terms.strict)
    players = [player(pairing.first, pairing.budget), player(pairing.second, pairing.budget)]
    results = [0, 0, 0]
    turns = 0
    for swapped in (0, 1):
        game = Game(start)
        history: list[Position] = []
        while game.outcome is None:
            mover = players[game.position.turn ^ swapped]
            seed = hash((pairing.seed, number, swapped, game.turns))
            move = mover(game.position, history, seed).move
            history.append(game.position)
            game.play(move)
        turns += game.turns
        winner = game.outcome.winner
        results[1 if winner is None else 0 if winner ^ swapped == 0 else 2] += 1
    return Tally(results[0], results[1], results[2], turns)


def play_deals(pairing: Pairing, deals: int, processes: int) -> Iterator[Tally]:
    """Yield the tally so far after each deal, playing on so many processes."""
    total = Tally(0, 0, 0, 0)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for tally in pool.map(play_deal, [pairing] * deals, range(deals)):
            total = Tally(*map(sum, zip(total, tally, strict=True)))
            yield total

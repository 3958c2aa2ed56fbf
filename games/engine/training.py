"""The recipe: rounds of self-play, each on fresh games of the newest weights alone.

Round 0 starts from rough hand-made terms and fits them to their own games, twice over. Every later
round plays with what the round before has learnt and goes on training the same network on the new
games. Old games are thrown away: mixed in, they cost strength.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from games.engine import ordering
from games.engine.evaluate import HAND_MADE, NETWORK
from games.engine.fitting import Network, fit_order, fit_terms
from games.engine.network import Weights, read, save
from games.engine.selfplay import self_play
from games.engine.training_recipe import Recipe


def rough_weights() -> Weights:
    """Return the guesses that round 0 starts from: few cards, many trumps, moves that leave no answer first."""
    weights = Weights.blank()
    weights.terms[:, 1] = -0.4
    weights.terms[:, 2] = 0.3
    weights.terms[:, 7] = 0.2
    weights.terms[:, 14] = -0.3
    rank = np.arange(13)
    for first in (ordering.BEAT, ordering.COVER, ordering.LEAD):
        weights.order[first : first + 52] = np.concatenate([-150 - 10 * rank, *[-8 * rank] * 3])
    weights.order[ordering.ANSWERS : ordering.ANSWERS + 6] = (400, 150, 80, 40, 20, 0)
    weights.order[ordering.TAKING] = -100
    return weights


def fit_by_hand(recipe: Recipe, tell: Callable[[str], None]) -> Weights:
    """Return the best hand-made evaluation: its terms and the ordering fitted to games of its own."""
    weights = rough_weights()
    for turn in range(3):
        records, games = self_play(
            weights,
            size=recipe.size // 4,
            nodes=recipe.nodes,
            seed=recipe.seed * 1000 + turn,
            threads=recipe.threads,
            mode=HAND_MADE,
        )
        order, loss = fit_order(records)
        weights = replace(weights, terms=fit_terms(records, 0.3), order=order)
        tell(f"hand-made terms, fit {turn + 1}: {games} games, ordering loss {loss:.3f}")
    return weights


def newest_round(folder: Path) -> int | None:
    """Return the number of the last round whose weights lie in a folder, or None."""
    return max((int(path.stem.removeprefix("round-")) for path in folder.glob("round-??.ytnw")), default=None)


def train(recipe: Recipe, folder: Path, tell: Callable[[str], None] = print) -> Weights:
    """Run the recipe and return its last weights; ``folder`` keeps those of every round.

    Where the folder holds rounds already, the work goes on after the last of them.
    """
    started = time.monotonic()
    done = newest_round(folder)
    if done is None:
        weights = fit_by_hand(recipe, tell)
        save(weights, folder / "round-00.ytnw")
        done = 0
    else:
        weights = read(folder / f"round-{done:02d}.ytnw")
    network = Network.of(weights) if done else Network(recipe.seed)
    for number in range(done + 1, recipe.rounds + 1):
        records, games = self_play(
            weights,
            size=recipe.size,
            nodes=recipe.nodes + recipe.growth * (number - 1),
            seed=recipe.seed * 1000 + 100 + number,
            threads=recipe.threads,
            mode=HAND_MADE if number == 1 else NETWORK,
        )
        played = time.monotonic() - started
        tell(f"round {number}: {games} games, {len(records)} positions, {played:.0f} s since the start")
        first = number == 1
        epochs = 2 * recipe.epochs if first else recipe.epochs
        network.fit(records, epochs=epochs, rate=3e-3 if first else 1.5e-3, seed=number, tell=tell)
        order, loss = fit_order(records, epochs=1)
        net, out = network.rounded()
        weights = Weights(net, out, weights.terms, order)
        save(weights, folder / f"round-{number:02d}.ytnw")
        tell(f"round {number}: ordering loss {loss:.3f}, {time.monotonic() - started:.0f} s since the start")
    return weights

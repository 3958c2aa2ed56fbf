"""The numbers of the training recipe, apart from what runs it, which needs the compiler."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recipe:
    """How much of everything: rounds, records a round, positions a move, epochs, threads, the seed.

    The positions a move grow by ``growth`` from round to round: a better evaluation learns from deeper searches.
    """

    rounds: int = 12
    size: int = 1_000_000
    nodes: int = 300
    growth: int = 40
    epochs: int = 6
    threads: int = 2
    seed: int = 1

"""The numbers of the training recipe, apart from what runs it, which needs the compiler."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recipe:
    """How much of everything: rounds, records a round, positions a move, epochs, threads, the seed."""

    rounds: int = 16
    size: int = 500_000
    nodes: int = 400
    epochs: int = 8
    threads: int = 2
    seed: int = 1

"""What the engine does in a second, how deep it looks, and how strong it is beside the one-turn look-ahead.

    python tests/bench/engine.py [--games N] [--nodes N] [--quick]

Prints the tables of docs/engine.md. Times are processor time of one core, so that a busy machine
tells much the same.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from games.engine import think  # noqa: E402
from games.engine.match import Budget, Pairing, play_deals  # noqa: E402
from games.management.commands.arena import summary  # noqa: E402
from games.rules import Position, parse_position  # noqa: E402

VECTORS = ROOT / "tests" / "vectors" / "positions.jsonl"

_PLAIN = """
import json, sys, time
from games.engine.thinker import search_position
from games.rules import parse_position
nodes, seconds = 0, 0.0
for line in sys.stdin:
    started = time.process_time()
    nodes += search_position(parse_position(line.strip()), nodes={nodes}).nodes
    seconds += time.process_time() - started
print(json.dumps([nodes, seconds]))
"""


def positions(number: int) -> list[Position]:
    """Return positions in full play out of the vectors: both hands and a choice to make."""
    found = []
    for line in VECTORS.read_text().splitlines():
        vector = json.loads(line)
        position = parse_position(vector["position"])
        if len(vector["legal"]) >= 8 and min(hand.bit_count() for hand in position.hands) >= 5:
            found.append(position)
    step = max(1, len(found) // number)
    return found[::step][:number]


def rate(compiled: bool, nodes: int, chosen: list[Position]) -> float:
    """Return the positions searched in a second of one core, in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "0" if compiled else "1"}
    answer = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _PLAIN.format(nodes=nodes)],
        input="\n".join(map(str, chosen)),
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    visited, seconds = json.loads(answer.stdout)
    return visited / seconds


def tell_speed(quick: bool) -> None:
    """Print the speed with and without compilation, on the same positions."""
    chosen = positions(6 if quick else 20)
    with_compiler = rate(True, 50_000 if quick else 300_000, chosen)
    without = rate(False, 100 if quick else 400, chosen[:3] if quick else chosen[:10])
    print("| Search | Positions a second of one core |\n|---|---|")
    print(f"| compiled | {with_compiler:,.0f} |\n| the same, not compiled | {without:,.0f} |")
    print(f"\nCompiled is {with_compiler / without:,.0f} times as quick.\n")


def tell_depth(quick: bool) -> None:
    """Print the depth reached in wall time."""
    chosen = positions(6 if quick else 20)
    print("| Seconds | Depth, median (least to most) | Positions, median |\n|---|---|---|")
    for seconds in (0.1, 0.3, 1.0):
        thoughts = [think(position, seconds=seconds) for position in chosen]
        depths = [thought.depth for thought in thoughts]
        nodes = statistics.median(thought.nodes for thought in thoughts)
        print(f"| {seconds} | {statistics.median(depths):.0f} ({min(depths)} to {max(depths)}) | {nodes:,.0f} |")
    print()


def tell_strength(games: int, nodes: int, processes: int) -> None:
    """Print the scores against the one-turn look-ahead and the fitted hand-made terms."""
    for other in ("lookahead", "handmade"):
        for deck, strict, mirrored in ((36, True, False), (None, None, None)):
            pairing = Pairing("8", other, Budget(nodes=nodes), deck, strict, mirrored)
            *_, tally = play_deals(pairing, max(1, games // 2), processes)
            kind = "36 cards, strict, shuffled" if deck else "all kinds of games mixed"
            print(f"- {kind}, {nodes:,} positions a turn: {summary('level 8', other, tally)}")


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--quick", action="store_true", help="few positions, to see that it runs")
    options = parser.parse_args()
    started = time.monotonic()
    think(positions(1)[0], nodes=100)
    tell_speed(options.quick)
    tell_depth(options.quick)
    tell_strength(20 if options.quick else options.games, options.nodes, options.processes)
    print(f"\nMeasured in {time.monotonic() - started:.0f} s.")


if __name__ == "__main__":
    main()

"""How many leaf turns a second ``perft`` counts on one core, from starting positions of 36 cards.

usage: python tests/bench/rules.py [--seconds S]

The aim is at least 2,000,000 a second; the exit status is 1 below it.
"""

import argparse
import hashlib
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from games.rules import Position
from games.rules.dealing import Terms, deal

AIM = 2_000_000
DEPTH = 4


def starts(count: int) -> list[Position]:
    """Return starting positions that are the same on every run."""
    positions = []
    for number in range(count):
        secret = hashlib.sha256(bytes([number])).digest()
        dealt = deal(secret, bytes(32), Terms(36, False, True, (None, None)))
        positions.append(dealt.position(dealt.drawn_lead, strict=number % 2 == 0))
    return positions


def main() -> int:
    """Count until the time is up and print the rate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="how long to count at least")
    seconds = parser.parse_args().seconds
    leaves = 0
    began = time.process_time()
    for number, position in enumerate(starts(100)):
        count = position.perft(DEPTH)
        leaves += count
        spent = time.process_time() - began
        print(f"start {number}: {count:,} leaves of depth {DEPTH}")
        if spent >= seconds:
            break
    rate = leaves / spent
    print(f"{rate:,.0f} leaf turns a second of one core (aim: {AIM:,})")
    return 0 if rate >= AIM else 1


if __name__ == "__main__":
    sys.exit(main())

"""The vectors that an independent program made, and cards as plain strings."""

import json
from functools import cache
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).resolve().parent.parent / "vectors"


@cache
def vectors(name: str) -> list[dict[str, Any]]:
    """Return the records of one file of vectors, such as ``positions``."""
    lines = (VECTORS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]

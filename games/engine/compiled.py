"""How the engine's functions are compiled: eagerly, without the interpreter's lock, kept on disk.

Numba checks only the file of a function for changes, not those of the functions and constants that
it uses. So the compiled code is kept in a folder named after the contents of all sources with compiled functions.
The folders lie in NUMBA_CACHE_DIR, or the project's ``var/numba``, or the home's ``.cache``; where none of these
can be written, in a temporary folder, and every start compiles anew.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numba
from numba import njit

_ENGINE = Path(__file__).parent

_DIGITS = 16


def _digest() -> str:
    content = hashlib.sha256()
    for source in sorted(_ENGINE.glob("*.py")):
        text = source.read_bytes()
        if b"@compiled(" in text:
            content.update(text)
    return content.hexdigest()[:_DIGITS]


def _root() -> Path:
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    candidates = (
        [Path(chosen)] if chosen else [_ENGINE.parents[1] / "var" / "numba", Path.home() / ".cache" / "yourtrumps"]
    )
    for folder in candidates:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.mkdtemp(prefix="numba-"))


#: Where the compiled code of exactly these sources is kept.
CACHE = _root() / _digest()


def is_cache(folder: Path) -> bool:
    """Whether a folder beside :data:`CACHE` was made by this engine, by any of its sources' versions."""
    return folder.is_dir() and len(folder.name) == _DIGITS and set(folder.name) <= set("0123456789abcdef")


numba.config.CACHE_DIR = str(CACHE)

compiled: Callable[..., Any] = partial(njit, nogil=True, cache=True)

"""The engine's learnt numbers, and the file that they are kept in.

A weights file is a header (magic, version, shape, CRC-32 of what follows), then the arrays of
:class:`Weights` in order, little-endian. :func:`load` refuses anything else.
"""

import struct
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from games.engine.evaluate import OUTPUTS, ROWS, TERM_PHASES, TERMS, WIDTH
from games.engine.ordering import ORDER

MAGIC = b"YTNW"
VERSION = 1
DEFAULT = Path(__file__).parent / "weights" / "engine.ytnw"

_HEADER = struct.Struct("<4sHHHHHHI")
_SHAPE = (ROWS, WIDTH, OUTPUTS, TERM_PHASES, TERMS)


class WeightsError(ValueError):
    """A file that does not hold weights for this engine; the message says why."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything learnt: the two layers, the hand-made terms' weights, the ordering of moves."""

    net: np.ndarray
    out: np.ndarray
    terms: np.ndarray
    order: np.ndarray

    @classmethod
    def blank(cls) -> "Weights":
        """Return weights that know nothing."""
        return cls(
            np.zeros((ROWS, WIDTH), np.int16),
            np.zeros((2 * OUTPUTS, WIDTH + 1), np.int16),
            np.zeros((TERM_PHASES, TERMS)),
            np.zeros(ORDER, np.int32),
        )


_STORED = (("net", "<i2"), ("out", "<i2"), ("terms", "<f8"), ("order", "<i4"))


def save(weights: Weights, path: Path) -> None:
    """Write a weights file."""
    body = b"".join(np.ascontiguousarray(getattr(weights, name)).astype(kind).tobytes() for name, kind in _STORED)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_HEADER.pack(MAGIC, VERSION, *_SHAPE, zlib.crc32(body)) + body)


def read(path: Path) -> Weights:
    """Return the weights in a file.

    Raises :class:`WeightsError` where it is not a weights file of this version and shape, or is damaged.
    """
    data = path.read_bytes()
    if len(data) < _HEADER.size or data[:4] != MAGIC:
        raise WeightsError(f"{path.name} is not a weights file")
    _magic, version, *shape, checksum = _HEADER.unpack_from(data)
    if version != VERSION:
        raise WeightsError(f"{path.name} has version {version}; this engine reads version {VERSION}")
    if tuple(shape) != _SHAPE:
        raise WeightsError(f"{path.name} is for a network of another shape: {shape}")
    body = data[_HEADER.size :]
    if zlib.crc32(body) != checksum:
        raise WeightsError(f"{path.name} is damaged: its checksum is wrong")
    blank = Weights.blank()
    arrays, start = {}, 0
    for name, kind in _STORED:
        like = getattr(blank, name)
        end = start + like.size * np.dtype(kind).itemsize
        arrays[name] = np.frombuffer(body[start:end], kind).astype(like.dtype).reshape(like.shape)
        start = end
    if start != len(body):
        raise WeightsError(f"{path.name} has {len(body) - start} bytes too many")
    return Weights(**arrays)


@lru_cache(maxsize=4)
def load(path: Path = DEFAULT) -> Weights:
    """Return the weights in a file, read once. Raises as :func:`read` does."""
    return read(path)

"""What the analysis of a match shows: the chances over the turns, mistakes, accuracy, turning points."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from games.models import AnalysedTurn
from games.models.analysis import Assessed
from games.present import words
from games.present.replay import Reel
from games.rules import Position, parse_move

#: A turn that costs this much of the expected result is a mistake, or a blunder. A win counts 1, a draw 0.5.
MISTAKE, BLUNDER = 0.12, 0.25
#: The graph's own units.
WIDTH, HEIGHT = 600, 120


@dataclass(slots=True)
class Worth:
    """What a position is worth, in words; ``percent`` is the chance of the side shown near."""

    percent: int
    sentence: str


@dataclass(slots=True)
class Verdict:
    """What is thought of one turn; ``loss`` is in percent of the expected result, ``mark`` how it is called."""

    turn: int
    seat: int
    played: str
    best: str
    is_best: bool
    loss: int
    mark: str
    mark_name: str
    line: list[str]


@dataclass(slots=True)
class SideReport:
    """How well a side played; ``accuracy`` is None where it had no choice to make."""

    name: str
    trump: str
    accuracy: int | None
    mistakes: int
    blunders: int


@dataclass(slots=True)
class Dot:
    """A mistake on the graph."""

    turn: int
    x: float
    y: float
    mark: str


@dataclass(slots=True)
class Column:
    """A turn's stripe of the graph, to be clicked."""

    turn: int
    x: float
    width: float


@dataclass(slots=True)
class Graph:
    """The chances over the turns as lines to be drawn."""

    line: str
    area: str
    dots: list[Dot]
    columns: list[Column]
    at: float | None


@dataclass(slots=True)
class Turning:
    """A turn from which a result was forced, or with which it was let go."""

    turn: int
    sentence: str


@dataclass(slots=True)
class Report:
    """The whole analysis as far as it has come."""

    verdicts: dict[int, Verdict]
    sides: list[SideReport]
    graph: Graph | None
    turnings: list[Turning]


def worth(row: Assessed, mover: int, near: int, names: Sequence[str]) -> Worth:
    """Return what is thought of a position in which ``mover`` is to move, for the side shown near."""
    chance = _for(row.chance or 0.0, mover, near)
    if row.proven is None:
        better = near if chance >= 0.5 else 1 - near
        percent = round(100 * max(chance, 1 - chance))
        if percent < 55:
            sentence = gettext("Both have about the same chances.")
        else:
            sentence = gettext("%(player)s has %(percent)d%% winning chances.") % {
                "player": names[better],
                "percent": percent,
            }
    else:
        sentence = _forced(names[mover if row.proven > 0 else 1 - mover], abs(row.proven))
    return Worth(round(100 * chance), sentence)


def _forced(name: str, turns: int) -> str:
    return ngettext(
        "%(player)s wins by force in %(count)d turn.", "%(player)s wins by force in %(count)d turns.", turns
    ) % {"player": name, "count": turns}


def _for(chance: float, mover: int, seat: int) -> float:
    return chance if mover == seat else 1 - chance


def line_words(line: str) -> list[str]:
    """Return the moves of a line as one writes them."""
    return [words.move_phrase(parse_move(move)) for move in line.split()]


def report(reel: Reel, played: Sequence[str], rows: Mapping[int, AnalysedTurn], at: int, near: int) -> Report:
    """Return what the rows of an analysis say of a game, ``at`` being the position that is shown."""
    chances = _chances(reel, rows)
    verdicts = {}
    for turn, move in enumerate(played, start=1):
        row = rows.get(turn)
        if row is not None and turn + 1 in chances:
            verdicts[turn] = _verdict(reel, turn, move, row, chances)
    sides = [_side_report(reel, verdicts, seat) for seat in (near, 1 - near)]
    graph = _graph(chances, verdicts, len(played), at, near) if len(chances) > 1 else None
    return Report(verdicts, sides, graph, _turnings(reel, verdicts, rows))


def _chances(reel: Reel, rows: Mapping[int, AnalysedTurn]) -> dict[int, float]:
    """Return the expected result of seat 0 before each turn that was looked at, and at the end of the cards."""
    chances = {turn: _for(row.chance or 0.0, reel.positions[turn - 1].turn, 0) for turn, row in rows.items()}
    outcome = reel.positions[-1].outcome()
    if outcome is not None:
        chances[len(reel.positions)] = 0.5 if outcome.winner is None else float(outcome.winner == 0)
    return chances


def _verdict(reel: Reel, turn: int, played: str, row: AnalysedTurn, chances: Mapping[int, float]) -> Verdict:
    position = reel.positions[turn - 1]
    seat = position.turn
    before, after = _for(chances[turn], 0, seat), _for(chances[turn + 1], 0, seat)
    is_best = played == row.best or position.count_moves() == 1
    loss = 0.0 if is_best else max(0.0, before - after)
    mark = "blunder" if loss >= BLUNDER else "mistake" if loss >= MISTAKE else ""
    return Verdict(
        turn=turn,
        seat=seat,
        played=words.move_phrase(parse_move(played)),
        best=words.move_phrase(parse_move(row.best)) if row.best else "",
        is_best=is_best,
        loss=round(100 * loss),
        mark=mark,
        mark_name={"blunder": gettext("blunder"), "mistake": gettext("mistake")}.get(mark, ""),
        line=line_words(row.line),
    )


def accuracy(losses: Sequence[float]) -> int | None:
    """Return the accuracy, in percent, of turns that cost so much of the expected result each.

    Small losses cost little and large ones nearly all of a turn's share: half of it is gone at a loss of 0.15.
    """
    if not losses:
        return None
    return round(sum(100 * math.exp(-4.6 * loss) for loss in losses) / len(losses))


def _side_report(reel: Reel, verdicts: Mapping[int, Verdict], seat: int) -> SideReport:
    own = [verdict for verdict in verdicts.values() if verdict.seat == seat]
    chosen = [verdict.loss / 100 for verdict in own if reel.positions[verdict.turn - 1].count_moves() > 1]
    return SideReport(
        name=reel.seats[seat].name,
        trump=reel.seats[seat].trump,
        accuracy=accuracy(chosen),
        mistakes=sum(verdict.mark == "mistake" for verdict in own),
        blunders=sum(verdict.mark == "blunder" for verdict in own),
    )


def _graph(
    chances: Mapping[int, float], verdicts: Mapping[int, Verdict], turns: int, at: int, near: int
) -> Graph | None:
    step = WIDTH / max(1, turns)

    def x(turn: int) -> float:
        """Where the position before a turn stands."""
        return round((turn - 1) * step, 1)

    def y(turn: int) -> float:
        return round(HEIGHT * (1 - _for(chances[turn], 0, near)), 1)

    known = sorted(chances)
    points = [f"{x(turn)},{y(turn)}" for turn in known]
    middle = HEIGHT / 2
    area = f"{x(known[0])},{middle} {' '.join(points)} {x(known[-1])},{middle}"
    dots = [Dot(turn, x(turn + 1), y(turn + 1), verdict.mark) for turn, verdict in verdicts.items() if verdict.mark]
    columns = [Column(turn, round((turn - 0.5) * step, 1), round(step, 1)) for turn in range(turns + 1)]
    return Graph(" ".join(points), area, dots, columns, x(at + 1))


def _holder(position: Position, row: AnalysedTurn | None) -> int | None:
    """Return the seat that has a proven win before a turn."""
    if row is None or row.proven is None:
        return None
    return position.turn if row.proven > 0 else 1 - position.turn


def _let_go(verdict: Verdict, player: str) -> Turning:
    """Return the turn that gave up a forced win: known for a mistake, else only not proven any more."""
    if verdict.mark:
        sentence = gettext("With turn %(turn)d %(player)s let a forced win go.")
    else:
        sentence = gettext("With turn %(turn)d %(player)s left the forced win: after it none is seen.")
    return Turning(verdict.turn, sentence % {"turn": verdict.turn, "player": player})


def _turnings(reel: Reel, verdicts: Mapping[int, Verdict], rows: Mapping[int, AnalysedTurn]) -> list[Turning]:
    """Return where a win began to be forced, and where it was let go."""
    turnings = []
    held_by: int | None = None
    for turn in sorted(rows):
        holder = _holder(reel.positions[turn - 1], rows[turn])
        if holder == held_by:
            continue
        if held_by is not None:
            verdict = verdicts.get(turn - 1)
            # Only a player's own move that was not the best takes a forced win away: else this look was too short.
            strayed = verdict if verdict and verdict.seat == held_by and not verdict.is_best else None
            if holder is None and strayed is None:
                continue
            if strayed is not None:
                turnings.append(_let_go(strayed, reel.seats[held_by].name))
        if holder is not None:
            count = abs(rows[turn].proven or 0)
            sentence = ngettext(
                "Before turn %(turn)d %(player)s could force the win in %(count)d turn.",
                "Before turn %(turn)d %(player)s could force the win in %(count)d turns.",
                count,
            ) % {"turn": turn, "player": reel.seats[holder].name, "count": count}
            turnings.append(Turning(turn - 1, sentence))
        held_by = holder
    return turnings

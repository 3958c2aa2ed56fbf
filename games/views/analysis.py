"""The analysis of a finished match, and the board on which other moves are tried."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.services import ensure_player
from games import selectors
from games.models import AnalysedTurn, Evaluation, Match
from games.numbers import whole_number
from games.present import boards, replay, reports, words
from games.rules import SUITS, IllegalMoveError, NotationError, Position, parse_move
from games.services import analysis, evaluations
from games.services.errors import IllegalTurnError, MatchError
from games.views.limiting import limited
from games.views.replay import reel_of

#: So many moves can be tried after a turn.
LONGEST_TRY = 40


def _over(request: HttpRequest, code: str) -> tuple[Match, list[str], replay.Reel]:
    """Return a finished match with its moves and its reel; there is nothing to see of any other."""
    found = selectors.find_match(code)
    if found is None or not found.is_over or found.turn < 2:
        raise Http404
    record, reel = reel_of(request, found)
    return found, [str(move) for move in record.moves], reel


@never_cache
@require_safe
def match(request: HttpRequest, code: str) -> HttpResponse:
    """Show a finished match with what the engine thinks of its turns, or the way to ask for that."""
    found, played, reel = _over(request, code)
    return _page(request, found, played, reel)


def _page(
    request: HttpRequest, found: Match, played: list[str], reel: replay.Reel, notice: object = "", status: int = 200
) -> HttpResponse:
    queue = selectors.analysis_state(found)
    rows = {row.turn: row for row in queue.rows}
    flipped = request.GET.get("flip") == "1"
    at = min(whole_number(request.GET.get("turn"), 0), reel.last)
    table = replay.still(reel, at, flipped)
    near = table.near.seat
    names = [side.name for side in reel.seats]
    report = reports.report(reel, played, rows, at, near)
    shown = rows.get(at + 1)
    verdict = report.verdicts.get(at)
    context = {
        "code": found.code,
        "table": table,
        "reel": reel,
        "queue": queue,
        "report": report,
        "names": names,
        "lines": [(line, report.verdicts.get(line.number)) for line in table.lines],
        "verdict": verdict,
        # What would have been better than a mistake is tried in its stead.
        "try_from": at - 1 if verdict and verdict.mark else at,
        "worth": reports.worth(shown, reel.positions[at].turn, near, names) if shown else None,
        "best_line": reports.line_words(shown.line) if shown else [],
        "steps": _steps(at, reel.last, flipped, report),
        "flip": "&flip=1" if flipped else "",
        "notice": notice,
    }
    return render(request, "games/analysis.html", context, status=status)


def _steps(at: int, last: int, flipped: bool, report: reports.Report) -> dict[str, str]:
    """Return the addresses of the controls; empty where one leads nowhere."""

    def to(turn: int | None, flip: bool = flipped) -> str:
        if turn is None or (turn == at and flip == flipped):
            return ""
        return "?" + urlencode({"turn": turn, **({"flip": 1} if flip else {})})

    marked = [turn for turn, verdict in sorted(report.verdicts.items()) if verdict.mark]
    return {
        "first": to(0),
        "back": to(max(0, at - 1)),
        "on": to(min(last, at + 1)),
        "last": to(last),
        "flip": to(at, not flipped),
        "mistake": to(next((turn for turn in marked if turn > at), None)),
    }


@require_POST
@limited("analysis")
def ask(request: HttpRequest, code: str) -> HttpResponse:
    """Put a match into the queue of analyses."""
    found, played, reel = _over(request, code)
    try:
        analysis.ask(code, ensure_player(request))
    except MatchError as error:
        return _page(request, found, played, reel, error.message, error.status)
    return redirect("games:analysis", code)


@dataclass(frozen=True, slots=True)
class Tried:
    """A position of a match after some moves that were not played in it."""

    turn: int
    moves: tuple[str, ...]
    position: Position

    def query(self, moves: tuple[str, ...] | None = None) -> str:
        """Return the fields that lead to this board, or to the one after other moves."""
        kept = self.moves if moves is None else moves
        return "?" + urlencode({"turn": self.turn, **({"moves": ".".join(kept)} if kept else {})})


def _tried(fields: dict[str, str], reel: replay.Reel) -> Tried:
    """Return the board that is asked for; raises ``Http404`` for moves that the rules do not allow."""
    turn = min(whole_number(fields.get("turn"), 0), reel.last)
    position = reel.positions[turn]
    moves = tuple(filter(None, fields.get("moves", "").split(".")))
    if len(moves) > LONGEST_TRY:
        raise Http404
    try:
        for move in moves:
            position = position.play(parse_move(move))
    except (NotationError, IllegalMoveError):
        raise Http404 from None
    return Tried(turn, moves, position)


@never_cache
@limited("evaluate")
@require_http_methods(["GET", "HEAD", "POST"])
def try_moves(request: HttpRequest, code: str) -> HttpResponse:
    """Show a board on which both sides' moves can be tried; a posted move is played and its position evaluated."""
    found, _played, reel = _over(request, code)
    if request.method != "POST":
        return _board(request, found, reel, _tried(request.GET.dict(), reel))
    tried = _tried(request.POST.dict(), reel)
    notice, status = "", 200
    if move := request.POST.get("move", ""):
        try:
            position = tried.position.play(parse_move(move))
        except (NotationError, IllegalMoveError):
            return _board(request, found, reel, tried, IllegalTurnError.message, 422)
        if len(tried.moves) == LONGEST_TRY:
            return _board(request, found, reel, tried, gettext("No more moves can be tried from here."), 422)
        tried = Tried(tried.turn, (*tried.moves, move), position)
    if tried.position.outcome() is None:
        try:
            evaluations.ask(tried.position)
        except MatchError as error:
            notice, status = str(error.message), error.status
    if notice:
        return _board(request, found, reel, tried, notice, status)
    return redirect(reverse("games:try", args=[code]) + tried.query())


def _board(
    request: HttpRequest, found: Match, reel: replay.Reel, tried: Tried, notice: object = "", status: int = 200
) -> HttpResponse:
    url = reverse("games:try", args=[found.code])
    position = tried.position
    near = position.turn if position.outcome() is None else reel.near
    names = [side.name for side in reel.seats]
    row = _known(found, tried)
    waits = isinstance(row, Evaluation) and row.answered_at is None
    context = {
        "code": found.code,
        "url": url,
        "tried": tried,
        "moves": [words.move_phrase(parse_move(move)) for move in tried.moves],
        "table": boards.board(
            position,
            near,
            names,
            url + tried.query(),
            request.user,
            chosen=request.GET.get("beat", ""),
            plays_both=True,
        ),
        # The bar is that of the analysis, whichever hand lies in front.
        "worth": reports.worth(row, position.turn, reel.near, names) if row is not None and not waits else None,
        "worth_of": SUITS[position.trumps[reel.near]],
        "line": reports.line_words(row.line) if row is not None and not waits else [],
        "best": row.best if row is not None and not waits else "",
        "waits": waits,
        "here": url + tried.query(),
        "back": url + tried.query(tried.moves[:-1]) if tried.moves else "",
        "start": url + tried.query(()),
        "notice": notice,
    }
    return render(request, "games/try.html", context, status=status)


def _known(found: Match, tried: Tried) -> AnalysedTurn | Evaluation | None:
    """Return what is known of the position: from the match's analysis, or because somebody asked."""
    if not tried.moves:
        row = AnalysedTurn.objects.filter(analysis__match=found, turn=tried.turn + 1).first()
        if row is not None:
            return row
    return Evaluation.objects.filter(position=str(tried.position)).first()

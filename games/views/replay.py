"""Looking at games turn by turn, sharing them, and looking at games from elsewhere."""

import hashlib
from dataclasses import dataclass
from urllib.parse import urlencode

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import records, selectors
from games.forms.records import RecordForm
from games.models import Match, Move
from games.numbers import whole_number
from games.present import replay
from games.present.parts import TableView
from games.preview import picture, poster
from games.records import Record
from games.rules import Outcome, Reason, parse_position
from games.views.finding import dealt_match

PREVIEW_SECONDS = 60 * 60 * 24
#: A match goes on, and its picture with it.
PREVIEW_FRESH_SECONDS = 300


@dataclass(slots=True)
class Addresses:
    """Where what belongs to a replay is; empty where there is none."""

    table: str
    turns: str
    text: str
    json: str
    analysis: str = ""


def _record(found: Match, table: TableView, link: str) -> Record:
    seats = (table.near, table.far) if table.near.seat == 0 else (table.far, table.near)
    # Only as many turns as the table shows: one that was made since then is left for the next look.
    moves = Move.objects.filter(match=found, turn__lt=found.turn).order_by("turn").values_list("notation", flat=True)
    outcome = Outcome(found.winner, Reason(found.reason)) if found.is_over else None
    date = found.started_at.date().isoformat() if found.started_at else ""
    names = (seats[0].name, seats[1].name)
    return Record(parse_position(found.start), records.lines_of(moves), names, outcome, date, link)


def reel_of(request: HttpRequest, found: Match) -> tuple[Record, replay.Reel]:
    """Return a match's record and its reel for the one who asks."""
    table = selectors.table(found, request.user)
    record = _record(found, table, request.build_absolute_uri(reverse("games:replay", args=[found.code])))
    return record, replay.reel_of_match(table, record)


def _reel(request: HttpRequest, code: str) -> tuple[Match, Record, replay.Reel]:
    found = dealt_match(code)
    return found, *reel_of(request, found)


@never_cache
@require_safe
def match(request: HttpRequest, code: str) -> HttpResponse:
    """Show a match after any of its turns; while it runs, only what its viewer may see."""
    found, _record_of_it, reel = _reel(request, code)
    addresses = Addresses(
        table=found.get_absolute_url(),
        turns=reverse("games:replay_turns", args=[code]),
        text=reverse("games:replay_text", args=[code]) if all(reel.shown) else "",
        json=reverse("games:replay_json", args=[code]) if all(reel.shown) else "",
        analysis=reverse("games:analysis", args=[code]) if found.is_over and reel.last else "",
    )
    return _page(request, reel, addresses, 0 if found.is_over else reel.last, code)


def _page(request: HttpRequest, reel: replay.Reel, addresses: Addresses, turn: int, code: str = "") -> HttpResponse:
    flipped = request.GET.get("flip") == "1"
    table = replay.still(reel, whole_number(request.GET.get("turn"), turn), flipped)
    playing = request.GET.get("play") == "1" and table.turn < table.last
    context = {
        "table": table,
        "reel": reel,
        "addresses": addresses,
        "steps": _steps(table, playing),
        "playing": playing,
        "link": request.build_absolute_uri(f"{request.path}?{urlencode({'turn': table.turn})}"),
        "names": [side.name for side in reel.seats],
        "title": " – ".join(side.name for side in reel.seats),
        "description": _description(reel),
        "code": code,
    }
    return render(request, "games/replay.html", context)


def _description(reel: replay.Reel) -> str:
    """Return what search engines and other sites say of a replay."""
    length = ngettext(
        "A card duel of %(count)d turn, to look at step by step.",
        "A card duel of %(count)d turns, to look at step by step.",
        reel.last,
    ) % {"count": reel.last}
    return f"{reel.result.headline}. {reel.result.explanation} {length}" if reel.result else length


def _steps(table: replay.Still, playing: bool) -> dict[str, str]:
    """Return the addresses of the controls, relative to the page; empty where one leads nowhere."""

    def to(turn: int, flip: bool = table.flipped, play: bool = False) -> str:
        asked: dict[str, int] = {"turn": turn}
        if flip:
            asked["flip"] = 1
        if play:
            asked["play"] = 1
        return f"?{urlencode(asked)}"

    at_start, at_end = table.turn == 0, table.turn == table.last
    return {
        "first": "" if at_start else to(0),
        "back": "" if at_start else to(table.turn - 1),
        "on": "" if at_end else to(table.turn + 1),
        "last": "" if at_end else to(table.last),
        "play": to(table.turn) if playing else to(0 if at_end else table.turn + 1, play=True),
        "playing_on": to(table.turn + 1, play=table.turn + 1 < table.last),
        "flip": to(table.turn, flip=not table.flipped),
        "line": "&flip=1" if table.flipped else "",
    }


@never_cache
@require_safe
def match_turns(request: HttpRequest, code: str) -> JsonResponse:
    """Answer with all turns at once, for the page's script."""
    return JsonResponse(replay.as_data(_reel(request, code)[2]))


@never_cache
@require_safe
def match_record(request: HttpRequest, code: str, form: str) -> HttpResponse:
    """Send a match as a file, once nothing of it is hidden from the viewer."""
    _found, record, reel = _reel(request, code)
    if not all(reel.shown):
        message = gettext("The record holds both hands: it can be had when the match is over.")
        return render(request, "games/record_later.html", {"message": message, "code": code}, status=403)
    return _file(record, code, form)


def _file(record: Record, name: str, form: str) -> HttpResponse:
    if form == "json":
        response = HttpResponse(record.as_json(), content_type="application/json; charset=utf-8")
    else:
        response = HttpResponse(record.as_text(), content_type="text/plain; charset=utf-8")
    suffix = "json" if form == "json" else "txt"
    response["Content-Disposition"] = f'attachment; filename="your-trumps-{name}.{suffix}"'
    return response


@require_safe
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """Draw the picture that other sites show beside a link to a match."""
    found = selectors.find_match(code)
    if found is None:
        raise Http404
    drawing = picture.svg(poster.of_match(found))
    key = f"preview:{hashlib.blake2b(drawing.encode(), digest_size=16).hexdigest()}"
    kept = caches["pictures"]
    image = kept.get(key)
    if image is None:
        image = picture.png(drawing)
        kept.set(key, image, PREVIEW_SECONDS)
    response = HttpResponse(image, content_type="image/png")
    response["Cache-Control"] = f"public, max-age={PREVIEW_SECONDS if found.is_over else PREVIEW_FRESH_SECONDS}"
    response["Content-Language"] = get_language() or ""
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def import_record(request: HttpRequest) -> HttpResponse:
    """Take a record by paste or file and go to its replay; nothing of it is stored."""
    form = RecordForm(request.POST, request.FILES) if request.method == "POST" else RecordForm()
    if form.is_valid():
        return redirect("games:record", form.record.token())
    return render(request, "games/import.html", {"form": form}, status=422 if form.is_bound else 200)


def _from_token(token: str) -> Record:
    try:
        return records.from_token(token)
    except records.RecordError:
        raise Http404 from None


@require_safe
def record(request: HttpRequest, token: str) -> HttpResponse:
    """Show a game whose whole record is in the address."""
    found = _from_token(token)
    addresses = Addresses(
        table="",
        turns=reverse("games:record_turns", args=[token]),
        text=reverse("games:record_text", args=[token]),
        json=reverse("games:record_json", args=[token]),
    )
    return _page(request, replay.reel_of_record(found), addresses, 0)


@require_safe
def record_turns(request: HttpRequest, token: str) -> JsonResponse:
    """Answer with all turns of a record at once, for the page's script."""
    return JsonResponse(replay.as_data(replay.reel_of_record(_from_token(token))))


@require_safe
def record_file(request: HttpRequest, token: str, form: str) -> HttpResponse:
    """Send a record as a file."""
    return _file(_from_token(token), "record", form)

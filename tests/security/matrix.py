"""Who may do what, measured: every address and every action at a table, tried by every role."""

import contextlib
import copy
import datetime
import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from accounts.models import ClosedAccount, User
from games.actions import ACTIONS
from games.admin.measures import VERBS
from games.models import (
    Flag,
    Heartbeat,
    Leaving,
    LessonProgress,
    Line,
    Match,
    Notice,
    NoticeChoice,
    OfficialWord,
    Puzzle,
    Reader,
    Standing,
    TimeOff,
    Trace,
)
from games.services import blocking, chatting, ending, playing, privacy, reporting
from games.services.moderation import appeals, measures
from games.services.moderation.desk import Order
from tests.games import cast
from tests.moderation import staff

TABLE = Path(__file__).resolve().parent.parent.parent / "docs" / "permissions.md"
ROLES = ("nobody", "guest", "player", "opponent", "spectator", "suspended", "support", "moderator", "admin")
YES, LOG_IN, NO, NOT_NOW = "yes", "log in", "no", "not now"
#: Pages of the game about a match that is over.
OVER = ("replay", "replay_turns", "replay_text", "replay_json", "analysis", "ask_analysis", "try")
#: Patterns without a name that catch what no other does.
CATCH_ALL = ("admin:<path:object_id>/", "admin:(?P<url>.*)$")

Row = tuple[str, ...]


@dataclass
class World:
    """A site on which every kind of thing is there once."""

    clients: dict[str, dict[str, str]] = field(default_factory=dict)
    values: dict[str, dict[str, Any]] = field(default_factory=dict)
    running: str = ""


def build() -> World:
    """Make the people and the things, and log everybody in."""
    people = {
        "guest": cast.guest_player(),
        "player": cast.person("Ana"),
        "opponent": cast.person("Boris"),
        "spectator": cast.person("Cara"),
        "suspended": cast.person("Sue"),
        "support": staff.in_group(cast.person("Sam"), "Support"),
        "moderator": staff.moderator("Mira"),
        "admin": User.objects.create_superuser("Root-Rita", password=cast.PASSWORD),
    }
    ana, boris, sue = people["player"], people["opponent"], people["suspended"]
    other = staff.moderator("Nino")
    world = World()
    over = cast.start_match(ana, boris, cast.DAYS)
    playing.play(over.code, cast.mover(over), 1, cast.any_move(over))
    ending.resign(over.code, boris)
    running = cast.start_match(ana, boris, cast.DAYS)
    if cast.mover(running) != ana:
        playing.play(running.code, boris, 1, cast.any_move(running))
    offered = cast.open_match(ana, cast.DAYS)
    case = reporting.report(ana, boris, "chat").case
    flag = Flag.objects.create(case=case, user=boris, kind="even", match=over)
    line = chatting.say(running.code, boris, text="hello")
    measure = measures.suspend(Order(other, sue, "chat"), timezone.now() + datetime.timedelta(days=3))
    second = measures.warn(Order(other, sue, "chat"))
    appeal = appeals.appeal(sue, second.pk, "It was not me.")
    word = OfficialWord.objects.filter(user=sue).first()
    export = privacy.request_export(ana)
    privacy.make_exports()
    now = timezone.now()
    off = TimeOff.objects.create(
        user=ana,
        begins_at=now + datetime.timedelta(days=2),
        ends_at=now + datetime.timedelta(days=3),
        first_day=now.date(),
        days=1,
    )
    blocking.block(boris, people["spectator"])
    world.running = running.code
    world.values = {
        "": {
            "code": running.code,
            "username": "Boris",
            "token": "x",
            "key": "x-y",
            "uidb36": "1",
            "pk": off.pk,
            "word_id": word.pk,
            "action_id": measure.pk,
            "export_id": export.pk,
            "case_id": case.pk,
            "appeal_id": appeal.pk,
            "app_label": "games",
            "content_type_id": 1,
            "id": boris.pk,
        },
        **{name: {"code": offered.code} for name in ("games:accept", "games:decline", "games:cancel")},
        **{f"games:{name}": {"code": over.code} for name in OVER},
    }
    objects = {
        "accounts_user": boris,
        "games_match": running,
        "games_seat": running.seats.first(),
        "games_move": over.moves.first(),
        "games_case": case,
        "games_appeal": appeal,
        "games_action": measure,
        "games_report": case.reports.first(),
        "games_flag": flag,
        "games_chatline": line,
        "games_block": boris.blocks.first(),
        "games_dataexport": export,
        "games_notice": Notice.objects.filter(user=boris).first() or Notice.objects.first(),
        "games_puzzle": Puzzle.objects.first()
        or Puzzle.objects.create(number=1, position=cast.SHORT, line="6C", asked=1, turns=1, grade=1),
        "games_computerplayer": cast.computer().computer,
        "games_heartbeat": Heartbeat.objects.create(worker="one", seen_at=now),
        "games_timeoff": off,
        "games_line": Line.objects.create(seat=running.seats.first(), turn=running.turn, moves="6C"),
        "games_lessonprogress": LessonProgress.objects.create(user=boris),
        "games_noticechoice": NoticeChoice.objects.create(user=boris, event="turn", channel="mail", wanted=False),
        "games_reader": Reader.objects.get_or_create(user=boris)[0],
        "games_standing": Standing.objects.get_or_create(user=boris)[0],
        "games_officialword": word,
        "games_leaving": Leaving.objects.create(user=boris, how="closed", since=now, due_at=now),
        "games_trace": Trace.objects.get_or_create(user=boris, kind="address", digest="1", last_seen_at=now)[0],
        "accounts_closedaccount": ClosedAccount.objects.create(
            user=other, username="Nino", username_key="nino", skeleton="nino"
        ),
        "account_emailaddress": EmailAddress.objects.create(user=boris, email="boris@example.org"),
        "mfa_authenticator": Authenticator.objects.create(user=other, type=Authenticator.Type.RECOVERY_CODES, data={}),
    }
    world.values |= {f"admin:{name}": {"object_id": row.pk} for name, row in objects.items()}
    for role in ROLES:
        client = Client()
        if role in ("support", "moderator", "admin"):
            client = staff.staff_client(people[role])
        elif role != "nobody":
            client.force_login(User.objects.get(pk=people[role].pk))
        world.clients[role] = {name: morsel.value for name, morsel in client.cookies.items()}
    return world


@functools.cache
def addresses() -> dict[str, list[str]]:
    """Return the names of all addresses of the site, each with the names of its arguments."""

    def walk(resolver: URLResolver, prefix: tuple[str, ...], outer: list[str]) -> Iterator[tuple[str, list[str]]]:
        for entry in resolver.url_patterns:
            inner = [*outer, *entry.pattern.regex.groupindex]
            if isinstance(entry, URLResolver):
                yield from walk(entry, (*prefix, entry.namespace) if entry.namespace else prefix, inner)
            elif isinstance(entry, URLPattern):
                yield ":".join([*prefix, entry.name or str(entry.pattern)]), inner

    return dict(walk(get_resolver(), (), []))


#: Asynchronous answers for whatever watches the server, which look at no session; the ground's tests ask them.
FOR_EVERYBODY = ("healthz", "readyz")


def what_there_is() -> list[str]:
    """Return the name of everything that the table must tell about: addresses, actions at a table, measures."""
    names = [name for name in addresses() if name not in CATCH_ALL and name != "games:act"]
    return [*names, *(f"action {action}" for action in ACTIONS), *(f"measure {verb}" for verb, _label in VERBS)]


def measure(world: World, name: str) -> list[Row]:
    """Try one thing as every role, by every method that it is offered for, and return its rows of the table."""
    if name in FOR_EVERYBODY:
        return [("GET", name, *(YES for _ in ROLES))]
    rows = []
    for method in ("GET", "POST"):
        if method == "GET" and name.startswith(("action ", "measure ")):
            continue
        answers = [_try(world, name, method, ROLES[0])]
        # A method that is not offered is refused before anything else is looked at.
        if answers[0]:
            answers += [_try(world, name, method, role) for role in ROLES[1:]]
            rows.append((method, name, *(answer or NO for answer in answers)))
    return rows


def _try(world: World, name: str, method: str, role: str) -> str:
    address, data = _request(world, name)
    client = Client(raise_request_exception=True)
    client.cookies.load(copy.copy(world.clients[role]))
    cache.clear()
    with _undone():
        response = client.get(address) if method == "GET" else client.post(address, data)
        return _read(response)


@contextlib.contextmanager
def _undone() -> Iterator[None]:
    """Undo in the database what is done within."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _read(response: Any) -> str:
    """Return what an answer means for the one who asked; empty where the method is not offered."""
    if response.status_code == 405:
        return ""
    if response.status_code in (301, 302):
        target = response.headers["Location"]
        logins = (reverse(settings.LOGIN_URL), reverse("admin:login"), reverse("account_signup") + "?next")
        return LOG_IN if target.startswith(logins) else YES
    if response.status_code in (401, 403, 404):
        return NO
    assert response.status_code < 500, response.status_code
    return NOT_NOW if response.status_code == 409 else YES


def _request(world: World, name: str) -> tuple[str, dict[str, Any]]:
    kind, _space, what = name.partition(" ")
    if kind == "action":
        return reverse("games:act", args=[world.running, what]), _fields(world, what)
    if kind == "measure":
        case_id = world.values[""]["case_id"]
        return reverse("admin:games_case_measure", args=[case_id]), _measure_fields(world, what)
    arguments = addresses()[name]
    stem = name.rpartition("_")[0]
    known = world.values[""] | {"object_id": 1} | world.values.get(stem, {}) | world.values.get(name, {})
    chosen = {key: known.get(key, 1) for key in arguments}
    try:
        return reverse(name, kwargs=chosen), DATA.get(name, {})
    except NoReverseMatch:
        return reverse(name, args=list(chosen.values())), DATA.get(name, {})


#: What is sent where an empty form says nothing about who may send it.
DATA: dict[str, dict[str, Any]] = {
    "games:report": {"reason": "name", "text": "x"},
    "games:new": {"opponent": "link", "time": "days-3"},
    "admin:games_case_open": {"username": "Cara"},
    "admin:games_appeal_decide": {"decision": "uphold"},
    "games:appeal": {"text": "It was not me."},
    "games:puzzle": {"step": "0", "move": "9H"},
}


def _fields(world: World, action: str) -> dict[str, Any]:
    match = Match.objects.get(code=world.running)
    return {
        "play": {"turn": match.turn, "move": cast.any_move(match)},
        "chat": {"preset": "hello"},
    }.get(action, {"turn": match.turn})


def _measure_fields(world: World, verb: str) -> dict[str, Any]:
    match = Match.objects.get(code=world.running)
    return {
        "verb": verb,
        "reason": "chat",
        "why": "seen",
        "hours": "3",
        "running": "stand",
        "match": f"{match.code}:{match.turn}",
        "outcome": "draw",
        "line": match.lines.first().pk,
    }


def table() -> dict[tuple[str, str], Row]:
    """Return the rows of ``docs/permissions.md`` by method and name."""
    rows = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = tuple(cell.strip().strip("`") for cell in line.strip().strip("|").split("|"))
        if len(cells) == len(ROLES) + 2 and cells[0] in ("GET", "POST"):
            rows[cells[0], cells[1]] = cells
    return rows


def written(row: Row) -> str:
    """Return a row as a line of the table."""
    method, name, *answers = row
    return f"| {method} | `{name}` | {' | '.join(answers)} |"

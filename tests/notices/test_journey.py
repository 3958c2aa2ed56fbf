"""A match of sixty turns over forty days, with every mail and push that it brings."""

import datetime

import pytest
import time_machine
from django.db.models import Min
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Delivery, Match, Reader, Seat, TimeOff
from games.notices import digest, outbox, push
from games.services import livening, timeoff
from games.worker import sweep
from tests.games.cast import DAYS, check
from tests.notices.conftest import Postbox
from tests.notices.pushing import Browser, PushService
from tests.notices.tools import DAY, HOUR, MINUTE, NOON, begin, long_game

TURNS = 60
#: How long the player takes over each turn, by its number; the others take fifteen hours.
QUICK = dict.fromkeys((3, 4, 5, 18, 19), 5 * MINUTE)
#: The turn before which Boris takes two days off, and the one that is made with an hour left.
DAYS_OFF_AT, LATE_AT = 20, 40


#: When something arrived, how, at whom, and what it was called.
Arrival = tuple[datetime.datetime, str, str, str]


class World:
    """Two browsers, and a worker that does what is due when it is due."""

    def __init__(
        self, clock: time_machine.Traveller, postbox: Postbox, service: PushService, phone: Browser, players: list[User]
    ) -> None:
        self.clock = clock
        self.postbox = postbox
        self.service = service
        self.phone = phone
        self.browsers = {player.pk: Client() for player in players}
        for player in players:
            self.browsers[player.pk].force_login(player)
        self.arrived: list[Arrival] = []

    def run_until(self, moment: datetime.datetime) -> None:
        """Let time pass, and the worker work at each moment at which something is due."""
        while (due := self._next_due()) is not None and due <= moment:
            self.clock.move_to(max(due, timezone.now()))
            self._work()
        self.clock.move_to(moment)
        self._work()

    def _next_due(self) -> datetime.datetime | None:
        moments = [
            Delivery.objects.waiting().aggregate(due=Min("due_at"))["due"],
            Match.objects.running().aggregate(due=Min("deadline"))["due"],
            Reader.objects.aggregate(due=Min("digest_at"))["due"],
        ]
        return min((moment for moment in moments if moment is not None), default=None)

    def _work(self) -> None:
        sweep()
        livening.fall_back()
        timeoff.start_automatic()
        digest.begin_due()
        outbox.send_due()
        now = timezone.now()
        self.arrived += [(now, "mail", letter.to, letter.subject) for letter in self.postbox.take()]
        taken, self.service.taken = self.service.taken, []
        self.arrived += [(now, "push", "ana", self.phone.read(body)["title"]) for _headers, body in taken]

    def play(self, match: Match, move: str) -> User:
        """Play the turn that stands, by the page's own form, and return who made it."""
        now = Match.objects.get(pk=match.pk)
        seat = Seat.objects.select_related("user").get(match=now, number=now.to_move)
        answer = self.browsers[seat.user_id].post(f"{now.get_absolute_url()}play/", {"turn": now.turn, "move": move})
        assert answer.status_code == 302, answer.content.decode()[:2000]
        return seat.user


@pytest.mark.django_db
@pytest.mark.usefixtures("push_key")
def test_sixty_turns_over_forty_days(
    clock: time_machine.Traveller, postbox: Postbox, service: PushService, ana: User, boris: User
) -> None:
    """Both have mail, and Ana's phone takes pushes."""
    phone = Browser(f"{service.address}/ana")
    push.subscribe(ana, **phone.fields)
    start, moves = long_game(TURNS)
    match = begin(ana, boris, DAYS, position=start)
    world = World(clock, postbox, service, phone, [ana, boris])
    expected: list[Arrival] = []
    now = NOON

    def expect(channel: str, at: datetime.datetime, player: User, subject: str) -> None:
        if channel == "mail" or player == ana:
            expected.append((at, channel, player.username.lower(), subject % ("Boris" if player == ana else "Ana")))

    def expect_warnings(began: datetime.datetime, player: User) -> None:
        for channel in ("mail", "push"):
            expect(channel, began + 3 * DAY * 4 / 5, player, "Little time left against %s")
            expect(channel, began + 3 * DAY - 2 * HOUR, player, "Little time left against %s")

    for number, move in enumerate(moves, start=1):
        mover = (ana, boris)[Match.objects.get(pk=match.pk).to_move]
        takes = QUICK.get(number, 15 * HOUR)
        if number == DAYS_OFF_AT:
            assert mover == boris
            answer = world.browsers[boris.pk].post("/time-off/", {"days": 2, "first_day": ""})
            assert answer.status_code == 302
            takes += 2 * DAY
        if number == LATE_AT:
            takes = 3 * DAY - HOUR
        expect("push", now + MINUTE, mover, "Your turn against %s")
        if takes > 10 * MINUTE:
            expect("mail", now + 10 * MINUTE, mover, "Your turn against %s")
        if number == LATE_AT:
            expect_warnings(now, mover)
        now += takes
        world.run_until(now)
        assert world.play(match, move) == mover
    late = (ana, boris)[Match.objects.get(pk=match.pk).to_move]
    other = boris if late == ana else ana
    expect("push", now + MINUTE, late, "Your turn against %s")
    expect("mail", now + 10 * MINUTE, late, "Your turn against %s")
    expect_warnings(now, late)
    ends = now + 3 * DAY
    for channel, delay in (("push", MINUTE), ("mail", 10 * MINUTE)):
        expect(channel, ends + delay, late, "You have lost against %s")
        expect(channel, ends + delay, other, "You have won against %s")
    world.run_until(ends + DAY)

    match = check(match)
    assert (match.reason, match.finished_at, match.turn) == ("time", ends, TURNS + 1)
    assert datetime.timedelta(days=38) < ends - NOON < datetime.timedelta(days=45)
    assert TimeOff.objects.filter(user=boris).count() == 1
    assert sorted(world.arrived) == sorted(expected)
    assert not Delivery.objects.waiting().exists()

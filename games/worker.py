"""What must happen without anybody asking: clocks that end, the computer's turns, tidying up.

Nothing that is due is held in memory alone, so a worker may die at any moment, and any
number of them may run side by side.
"""

import asyncio
import logging
import os
import socket
import time
from collections.abc import Callable, Coroutine

from django.utils import timezone

from accounts.models import User
from games.engine import prepare, think
from games.models import Heartbeat, Match
from games.notices import digest, inbox, outbox
from games.services import (
    cleanup,
    computer,
    ending,
    evaluations,
    fairplay,
    leaving,
    livening,
    playing,
    privacy,
    timeoff,
)
from games.services.batch import each
from games.services.errors import MatchError
from games.services.moderation import matches as moderated
from games.studies import InDatabase, Studies
from games.threads import DatabaseThread, in_database, thinking_threads
from yourtrumps.sessions import forget_ended

logger = logging.getLogger(__name__)

#: Seconds between two looks for turns that the computer is to make.
POLL_SECONDS = 0.1
SWEEP_SECONDS = 0.5
HEARTBEAT_SECONDS = 5.0
LEFT_SECONDS = 5.0
TIME_OFF_SECONDS = 60.0
CLEANUP_SECONDS = 3600.0
EXPORT_SECONDS = 5.0
RESUME_SECONDS = 15.0
LEAVING_SECONDS = 15.0
STUDY_SECONDS = 300.0
OUTBOX_SECONDS = 2.0
#: Seconds between two looks for hints, positions and analyses that somebody asked for.
STUDIES_SECONDS = 0.25
DIGEST_SECONDS = 30.0
#: Seconds between two looks for what takes long and waits for nobody.
TIDY_SECONDS = 1.0
#: How many turns one worker thinks about at once.
THINKERS = max(1, os.cpu_count() or 1)
SWEEP_BATCH = 200
FORGETTING = (
    cleanup.clean_guests,
    cleanup.forget_cancelled,
    cleanup.forget_workers,
    forget_ended,
    privacy.forget,
    outbox.forget_old,
    inbox.forget_old,
    evaluations.forget_old,
)


class Worker:
    """One worker; ``run`` goes on until ``stop`` is called."""

    def __init__(self) -> None:
        self.name = f"{socket.gethostname()[:40]}:{os.getpid()}"
        self._stopping = asyncio.Event()
        # All that looks again within a second; what takes longer has threads of its own.
        self._looking = DatabaseThread("looking")
        self._thinkers = thinking_threads(THINKERS, "thinker")
        self._thinking: set[asyncio.Task[None]] = set()
        self._due: dict[Callable[[], object], float] = {}
        self._beside: dict[Callable[[], Coroutine[None, None, None]], asyncio.Task[None]] = {}

    def stop(self) -> None:
        """Let ``run`` end after what it is doing now."""
        self._stopping.set()

    async def run(self) -> None:
        """Work until stopped; an error is logged and the work goes on."""
        logger.info("worker %s starts", self.name)
        # Before anybody waits for it, and not in a thread that stands back: loading holds the interpreter's lock.
        asyncio.get_running_loop().run_in_executor(None, prepare)
        while not self._stopping.is_set():
            try:
                await self._work()
            except Exception:
                logger.exception("worker %s", self.name)
                await self._pause(1.0)
            await self._pause(POLL_SECONDS)
        for task in self._thinking:
            task.cancel()
        for beside in self._beside.values():
            beside.cancel()
        if self._beside:
            # What the studies had claimed is given back.
            await asyncio.wait(self._beside.values(), timeout=1.0)
        self._thinkers.shutdown(wait=False, cancel_futures=True)
        await self._looking.close()
        logger.info("worker %s stops", self.name)

    async def _pause(self, seconds: float) -> None:
        try:
            await asyncio.wait_for(self._stopping.wait(), seconds)
        except TimeoutError:
            return

    async def _work(self) -> None:
        look = self._looking.run
        await self._every(HEARTBEAT_SECONDS, self._beat, look)
        await self._every(SWEEP_SECONDS, sweep, look)
        await self._every(LEFT_SECONDS, livening.fall_back, look)
        await self._every(TIME_OFF_SECONDS, timeoff.tell_begun, look)
        await self._every(RESUME_SECONDS, moderated.resume_due, look)
        # Beside the rest: what is slow, be it a mail server or a lot of rows, must not keep the clocks waiting.
        for job in (self._post, self._study, self._tidy):
            if job not in self._beside or self._beside[job].done():
                self._beside[job] = asyncio.create_task(job())
        free = THINKERS - len(self._thinking)
        if free > 0:
            for task in await look(computer.claim_due, free):
                answering = asyncio.create_task(self._answer(task))
                self._thinking.add(answering)
                answering.add_done_callback(self._thinking.discard)

    async def _every(self, seconds: float, job: Callable[[], object], run: InDatabase = in_database) -> None:
        now = time.monotonic()
        if now >= self._due.get(job, 0.0):
            self._due[job] = now + seconds
            await run(job)

    async def _post(self) -> None:
        """Send what is due, and after a moment be ready to look again."""
        try:
            await in_database(outbox.send_due, go_on=lambda: not self._stopping.is_set())
        except Exception:
            logger.exception("worker %s: outbox", self.name)
        await self._pause(OUTBOX_SECONDS)

    async def _tidy(self) -> None:
        """Do what takes long and waits for nobody, as far as it is due, and after a moment be ready to look again."""
        try:
            # It has an hour for each player whose time runs out.
            await self._every(TIME_OFF_SECONDS, timeoff.start_automatic)
            await self._every(DIGEST_SECONDS, digest.begin_due)
            await self._every(EXPORT_SECONDS, privacy.make_exports)
            await self._every(LEAVING_SECONDS, leaving.carry_out_due)
            await self._every(STUDY_SECONDS, fairplay.study_finished)
            for forgetting in FORGETTING:
                await self._every(CLEANUP_SECONDS, forgetting)
        except Exception:
            logger.exception("worker %s: tidying", self.name)
        await self._pause(TIDY_SECONDS)

    async def _study(self) -> None:
        """Think about what people ask beside their matches, until the worker stops."""
        studies = Studies(self._looking.run, lambda: bool(self._thinking))
        try:
            while not self._stopping.is_set():
                if not await studies.work():
                    await self._pause(STUDIES_SECONDS)
        except Exception:
            logger.exception("worker %s: studies", self.name)
            await self._pause(1.0)
        finally:
            await studies.stop()

    def _beat(self) -> None:
        Heartbeat.objects.update_or_create(worker=self.name, defaults={"seen_at": timezone.now()})

    async def _answer(self, task: computer.Task) -> None:
        """Think about a turn and make it; a turn that is no longer wanted is dropped."""
        loop = asyncio.get_running_loop()
        try:
            thought = await loop.run_in_executor(
                self._thinkers, lambda: think(task.position, level=task.level, history=task.history)
            )
            await in_database(_play, task, str(thought.move))
        except MatchError as error:
            logger.info("match %s: the computer's turn %d is dropped: %s", task.code, task.turn, error)
        except Exception:
            logger.exception("match %s: the computer's turn %d failed", task.code, task.turn)


def _play(task: computer.Task, notation: str) -> None:
    playing.play(task.code, User.objects.get(pk=task.user_id), task.turn, notation)


def sweep() -> int:
    """End the matches whose deadline has passed and return how many this call ended."""
    codes = list(Match.objects.overdue(timezone.now()).values_list("code", flat=True)[:SWEEP_BATCH])
    return sum(each(codes, ending.expire))

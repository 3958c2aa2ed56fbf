"""What people ask of the engine beside its turns at the table: hints, positions tried out, analyses.

One piece of thinking at a time, each short, so that the computer's turns in people's matches come first.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from games.engine import Loss, Thought, Win, think
from games.hinting import reason_of
from games.services import analysis, evaluations, hints
from games.services.analysis import Assessment, Study
from games.threads import thinking_threads

logger = logging.getLogger(__name__)

#: Positions that the engine looks at for each: some tenths of a second at most. Counted in positions and not in
#: seconds, so that a busy machine answers later and not worse.
HINT_NODES = 300_000
EVALUATION_NODES = 60_000
ANALYSIS_NODES = 120_000

#: After so many positions the worker looks which analysis is the first by now.
IN_A_ROW = 10

#: Seconds that a piece of an analysis waits at most while the computer thinks about turns of matches.
LONGEST_WAIT = 2.0
WAIT_SECONDS = 0.05

type InDatabase = Callable[..., Awaitable[object]]


def assessed(thought: Thought) -> Assessment:
    """Return a thought as it is kept."""
    proven = None
    if isinstance(thought.score, Win):
        proven = thought.score.turns
    elif isinstance(thought.score, Loss):
        proven = -thought.score.turns
    return Assessment(thought.expectation, proven, tuple(map(str, thought.line)), thought.depth)


class Studies:
    """The worker's desk for what was asked of the engine.

    ``in_database`` runs a job that uses the database, ``turns_are_due`` says whether the computer has turns to make.
    """

    def __init__(self, in_database: InDatabase, turns_are_due: Callable[[], bool]) -> None:
        self._in_database = in_database
        self._turns_are_due = turns_are_due
        self._thread = thinking_threads(1, "student")
        self._study: Study | None = None
        self._left: list[int] = []
        self._in_a_row = 0

    async def work(self) -> bool:
        """Do the next piece, a waiting person's first, and say whether there was one."""
        return await self._hint() or await self._evaluate() or await self._analyse()

    async def stop(self) -> None:
        """Let go of what is claimed, so that another worker can go on with it soon."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._study is not None:
            await self._in_database(analysis.release, self._study)

    async def _think(self, *arguments: object, **options: object) -> Thought:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: think(*arguments, **options))  # type: ignore[arg-type]

    async def _hint(self) -> bool:
        tasks: list[hints.HintTask] = await self._in_database(hints.claim, 1)  # type: ignore[assignment]
        for task in tasks:
            thought = await self._think(task.position, nodes=HINT_NODES, history=task.history)
            reason, number = reason_of(task.position, thought)
            await self._in_database(hints.answer, task, str(thought.move), reason, number)
        return bool(tasks)

    async def _evaluate(self) -> bool:
        tasks: list[evaluations.EvaluationTask] = await self._in_database(evaluations.claim, 1)  # type: ignore[assignment]
        for task in tasks:
            thought = await self._think(task.position, nodes=EVALUATION_NODES)
            await self._in_database(evaluations.answer, task, assessed(thought))
        return bool(tasks)

    async def _analyse(self) -> bool:
        """Look at one more position of the analysis that is under way, or take up the first of the queue."""
        if self._study is None:
            self._study = await self._in_database(analysis.claim)  # type: ignore[assignment]
            if self._study is None:
                return False
            self._left = list(self._study.left)
            self._in_a_row = 0
        study = self._study
        try:
            if self._left:
                await self._let_turns_go_first()
                turn = self._left.pop(0)
                history = study.positions[: turn - 1]
                thought = await self._think(study.positions[turn - 1], nodes=ANALYSIS_NODES, history=history)
                await self._in_database(analysis.note, study, turn, assessed(thought))
                self._in_a_row += 1
            if not self._left:
                await self._in_database(analysis.finish, study)
                self._study = None
            elif self._in_a_row == IN_A_ROW:
                await self._in_database(analysis.put_back, study)
                self._study = None
        except Exception:
            # Given up here; its claim ends, and whoever takes it next goes on from what is written down.
            self._study = None
            raise
        return True

    async def _let_turns_go_first(self) -> None:
        end = time.monotonic() + LONGEST_WAIT
        while self._turns_are_due() and time.monotonic() < end:  # noqa: ASYNC110 - turns end in many places
            await asyncio.sleep(WAIT_SECONDS)

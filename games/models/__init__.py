"""Rows of matches and of what hangs on them: columns, constraints, querysets, no flow."""

from games.models.action import APPEALABLE, Action, Appeal, AppealState, Verb
from games.models.analysis import AnalysedTurn, Analysis, Evaluation, Hint, HintReason
from games.models.block import Block
from games.models.case import Case, Flag, FlagKind, Report, ReportReason
from games.models.chat import ChatLine, Room
from games.models.computer import ComputerPlayer
from games.models.delivery import Delivery, DeliveryState, PushSubscription
from games.models.export import DataExport
from games.models.heartbeat import Heartbeat
from games.models.leaving import Departure, Leaving
from games.models.lesson import LessonProgress
from games.models.line import Line
from games.models.match import Deal, Match, NoResult, OpenTo, Pace, Pickup, Status, Trump
from games.models.move import Move, Origin
from games.models.notice import Channel, Event, Notice, NoticeChoice, Reader
from games.models.official import OfficialWord, WordKind
from games.models.puzzle import Puzzle, PuzzleAttempt
from games.models.seat import Seat
from games.models.standing import Standing
from games.models.timeoff import TimeOff
from games.models.trace import Trace, TraceKind

__all__ = [
    "APPEALABLE",
    "Action",
    "AnalysedTurn",
    "Analysis",
    "Appeal",
    "AppealState",
    "Block",
    "Case",
    "Channel",
    "ChatLine",
    "ComputerPlayer",
    "DataExport",
    "Deal",
    "Delivery",
    "DeliveryState",
    "Departure",
    "Evaluation",
    "Event",
    "Flag",
    "FlagKind",
    "Heartbeat",
    "Hint",
    "HintReason",
    "Leaving",
    "LessonProgress",
    "Line",
    "Match",
    "Move",
    "NoResult",
    "Notice",
    "NoticeChoice",
    "OfficialWord",
    "OpenTo",
    "Origin",
    "Pace",
    "Pickup",
    "PushSubscription",
    "Puzzle",
    "PuzzleAttempt",
    "Reader",
    "Report",
    "ReportReason",
    "Room",
    "Seat",
    "Standing",
    "Status",
    "TimeOff",
    "Trace",
    "TraceKind",
    "Trump",
    "Verb",
    "WordKind",
]

"""The lessons of the first game: a position each, what is asked in it, and which turns are right.

The learner always holds seat 0 and has hearts as trumps; the opponent has spades. Nothing is
listed by hand: what is right follows from the rules and from the lesson's aim.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.rules import Move, Position, parse_position

LEARNER = 0


def _any(before: Position, after: Position) -> bool:
    """Whatever the rules allow."""
    return True


def _holds(before: Position, after: Position) -> bool:
    """The opponent has no card that beats what now lies on top."""
    return not after.beaters()


def _whole_pile(before: Position, after: Position) -> bool:
    """The opponent has to take the whole pile."""
    return not after.beaters() and after.pickup_count() == len(after.pile)


def _wins(before: Position, after: Position) -> bool:
    """The learner wins."""
    outcome = after.outcome()
    return outcome is not None and outcome.winner == LEARNER


class Aim(Enum):
    """What a turn has to bring about to be right, beyond being allowed."""

    ALLOWED = "allowed"
    HOLDS = "holds"
    WHOLE_PILE = "whole pile"
    WINS = "wins"

    @property
    def reached(self) -> Callable[[Position, Position], bool]:
        """The test of a turn, given the positions before and after it."""
        return {Aim.ALLOWED: _any, Aim.HOLDS: _holds, Aim.WHOLE_PILE: _whole_pile, Aim.WINS: _wins}[self]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One step. ``explains`` comes before the turn, ``asks`` stands at the table, the rest follows the turn."""

    start: str
    title: str | Promise
    explains: str | Promise
    asks: str | Promise
    praises: str | Promise
    corrects: str | Promise = ""
    aim: Aim = Aim.ALLOWED
    open_hands: bool = False

    @property
    def position(self) -> Position:
        """The position that the lesson begins with."""
        return parse_position(self.start)

    def is_right(self, move: Move) -> bool:
        """Whether a legal turn reaches the lesson's aim."""
        position = self.position
        return self.aim.reached(position, position.play(move))

    def right_moves(self) -> list[Move]:
        """Return every right turn."""
        return [move for move in self.position.legal_moves() if self.is_right(move)]


LESSONS = (
    Lesson(
        start="6C8D9HQS/7C9DJSKS - HS 0 strict",
        title=_("Lead"),
        explains=_(
            "Each player has trumps of their own: yours are hearts, your opponent’s are spades. Your trumps have a "
            "gilt corner, your opponent’s a silver one. Whoever has no cards left first wins. Where there is no pile, "
            "a turn is one card, any card."
        ),
        asks=_("You lead: play any card."),
        praises=_("Now your opponent has to beat this card."),
    ),
    Lesson(
        start="7CJD8S/TCQD6S 9D HS 0 strict",
        title=_("Beat and cover"),
        explains=_(
            "A higher card of the same suit beats the top of the pile. Then you lay a second card on it, any card at "
            "all: that is the cover. Both cards are one turn."
        ),
        asks=_("Beat 9♦ with a higher diamond, then cover."),
        praises=_("Two cards are gone in one turn. Your opponent now has to beat your cover."),
    ),
    Lesson(
        start="KCQD6H/7DTDKS AC HS 0 strict",
        title=pgettext_lazy("trumps of the reader", "Your trumps"),
        explains=_(
            "No club is higher than the ace. But any card of your own trumps beats any card that is not one of them, "
            "even the lowest trump the highest ace."
        ),
        asks=_("Beat A♣ with a trump, then cover."),
        praises=_("A six of trumps has beaten an ace. Trumps are strong: do not waste them."),
    ),
    Lesson(
        start="7CJDAS/8CKCQS TD HS 0 strict",
        title=_("Your opponent’s trumps"),
        explains=_(
            "On your turn only your own trumps have power. Spades are your opponent’s trumps: in your hand they are "
            "cards like any others, so A♠ does not beat a diamond."
        ),
        asks=_("Beat 10♦, then cover."),
        praises=_("Right: a higher diamond beats it, and the ace of spades would not have."),
    ),
    Lesson(
        start="AD9HQH/8C7DKS 6DJH HS 0 strict",
        title=_("The trap of your own trumps"),
        explains=_(
            "It does not matter who laid a card. Your opponent has covered with one of your trumps, and only a higher "
            "card of that suit beats it: your lower trumps are of no use against it, and neither is an ace of another "
            "suit."
        ),
        asks=_("Beat J♥, then cover."),
        praises=_("You had one card against it. Without it you would have had to pick up the pile."),
    ),
    Lesson(
        start="6CTCKD/9C7DJH 8C HS 0 strict",
        title=_("A cover that holds"),
        explains=_(
            "The cover is where the game is won: lay a card that your opponent cannot beat. All cards are dealt, so "
            "what you do not hold and what is not in the pile is in the other hand. Here you see it."
        ),
        asks=_("Beat 8♣, and cover with a card that your opponent cannot beat."),
        praises=_("Nothing in that hand beats K♦: your opponent has to pick up three cards."),
        corrects=_("9♣ beats 6♣. Look for a card with nothing above it in the other hand."),
        aim=Aim.HOLDS,
        open_hands=True,
    ),
    Lesson(
        start="6CJDAS/8CQCKS 7C8HTC9D HS 0 strict",
        title=_("Setting the trap"),
        explains=_(
            "The trap works for you as well. If your opponent’s own trumps lie on top, only a higher spade beats them. "
            "If it is the ace, nothing does, and your opponent has to take the whole pile."
        ),
        asks=_("Beat 9♦, and make your opponent take the whole pile."),
        praises=_("All six cards go to your opponent, and you will lead."),
        corrects=_("8♣ beats 6♣. Which of your cards can your opponent not beat at all?"),
        aim=Aim.WHOLE_PILE,
        open_hands=True,
    ),
    Lesson(
        start="6C7D8D/9DJSQS 8HTCKCAD HS 0 strict",
        title=_("Picking up three"),
        explains=_(
            "If you cannot beat the top card, you pick up. Where it is not one of your trumps that is three cards, "
            "and your opponent then faces the card that comes to light."
        ),
        asks=_("Nothing of yours beats A♦: pick up."),
        praises=_("You have three cards more, and your opponent has to beat 8♥."),
    ),
    Lesson(
        start="6C7D8D/9DJSQS 7S8CTCKCADKH HS 0 strict",
        title=_("Picking up five"),
        explains=_("If one of your own trumps lies on top and you cannot beat it, you pick up five cards."),
        asks=_("Nothing of yours beats K♥: pick up."),
        praises=_("Five cards, because K♥ is one of your trumps."),
    ),
    Lesson(
        start="6C7D8H/9DJSQS 7S8CTCKCADKHAH HS 0 strict",
        title=_("Picking up everything"),
        explains=_("Nothing beats the ace of your own trumps. Whoever meets it takes the whole pile."),
        asks=_("Nothing beats A♥: pick up."),
        praises=_("The pile is gone, so your opponent leads."),
    ),
    Lesson(
        start="JDKD/QD 9D HS 0 strict",
        title=_("The last card"),
        explains=_(
            "You win when your last cards are played. But if your opponent then holds exactly one card, and it beats "
            "the top of the pile, the game is a draw. Two cards are left to you: which of them goes on top?"
        ),
        asks=_("Play your last two cards so that you win."),
        praises=_("Q♦ does not beat K♦: you have won."),
        corrects=_("Q♦ beats J♦, so this is a draw. Try it the other way round."),
        aim=Aim.WINS,
        open_hands=True,
    ),
)

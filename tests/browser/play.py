"""How the browser tests play: by clicking what a person would click."""

from collections.abc import Callable

from playwright.sync_api import Page, TimeoutError, expect

from games.engine import think
from games.models import Match
from games.rules import Move

Act = Callable[[Page, Move], None]

#: The page's own module tells when the link is there, in the form in which the page has loaded it.
LINKED = """async () => {
  const names = performance.getEntriesByType("resource").map((entry) => entry.name);
  await (await import(names.find((name) => name.includes("js/socket")))).firstLink(30000);
}"""


def match_of(page: Page) -> Match:
    """Return the match whose table a page shows."""
    return Match.objects.get(code=page.url.rstrip("/").rsplit("/", 1)[-1])


def good_move(match: Match) -> Move:
    """Return a strong move for the player to move, the same each time: matches of weak players are long."""
    return think(match.rules_position, nodes=2000).move


def click_move(page: Page, move: Move) -> None:
    """Make a turn by clicks: the pick-up button, or one card and then the other."""
    if move.is_take:
        page.locator("#take").click()
        return
    for card in str(move).split("+"):
        page.locator(f"#hand button[data-card='{card}']").click(position={"x": 12, "y": 16})


def wait_for_link(page: Page) -> None:
    """Wait until the page has heard from the server, so that what it sends now goes through its socket."""
    page.evaluate(LINKED)


def expect_turn(page: Page, turn: int) -> None:
    """Wait until the page shows this turn."""
    expect(page.locator("#state")).to_have_attribute("data-turn", str(turn))


def make_turn(page: Page, match: Match, act: Act = click_move) -> None:
    """Make a sound turn, by clicks if not told otherwise, and again where the page says that it could not be sent."""
    expect_turn(page, match.turn)
    move = good_move(match)
    moved_on = page.locator(f"#state:not([data-turn='{match.turn}'])")
    for _attempt in range(5):
        # What an earlier turn was refused with stays for some seconds.
        expect(page.locator("#refusal")).to_be_hidden()
        expect(page.locator("#reconnecting")).to_be_hidden()
        if Match.objects.get(pk=match.pk).turn > match.turn:
            return
        try:
            act(page, move)
        except TimeoutError:
            # What seemed to be lost was made after all, only late, and its cards have left the hand.
            if Match.objects.get(pk=match.pk).turn == match.turn:
                raise
        expect(moved_on.or_(page.locator("#refusal:visible")).first).to_be_attached()
        if moved_on.count():
            return
    raise AssertionError(f"turn {match.turn} could not be sent")


def play_on(pages: dict[int, Page], until: int = 400, act: Act = click_move) -> Match:
    """Let the people at these pages play, by seat, until the match is over or at turn ``until``.

    A seat without a page is the computer's, which is waited for.
    """
    match = match_of(next(iter(pages.values())))
    while match.is_running and match.turn < until:
        turn = match.turn
        if match.to_move in pages:
            make_turn(pages[match.to_move], match, act)
        for page in pages.values():
            expect(page.locator("#state")).not_to_have_attribute("data-turn", str(turn))
        match = Match.objects.get(pk=match.pk)
    return match

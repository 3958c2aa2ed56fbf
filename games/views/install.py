"""What makes the site an app on the home screen: its manifest, and what it shows without a connection."""

import datetime

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, get_language_bidi, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import selectors
from games.present.parts import MatchCard

#: File, sizes and purpose of each icon.
ICONS = (
    ("img/logo.svg", "any", "any"),
    ("img/icon-192.png", "192x192", "any"),
    ("img/icon-512.png", "512x512", "any"),
    ("img/icon-maskable-512.png", "512x512", "maskable"),
)


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead whoever looks for the icon at its customary address, not at the one that the pages name, to the icon."""
    return redirect(static("img/icon-192.png"))


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Describe the site to a device that puts it on its home screen, in the reader's language."""
    response = JsonResponse(
        {
            "id": "/",
            "name": gettext("Your trumps"),
            "short_name": gettext("Your trumps"),
            "description": gettext("A card duel for two, in which each player has trumps of their own."),
            "lang": get_language(),
            "dir": "rtl" if get_language_bidi() else "ltr",
            "start_url": reverse("games:lobby"),
            "scope": "/",
            "display": "standalone",
            "background_color": "#0e1c22",
            "theme_color": "#0e1c22",
            "categories": ["games"],
            "icons": [
                {
                    "src": static(file),
                    "sizes": sizes,
                    "type": "image/svg+xml" if file.endswith("svg") else "image/png",
                    "purpose": purpose,
                }
                for file, sizes, purpose in ICONS
            ],
            "shortcuts": [
                {"name": gettext("My matches"), "url": reverse("games:mine")},
                {"name": gettext("New match"), "url": reverse("games:new")},
            ],
        }
    )
    response["Content-Type"] = "application/manifest+json"
    response["Cache-Control"] = "private, max-age=3600"
    return response


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page that the service worker keeps and shows where there is no connection; the same for everybody."""
    return render(request, "games/offline.html")


@never_cache
@require_safe
def seen(request: HttpRequest) -> JsonResponse:
    """Answer with the reader's matches, to be kept on the device for when there is no connection."""
    if not request.user.is_authenticated:
        return JsonResponse({"matches": []}, status=403)
    page = selectors.my_page(request.user)
    cards = [(card, gettext("Your turn")) for card in page.my_turn]
    cards += [(card, gettext("Waiting for the opponent")) for card in page.waiting]
    cards += [(card, card.reason) for card in page.ended]
    now = timezone.now()
    kept = [_kept(card, state) for card, state in cards]
    return JsonResponse({"at": now.isoformat(), "time": _written(now), "matches": kept})


def _kept(card: MatchCard, state: str) -> dict[str, object]:
    deadline = card.left.deadline if card.left else None
    return {
        "url": card.url,
        "with": card.opponent,
        "mine": card.my_turn,
        "state": state,
        "turn": gettext("Turn %(turn)d") % {"turn": card.turn},
        "until": gettext("until %(time)s") % {"time": _written(deadline)} if deadline else "",
    }


def _written(time: datetime.datetime) -> str:
    """Return a time as all pages of the site write it, in the reader's time zone."""
    return date_format(timezone.localtime(time), "DATETIME_FORMAT")

"""How often a form may be posted, and from where somebody sits down."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse

from accounts.models import User
from games import client, limits
from games.services import traces
from games.services.errors import TooOftenError
from yourtrumps.errors import too_many_requests


def limited(action: str) -> Callable[..., Callable[..., HttpResponse]]:
    """Count posted forms of a view under a limit of ``settings.RATE_LIMITS``; beyond it the answer is 429."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if request.method == "POST":
                user = request.user if request.user.is_authenticated else None
                try:
                    limits.spend(action, user, client.of_request(request))
                except TooOftenError:
                    return too_many_requests(request)
            return view(request, *args, **kwargs)

        return wrapper

    return decorate


def sitting_down(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Limit how often somebody sits down by a view, and mark the browser in which it is done."""

    @limited("challenge")
    @wraps(view)
    def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if request.method == "POST":
            client.mark_device(request, response)
        return response

    return wrapper


def note(request: HttpRequest, player: User) -> User:
    """Note from where a player is about to sit down, and return the player."""
    traces.note(player, client.of_request(request))
    return player

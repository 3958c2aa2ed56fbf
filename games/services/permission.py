"""Whether an account may play now, in the words that its owner reads."""

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from games.services.errors import BarredError


def require_may_play(user: User) -> None:
    """Raise :class:`BarredError` for an account that is suspended or closed."""
    if user.is_closed:
        raise BarredError(gettext("You have closed your account. Take it back to play again."))
    if user.is_suspended_for_good:
        raise BarredError(gettext("A moderator has closed your account. Your account page says why."))
    if user.is_suspended:
        until = date_format(timezone.localtime(user.suspended_until), "DATETIME_FORMAT")
        raise BarredError(
            gettext("Until %(time)s your account is suspended. Your account page says why.") % {"time": until}
        )


def require_may_sit_down(user: User) -> None:
    """Raise :class:`BarredError` for an account that may not begin another match."""
    require_may_play(user)
    if user.must_rename:
        raise BarredError(gettext("Please choose another user name before you begin a new match."))

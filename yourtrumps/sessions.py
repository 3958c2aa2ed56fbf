"""Sessions: where they are kept, whether one still logs somebody in, as sockets that stay open ask; forgetting them."""

import datetime
import re

from allauth.usersessions.models import UserSession
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models import User
from yourtrumps.statements import Rows

_session_and_user = Rows(
    Session,
    User,
    source="django_session CROSS JOIN accounts_user WHERE django_session.session_key = %s AND accounts_user.id = %s",
)


#: Django draws 32 of these; the column holds 40.
_KEY = re.compile(r"[a-z0-9]{8,40}")


class SessionStore(db.SessionStore):
    """Sessions in the database. A key that none can have is that of nobody; PostgreSQL would not even look for some."""

    def _validate_session_key(self, key: str | None) -> bool:
        return key is not None and _KEY.fullmatch(key) is not None


def still_logged_in(session_key: str, user_id: int) -> User | None:
    """Return the user, as the account is now, if the session still logs this user in, else None.

    The questions are those that Django asks on every request, in one statement: the session is there and has not
    expired, it names this user, was begun under the present password, and the account is active.
    """
    rows = _session_and_user(session_key, user_id)
    if not rows:
        return None
    session, user = rows[0]
    if session.expire_date <= timezone.now() or not user.is_active:
        return None
    stored = SessionStore().decode(session.session_data)
    same_user = stored.get(SESSION_KEY) == str(user.pk)
    same_password = constant_time_compare(stored.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
    return user if same_user and same_password else None


#: One that was begun so lately is left alone: its session may not have been written yet.
_JUST_BEGUN = datetime.timedelta(hours=1)


def forget_ended() -> int:
    """Delete the sessions that have expired, and from where all those that have ended were used; return how many."""
    now = timezone.now()
    count: int = Session.objects.filter(expire_date__lt=now).delete()[0]
    there = Session.objects.filter(session_key=OuterRef("session_key"))
    UserSession.objects.filter(~Exists(there), created_at__lt=now - _JUST_BEGUN).delete()
    return count

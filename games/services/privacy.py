"""One's own data, leaving, and what the worker forgets."""

import datetime
import gzip
import json

from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import closing
from accounts.holding import hold
from accounts.models import User
from games import broadcast
from games.models import DataExport, Delivery, Departure, Notice, OfficialWord, PushSubscription, Reader
from games.personal_data import personal_data
from games.services import leaving, traces
from games.services.batch import each
from games.services.errors import MatchError

#: How long a file with one's data can be fetched, and how soon another can be asked for.
EXPORT_KEPT = datetime.timedelta(days=7)
EXPORT_EVERY = datetime.timedelta(hours=24)
#: A claim of a worker that died is free again after this.
LEASE = datetime.timedelta(minutes=10)
WORDS_KEPT = datetime.timedelta(days=90)
#: One that nobody has come to read; the measure that it tells of stays on the page of one's standing.
UNREAD_KEPT = datetime.timedelta(days=365)


class ExportTooSoonError(MatchError):
    """A file was asked for lately."""

    status = 429
    message = _("You can ask for your data once a day. The latest file is still here.")


def request_export(user: User) -> DataExport:
    """Ask for a file with all of one's data; the worker makes it. Raises :class:`ExportTooSoonError`."""
    since = timezone.now() - EXPORT_EVERY
    if DataExport.objects.filter(user=user, requested_at__gt=since).exists():
        raise ExportTooSoonError
    try:
        with transaction.atomic():
            return DataExport.objects.create(user=user)
    except IntegrityError:
        raise ExportTooSoonError from None


def make_exports() -> int:
    """Make the files that were asked for, and return how many this call made. Any number of workers may call it.

    One that fails keeps none of the others waiting and is tried again; :func:`forget` gives it up.
    """
    free = _free(timezone.now())
    return sum(each(DataExport.objects.filter(free).order_by("requested_at").select_related("user")[:5], _make))


def _make(export: DataExport) -> bool:
    now = timezone.now()
    if not DataExport.objects.filter(_free(now), pk=export.pk).update(claimed_at=now):
        return False
    text = json.dumps(personal_data(export.user), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    content = gzip.compress(text.encode())
    DataExport.objects.filter(pk=export.pk).update(content=content, made_at=timezone.now())
    return True


def _free(now: datetime.datetime) -> Q:
    """Which files are not made, and by no worker just now."""
    return Q(made_at=None) & (Q(claimed_at=None) | Q(claimed_at__lt=now - LEASE))


def close_account(user: User) -> None:
    """Close one's account at once; it can be taken back for 14 days.

    What it plays is resigned, so that opponents are not kept waiting; their matches stay.
    """
    with transaction.atomic():
        hold(user.pk)
        leaving.put_down(user, Departure.RESIGN)
        # In this order, and before the name goes: whoever tells this player of a match that changes has deleted what
        # was told of it before, and then needs the account's key, which another name changes too.
        for model in (Delivery, PushSubscription, Notice, Reader):
            model.objects.filter(user=user).delete()
        closing.close(user)
        broadcast.account_changed(user.pk)
    leaving.carry_out(user)


def reopen_account(user: User) -> User:
    """Take one's closed account back. See :func:`accounts.closing.reopen`."""
    return closing.reopen(user)


def forget() -> None:
    """Delete what is kept for a time only, once that time is over."""
    now = timezone.now()
    traces.forget_old(now)
    closing.finish_closing(now)
    DataExport.objects.filter(made_at__lt=now - EXPORT_KEPT).delete()
    # Tried for a day in vain: a request that stayed would let its player never ask again.
    tried = Q(claimed_at__isnull=False, requested_at__lt=now - EXPORT_EVERY)
    DataExport.objects.filter(_free(now) & tried).delete()
    unread = Q(read_at=None, created_at__lt=now - UNREAD_KEPT)
    OfficialWord.objects.filter(unread | Q(read_at__lt=now - WORDS_KEPT)).delete()

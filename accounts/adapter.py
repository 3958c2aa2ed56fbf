"""How allauth's accounts behave on this site."""

import logging
import smtplib
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.core.exceptions import BadRequest, ImproperlyConfigured, ValidationError
from django.core.mail import EmailMultiAlternatives
from django.db import IntegrityError, transaction
from django.forms import BaseForm
from django.http import HttpRequest
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

from accounts import closing
from accounts.holding import hold
from accounts.mailing import nameless
from accounts.models import NAME_TAKEN, Kind, User
from accounts.names import comparison_key, is_reserved, normalize

logger = logging.getLogger(__name__)

#: What signing up changes of a guest's row; the rest may have been decided by others since the row was read.
_SIGNED_UP = ("kind", "username", "email", "password")


class AccountAdapter(DefaultAccountAdapter):
    """Names in any script, guests who become people, and limits that count clients, not proxies."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": _("The name and the password do not match."),
        "email_password_mismatch": _("The e-mail address and the password do not match."),
        "too_many_login_attempts": _("Too many failed attempts to log in. Please try again in a few minutes."),
        "incorrect_password": _("This is not your password."),
        "enter_current_password": _("This is not your password."),
        "duplicate_email": _("This is your e-mail address already."),
        "username_taken": NAME_TAKEN,
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name as it is to be stored; raise ``ValidationError`` if it may not or cannot be had."""
        username = normalize(username)
        for validator in User._meta.get_field("username").validators:
            validator(username)
        if is_reserved(username):
            raise ValidationError(_("This user name is reserved. Please choose another."), code="reserved")
        if not shallow and (User.objects.with_name_like(username).exists() or closing.reserved_by_closed(username)):
            raise ValidationError(NAME_TAKEN, code="taken")
        return username

    def new_user(self, request: HttpRequest) -> User:
        """Return the row that signing up fills: a guest's own, so that the guest's matches stay."""
        if request.user.is_authenticated and request.user.is_guest:
            return User.objects.get(pk=request.user.pk)
        return User()

    def save_user(self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True) -> User:
        """Save a person who signed up, and keep a guest's session alive over it."""
        was_guest = user.is_guest
        user.kind = Kind.PERSON
        # Before the transaction: hashing the password takes long, and every other writer would wait for it.
        super().save_user(request, user, form, commit=False)
        if not commit:
            return user
        try:
            with transaction.atomic():
                if was_guest and not hold(user.pk).is_guest:
                    # Registered at the same moment from another page of the same guest.
                    raise ImmediateHttpResponse(redirect("account_signup"))
                user.save(update_fields=_SIGNED_UP if was_guest else None)
        except IntegrityError:
            # Somebody took the name, or one like it, between the check and now.
            messages.error(request, NAME_TAKEN)
            raise ImmediateHttpResponse(redirect("account_signup")) from None
        if was_guest:
            user.refresh_from_db()
            request.user = user
            update_session_auth_hash(request, user)
        return user

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Find the account by the comparison key of its name, or by its e-mail address, never by both.

        A name cannot hold "@", and trying an address as a name too would take longer for
        addresses that are known.
        """
        if "email" in credentials:
            credentials.pop("username", None)
        elif username := credentials.get("username"):
            key = comparison_key(username)
            known = User.objects.filter(username_key=key).only("username").first()
            present = known.username if known else closing.name_to_log_in(key)
            credentials["username"] = present or normalize(username)
        return super().authenticate(request, **credentials)

    def reauthenticate(self, user: User, password: str) -> bool:
        """Return whether this is the account's password, within the limits of failed log-ins."""
        found = self.authenticate(self.request, username=user.username, password=password)
        return found is not None and found.pk == user.pk

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse a client that failed too often, and an account that is tried from everywhere."""
        super().pre_authenticate(request, **credentials)
        login = self._login_of(credentials)
        if not ratelimit.consume(request, action="login_failed_account", key=login):
            raise self.validation_error("too_many_login_attempts")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # Per client, so that nobody can lock the owner of an account out by failing in their name.
        return f"{self.get_client_ip(request)}:{self._login_of(credentials)}"

    @staticmethod
    def _login_of(credentials: dict[str, Any]) -> str:
        return credentials.get("email", "").lower() or comparison_key(credentials.get("username", ""))

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address; raise ``BadRequest`` if a trusted proxy did not say it."""
        try:
            return super().get_client_ip(request)
        except ImproperlyConfigured as error:
            raise BadRequest("X-Forwarded-For has fewer entries than there are trusted proxies") from error

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail in its reader's language; a mail server that is down does not undo what the mail is about."""
        reader = context.get("user")
        language = getattr(reader, "language", "") or get_language() or settings.LANGUAGE_CODE
        try:
            with override(language):
                super().send_mail(template_prefix, email, context)
        except (smtplib.SMTPException, OSError) as error:
            logger.error("The mail %s was not sent: %s", template_prefix, nameless(error))

    def render_mail(
        self,
        template_prefix: str,
        email: str | list[str],
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMultiAlternatives:
        """Return a mail whose HTML is made of its text, so that the two cannot differ."""
        mail = super().render_mail(template_prefix, email, context, headers)
        html = render_to_string("account/email/message.html", {"subject": mail.subject, "text": mail.body})
        mail.attach_alternative(html, "text/html")
        return mail

"""What may be kept of a mail that was not sent."""

import smtplib


def nameless(error: smtplib.SMTPException | OSError) -> str:
    """Return the kind of an error and the codes of the mail server's answer: its words may hold the address."""
    codes: set[int] = set()
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = {code for code, _words in error.recipients.values()}
    elif isinstance(error, smtplib.SMTPResponseException):
        codes = {error.smtp_code}
    return " ".join([type(error).__name__, *map(str, sorted(codes))])

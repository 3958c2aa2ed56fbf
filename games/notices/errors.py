"""Why something was not sent.

What an error says is kept with the delivery and logged: it names a code or the kind of a fault, and no reader.
"""


class UnsentError(Exception):
    """It could not be sent now; a later attempt may succeed."""


class RefusedError(Exception):
    """The other side refuses it for good: another attempt is of no use."""


class GoneError(Exception):
    """There is nobody there any more."""

"""Why something was not sent."""


class UnsentError(Exception):
    """It could not be sent now; a later attempt may succeed."""


class RefusedError(Exception):
    """The other side refuses it for good: another attempt is of no use."""


class GoneError(Exception):
    """There is nobody there any more."""

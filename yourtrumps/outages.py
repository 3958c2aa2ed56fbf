"""What is raised where a server that the site needs is away or busy for a moment."""

from django.db import InterfaceError, OperationalError
from redis import exceptions

DATABASE = (OperationalError, InterfaceError)
REDIS = (exceptions.ConnectionError, exceptions.TimeoutError)

#: Seconds after which it is worth trying again.
RETRY_AFTER = 5

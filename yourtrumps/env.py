"""Reads the environment variables that configure the server.

Every reader says in its error what to set and why. ``docs/operating.md`` is the list for operators.
"""

import base64
import contextlib
import os
import secrets
import tempfile
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
# A burst of this many unread messages for one socket is kept; the layer drops what comes on top of it.
UNREAD_MESSAGES = 2000


class EnvironmentRefused(ImproperlyConfigured):
    """The environment lacks something, or holds something unsafe; the message says what to set."""


def text(name: str, default: str = "") -> str:
    """Return the variable without surrounding blanks, or the default where it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def words(name: str) -> list[str]:
    """Return the parts of a list separated by commas or blanks; empty where the variable is unset."""
    return text(name).replace(",", " ").split()


def flag(name: str, default: bool) -> bool:
    """Return whether the variable is switched on.

    Raises ``EnvironmentRefused`` for a word that is neither yes nor no: a mistyped ``LOCAL`` must not pass for either.
    """
    if name not in os.environ:
        return default
    value = os.environ[name].strip().lower()
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise EnvironmentRefused(f"{name} is {value!r}: set it to 1 or 0.")


def log_level() -> str:
    """Return the level from which on is logged, or raise ``EnvironmentRefused``."""
    level = text("LOG_LEVEL", "INFO").upper()
    if level not in LOG_LEVELS:
        raise EnvironmentRefused(f"LOG_LEVEL is {level!r}: set it to one of {', '.join(LOG_LEVELS)}.")
    return level


def number(name: str, default: int) -> int:
    """Return the variable as a whole number of at least 0, or raise ``EnvironmentRefused``."""
    value = text(name, str(default))
    if not value.isdecimal():
        raise EnvironmentRefused(f"{name} is {value!r}: set it to a whole number.")
    return int(value)


def secret_key(local: bool, var_dir: Path) -> str:
    """Return the key that signs sessions, links and cookies.

    In production it comes from ``SECRET_KEY`` and has at least 50 characters. In development one is drawn on the first
    start and kept in ``var_dir``, so that log-ins outlive a restart and no two machines share a key.
    """
    key = text("SECRET_KEY")
    if key or not local:
        if len(key) < 50:
            raise EnvironmentRefused(
                "SECRET_KEY must be set to at least 50 random characters. Make one with:\n"
                "    python3 -c 'import secrets; print(secrets.token_urlsafe(50))'\n"
                "For a server on your own machine use `make run`, which sets LOCAL=1."
            )
        return key
    path = var_dir / "development-key"
    if not path.exists():
        var_dir.mkdir(parents=True, exist_ok=True)
        # Linked into place when it is whole: another process may be starting at this moment, and one key must win.
        with tempfile.NamedTemporaryFile("w", dir=var_dir) as file, contextlib.suppress(FileExistsError):
            file.write(secrets.token_urlsafe(50))
            file.flush()
            os.link(file.name, path)
    return path.read_text()


def hosts(local: bool) -> list[str]:
    """Return the host names that the server answers to; on a machine of one's own those of the machine."""
    names = words("ALLOWED_HOSTS")
    if local:
        return names or LOCAL_HOSTS
    if not names:
        raise EnvironmentRefused("ALLOWED_HOSTS must name the site, such as ALLOWED_HOSTS=cards.example.org")
    if "*" in names:
        raise EnvironmentRefused("ALLOWED_HOSTS must not hold `*`: links in mail would follow a forged Host header.")
    return names


def refuse_insecure(debug: bool, local: bool, secure: bool) -> None:
    """Raise ``EnvironmentRefused`` where the source or the cookies would be shown to others outside development."""
    if debug and not local:
        raise EnvironmentRefused("DEBUG=1 shows the source to whoever meets an error; it is only allowed with LOCAL=1.")
    if not local and not secure:
        raise EnvironmentRefused("SECURE_COOKIES=0 sends log-ins in the clear; it is only allowed with LOCAL=1.")


def database(var_dir: Path) -> dict[str, Any]:
    """Return the settings of the database that ``DATABASE_URL`` names; without it a SQLite file in ``var_dir``.

    SQLite opens every transaction as a write, since a read that turns into a write there fails at once when another
    writer came between. PostgreSQL gets Django's pool: under ASGI each thread holds a connection, and without a limit a
    busy server runs out of them.
    """
    url = text("DATABASE_URL")
    if not url:
        var_dir.mkdir(parents=True, exist_ok=True)
        config: dict[str, Any] = {"ENGINE": "django.db.backends.sqlite3", "NAME": var_dir / "yourtrumps.sqlite3"}
    else:
        try:
            config = dict(dj_database_url.parse(url, conn_max_age=0, conn_health_checks=True))
        except ValueError as error:
            raise EnvironmentRefused("DATABASE_URL is not a postgresql:// or sqlite:/// address.") from error
    options = config.setdefault("OPTIONS", {})
    if config["ENGINE"] == "django.db.backends.sqlite3":
        options.setdefault("transaction_mode", "IMMEDIATE")
        options.setdefault("timeout", 5)
        options.setdefault("init_command", "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")
    elif config["ENGINE"] == "django.db.backends.postgresql":
        options.setdefault(
            "pool", {"min_size": 1, "max_size": max(1, number("DATABASE_CONNECTIONS", 20)), "timeout": 10}
        )
    else:
        raise EnvironmentRefused("DATABASE_URL is not a postgresql:// or sqlite:/// address.")
    return config


def channel_layer() -> dict[str, Any]:
    """Return the settings of the channel layer: Redis where ``REDIS_URL`` is set, else within the one process."""
    url = text("REDIS_URL")
    if not url:
        return {"BACKEND": "channels.layers.InMemoryChannelLayer", "CONFIG": {"capacity": UNREAD_MESSAGES}}
    return {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [url], "prefix": text("REDIS_PREFIX", "yourtrumps")},
    }


def caches() -> dict[str, Any]:
    """Return the settings of the caches: Redis where ``REDIS_URL`` is set, else the process's memory.

    Rate limits are counted in the first, so more than one process needs Redis for them to hold. Memory that is full
    drops entries at random: pictures, which anybody can ask for, have memory of their own.
    """
    url = text("REDIS_URL")
    if not url:
        memory = "django.core.cache.backends.locmem.LocMemCache"
        return {
            "default": {"BACKEND": memory, "OPTIONS": {"MAX_ENTRIES": 100_000}},
            "pictures": {"BACKEND": memory, "LOCATION": "pictures", "OPTIONS": {"MAX_ENTRIES": 200}},
        }
    redis = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": url,
        "KEY_PREFIX": text("REDIS_PREFIX", "yourtrumps"),
    }
    return {"default": redis, "pictures": redis}


def site_url(local: bool, hosts: list[str], secure: bool) -> str:
    """Return the site's own address, which mails and pushes link to: ``SITE_URL``, else made of the first host."""
    url = text("SITE_URL").rstrip("/")
    if url:
        if not url.startswith(("https://", "http://")) or "/" in url.partition("://")[2]:
            raise EnvironmentRefused("SITE_URL must be a scheme and a host, such as SITE_URL=https://cards.example.org")
        return url
    if local:
        host = text("HOST", "127.0.0.1")
        return f"http://{'127.0.0.1' if host in {'0.0.0.0', '::'} else host}:{number('PORT', 8000)}"  # noqa: S104
    return f"{'https' if secure else 'http'}://{hosts[0].removeprefix('.')}"


def vapid_key() -> str:
    """Return the private key that pushes are signed with, or nothing: then there is no Web Push."""
    key = text("VAPID_PRIVATE_KEY")
    try:
        well_formed = not key or len(base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))) == 32
    except ValueError:
        well_formed = False
    if not well_formed:
        raise EnvironmentRefused("VAPID_PRIVATE_KEY is not a key. Make one with: manage.py makevapidkeys")
    return key


def mailer(local: bool, var_dir: Path) -> dict[str, Any]:
    """Return how mail is sent: by SMTP as the ``MAIL_*`` variables say.

    In development, without ``MAIL_HOST``, it is printed and kept as files in ``mail`` in ``var_dir`` instead.

    Encryption is on unless ``MAIL_TLS`` says ``none``: ``starttls`` (the default) or ``tls`` from the first byte.
    """
    host = text("MAIL_HOST")
    if not host and local:
        return {"BACKEND": "yourtrumps.mail.PrintedAndKept", "OPTIONS": {"folder": str(var_dir / "mail")}}
    encryption = text("MAIL_TLS", "starttls")
    if encryption not in {"starttls", "tls", "none"}:
        raise EnvironmentRefused("MAIL_TLS must be starttls, tls or none.")
    return {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": host or "localhost",
            "port": number("MAIL_PORT", 465 if encryption == "tls" else 587),
            "username": text("MAIL_USER"),
            "password": text("MAIL_PASSWORD"),
            "use_tls": encryption == "starttls",
            "use_ssl": encryption == "tls",
            # Many a server thinks for longer than ten seconds before it takes a mail; who gives up then sends it again.
            "timeout": 60,
        },
    }

"""The server starts with a safe environment, and otherwise says what to set."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from yourtrumps import env

ROOT = Path(__file__).resolve().parent.parent.parent
KEY = "an-operators-own-key-of-more-than-fifty-random-characters-0123456789"


@pytest.mark.parametrize(
    ("value", "expected"), [("1", True), ("True", True), (" on ", True), ("0", False), ("no", False), ("", False)]
)
def test_a_flag_is_read(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:
    monkeypatch.setenv("A_FLAG", value)
    assert env.flag("A_FLAG", not expected) is expected


def test_a_flag_that_is_not_set_has_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_FLAG", raising=False)
    assert env.flag("A_FLAG", True) is True


def test_a_mistyped_flag_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_FLAG", "flase")
    with pytest.raises(env.EnvironmentRefused, match="A_FLAG"):
        env.flag("A_FLAG", False)


def test_a_number_is_not_negative(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_NUMBER", "-1")
    with pytest.raises(env.EnvironmentRefused, match="A_NUMBER"):
        env.number("A_NUMBER", 1)


@pytest.mark.parametrize("key", ["", "short"])
def test_production_needs_a_long_secret_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key: str) -> None:
    monkeypatch.setenv("SECRET_KEY", key)
    with pytest.raises(env.EnvironmentRefused, match="SECRET_KEY"):
        env.secret_key(local=False, var_dir=tmp_path)


def test_the_development_key_is_kept_and_is_nobody_elses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    key = env.secret_key(local=True, var_dir=tmp_path / "one")
    assert env.secret_key(local=True, var_dir=tmp_path / "one") == key
    assert env.secret_key(local=True, var_dir=tmp_path / "two") != key
    assert (tmp_path / "one" / "development-key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("hosts", ["", "*", "cards.example.org,*"])
def test_production_needs_the_names_of_its_hosts(monkeypatch: pytest.MonkeyPatch, hosts: str) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", hosts)
    with pytest.raises(env.EnvironmentRefused, match="ALLOWED_HOSTS"):
        env.hosts(local=False)


def test_cookies_in_the_clear_are_for_development_alone() -> None:
    env.refuse_insecure(debug=True, local=True, secure=False)
    with pytest.raises(env.EnvironmentRefused, match="SECURE_COOKIES"):
        env.refuse_insecure(debug=False, local=False, secure=False)


def test_pages_that_show_the_source_are_for_development_alone() -> None:
    env.refuse_insecure(debug=True, local=True, secure=True)
    with pytest.raises(env.EnvironmentRefused, match="DEBUG"):
        env.refuse_insecure(debug=True, local=False, secure=True)


@pytest.mark.parametrize(("level", "expected"), [("", "INFO"), ("warning", "WARNING"), (" DEBUG ", "DEBUG")])
def test_a_level_of_the_log_is_read(monkeypatch: pytest.MonkeyPatch, level: str, expected: str) -> None:
    monkeypatch.setenv("LOG_LEVEL", level)
    assert env.log_level() == expected


def test_sqlite_opens_transactions_as_writes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/a.sqlite3")
    config = env.database(tmp_path)
    assert config["NAME"] == f"{tmp_path}/a.sqlite3"
    assert config["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in config["OPTIONS"]["init_command"]


def test_postgresql_uses_the_pool_and_keeps_no_connection_to_a_thread(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://cards:s%40crt@db.example.org:5433/cards?sslmode=require")
    monkeypatch.setenv("DATABASE_CONNECTIONS", "7")
    config = env.database(tmp_path)
    assert (config["HOST"], config["PORT"], config["PASSWORD"]) == ("db.example.org", 5433, "s@crt")
    assert config["CONN_MAX_AGE"] == 0
    assert config["OPTIONS"]["pool"]["max_size"] == 7
    assert config["OPTIONS"]["sslmode"] == "require"


@pytest.mark.parametrize("url", ["mysql://localhost/cards", "cards.sqlite3"])
def test_another_database_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, url: str) -> None:
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(env.EnvironmentRefused, match="DATABASE_URL"):
        env.database(tmp_path)


def test_redis_carries_messages_and_cache_under_one_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://localhost:6379/1")
    monkeypatch.setenv("REDIS_PREFIX", "cards")
    assert env.channel_layer()["CONFIG"] == {"hosts": ["redis://localhost:6379/1"], "prefix": "cards"}
    assert {cache["KEY_PREFIX"] for cache in env.caches().values()} == {"cards"}


def test_mail_is_encrypted_unless_it_is_switched_off_and_slow_servers_are_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MAIL_HOST", "mail.example.org")
    options: dict[str, Any] = env.mailer(local=False, var_dir=tmp_path)["OPTIONS"]
    assert (options["use_tls"], options["port"], options["timeout"]) == (True, 587, 60)
    monkeypatch.setenv("MAIL_TLS", "tls")
    options = env.mailer(local=False, var_dir=tmp_path)["OPTIONS"]
    assert (options["use_ssl"], options["use_tls"], options["port"]) == (True, False, 465)


def start(**environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a command that needs the settings, with this environment and nothing else."""
    return subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "VAR_DIR": os.environ["TEST_DIR"], **environment},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({}, "SECRET_KEY"),
        ({"SECRET_KEY": KEY}, "ALLOWED_HOSTS"),
        ({"SECRET_KEY": KEY, "ALLOWED_HOSTS": "cards.example.org", "SECURE_COOKIES": "0"}, "SECURE_COOKIES"),
        ({"LOCAL": "maybe"}, "LOCAL"),
        ({"SECRET_KEY": KEY, "ALLOWED_HOSTS": "cards.example.org", "DEBUG": "1", "LOCAL": "0"}, "DEBUG=1"),
        ({"LOCAL": "1", "LOG_LEVEL": "verbose"}, "LOG_LEVEL is 'VERBOSE'"),
    ],
)
def test_the_server_refuses_to_start_and_says_what_is_missing(environment: dict[str, str], named: str) -> None:
    result = start(**environment)
    assert result.returncode == 1
    assert named in result.stderr
    assert "Traceback" not in result.stderr


def test_the_server_starts_with_a_safe_environment() -> None:
    result = start(SECRET_KEY=KEY, ALLOWED_HOSTS="cards.example.org")
    assert result.returncode == 0, result.stderr

"""Mail in development, the settings of notices, and what the log keeps to itself."""

import io
from email import policy
from email.parser import BytesParser
from pathlib import Path

import pytest
from django.core.mail import EmailMessage, mailers

from games.notices import outbox
from games.worker import Worker
from yourtrumps import env
from yourtrumps.logging import without_keys


def test_mail_is_printed_and_kept(tmp_path: Path, settings: object, capsys: pytest.CaptureFixture[str]) -> None:
    settings.MAILERS = {"default": env.mailer(local=True, var_dir=tmp_path)}  # type: ignore[attr-defined]
    mailers.default.send_messages([EmailMessage("Ваш ход", "Побейте 9♥.", "a@example.org", ["b@example.org"])])
    (path,) = (tmp_path / "mail").glob("*.eml")
    kept = BytesParser(policy=policy.default).parsebytes(path.read_bytes())
    assert (kept["Subject"], kept.get_content().strip()) == ("Ваш ход", "Побейте 9♥.")
    printed = capsys.readouterr().out
    assert "Побейте 9♥." in printed
    assert str(path) in printed


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/play/k3w9m2p8x4.12.1.1tXyz1:abc/", "/play/***/"),
        ("/notices/off/WzEsInR1cm4iXQ:1tX:abc/", "/notices/off/***/"),
        ("/calendar/abcdefghijkl.ics", "/calendar/***"),
        ("/account/confirm-email/MQ:1tXyz1:abc/", "/account/confirm-email/***/"),
        ("/account/password/reset/key/1-cx3k9d-0a1b2c3d/", "/account/password/reset/key/***/"),
        ("/account/password/reset/key/done/", "/account/password/reset/key/done/"),
        ('{"message": "Not Found: /play/k3w9m2p8x4.12.1"}', '{"message": "Not Found: /play/***"}'),
        ("/notices/choices/", "/notices/choices/"),
        ("/play/", "/play/"),
        ("/m/k3w9m2p8x4/play/", "/m/k3w9m2p8x4/play/"),
    ],
)
def test_the_log_keeps_no_keys(path: str, logged: str) -> None:
    assert without_keys(path) == logged


class TestSiteUrl:
    def test_it_is_the_first_host_over_tls(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("SITE_URL", raising=False)
        assert env.site_url(False, [".example.org", "b.example.org"], True) == "https://example.org"

    def test_in_development_it_is_where_the_server_listens(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("SITE_URL", raising=False)
        monkeypatch.setenv("HOST", "0.0.0.0")
        monkeypatch.setenv("PORT", "8123")
        assert env.site_url(True, [], False) == "http://127.0.0.1:8123"

    @pytest.mark.parametrize("url", ["cards.example.org", "https://cards.example.org/path", "ftp://cards.example.org"])
    def test_what_is_no_address_of_a_site_is_refused(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SITE_URL", url)
        with pytest.raises(env.EnvironmentRefused):
            env.site_url(False, ["example.org"], True)


@pytest.mark.parametrize("key", ["x", "not a key", "AAAA"])
def test_a_key_that_is_none_is_refused(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VAPID_PRIVATE_KEY", key)
    with pytest.raises(env.EnvironmentRefused, match="makevapidkeys"):
        env.vapid_key()


@pytest.mark.django_db(transaction=True)
async def test_the_worker_sends_beside_its_other_work(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = Worker()
    calls = io.StringIO()

    def slow(**options: object) -> int:
        calls.write("sent ")
        worker.stop()
        raise RuntimeError("the outbox is broken")

    monkeypatch.setattr(outbox, "send_due", slow)
    await worker.run()
    assert calls.getvalue() == "sent "

"""Makes the key that Web Push is signed with."""

import base64
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.management.base import BaseCommand


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Command(BaseCommand):
    """``manage.py makevapidkeys``: prints lines for the environment; nothing is stored."""

    help = "Make a VAPID key pair for Web Push and print it as environment variables. Keep the private key secret."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Print a new pair: the private key as the site reads it, the public one for comparison."""
        key = ec.generate_private_key(ec.SECP256R1())
        private = key.private_numbers().private_value.to_bytes(32, "big")
        public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.stdout.write("# A site that changes its key loses its subscriptions: browsers subscribe to one key.")
        self.stdout.write(f"VAPID_PRIVATE_KEY={_text(private)}")
        self.stdout.write(f"# The public key, which follows from it: {_text(public)}")
        self.stdout.write("VAPID_SUBJECT=mailto:you@example.org")

"""Mail in development: to be read in the terminal, and kept as files that a mail program opens."""

import uuid
from pathlib import Path
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends.console import EmailBackend
from django.utils import timezone


class PrintedAndKept(EmailBackend):
    """Prints each mail, and keeps it as an ``.eml`` file in a folder that is made when it is needed."""

    def __init__(self, folder: str, **options: Any) -> None:
        super().__init__(**options)
        self.folder = Path(folder)

    def write_message(self, message: EmailMessage) -> None:
        """Print the mail and keep it."""
        super().write_message(message)
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{timezone.now():%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:8]}.eml"
        path.write_bytes(message.message().as_bytes())
        self.stream.write(f"Kept in {path}\n")

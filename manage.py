#!/usr/bin/env python
"""Django's command-line utility for administrative tasks."""

import os
import sys


def main() -> None:
    """Run the command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "yourtrumps.settings")
    from django.core.management import execute_from_command_line

    from yourtrumps.env import EnvironmentRefused

    try:
        execute_from_command_line(sys.argv)
    except EnvironmentRefused as error:
        # What to set is all that the reader needs; where it was noticed is not.
        sys.exit(f"The environment is not fit to start with.\n{error}")


if __name__ == "__main__":
    main()

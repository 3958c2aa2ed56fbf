"""The settings under test: those of development, on a database and a Redis namespace of this run's own.

``DATABASE_URL`` and ``REDIS_URL`` choose the engines as they do for the server; without them the tests use SQLite files
and the process's memory. ``scripts/with_servers.py`` starts the real engines where there are none.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

os.environ.setdefault("LOCAL", "1")
if "TEST_DIR" not in os.environ:
    # Named in the environment, so that the servers that tests start find the same files.
    os.environ["TEST_DIR"] = tempfile.mkdtemp(prefix="yourtrumps-tests-")
    atexit.register(shutil.rmtree, os.environ["TEST_DIR"], ignore_errors=True)
TEST_DIR = Path(os.environ["TEST_DIR"])
os.environ.setdefault("VAR_DIR", str(TEST_DIR))
# Parallel runners share one Redis, and must not hear each other's messages.
RUNNER = os.environ.get("PYTEST_XDIST_WORKER", "")
os.environ["REDIS_PREFIX"] = f"{TEST_DIR.name}{RUNNER}"

from yourtrumps.settings import *  # noqa: E402, F403
from yourtrumps.settings import CACHES, DATABASES, LOGGING  # noqa: E402

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file: threads and processes that play at once must meet the locks that they meet in production.
    DATABASES["default"]["TEST"] = {"NAME": TEST_DIR / "tests.sqlite3"}
else:
    DATABASES["default"]["TEST"] = {"NAME": f"test_{TEST_DIR.name.replace('-', '_')}"}

if CACHES["default"]["BACKEND"] == "django.core.cache.backends.redis.RedisCache":
    CACHES["default"]["BACKEND"] = "tests.redis_cache.OwnKeysRedisCache"

# Hashing a password properly is slow on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGGING["root"]["level"] = "WARNING"

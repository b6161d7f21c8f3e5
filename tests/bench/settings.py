"""The project's settings on the benchmarks' own database, for the web server under test."""

import os

from deploy.settings import *  # noqa: F403
from deploy.settings import DATABASES

DATABASES["default"]["NAME"] = os.environ["POZZETTO_BENCH_DATABASE"]
# Players of flesh and blood are slower than a load generator.
POZZETTO_SOCKET_RATE = 1e6

"""What every test may use: real servers in a throw-away folder, and a browser."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.embedded import THROW_AWAY, Home, Servers
from tests.chromium import find_chromium

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")

# Settings are read once, and pytest-django reads them after this file: so the place of the servers
# is fixed here. The processes of one run share the folder; each has a database and a Valkey of
# its own.
if not WORKER:
    folder = Path(tempfile.mkdtemp(prefix="pozzetto-test-"))
    (folder / THROW_AWAY).touch()
    os.environ["POZZETTO_HOME"] = str(folder)
HOME = Home(Path(os.environ["POZZETTO_HOME"]).resolve())
VALKEY_NAME = f"valkey-{WORKER}" if WORKER else "valkey"
OWN_POSTGRES = not os.environ.get("DATABASE_URL")
OWN_VALKEY = WORKER or not os.environ.get("VALKEY_URL")
if OWN_VALKEY:
    os.environ["VALKEY_URL"] = HOME.valkey(VALKEY_NAME).url
os.environ["DJANGO_SETTINGS_MODULE"] = "deploy.settings"


@atexit.register
def remove_unused_folder() -> None:
    """A run that needed no servers leaves nothing; else their keeper cleans up after the last."""
    if not WORKER and not (HOME.run / "keeper").exists():
        shutil.rmtree(HOME.path, ignore_errors=True)


def pytest_configure() -> None:
    import django  # not before the settings above are in place

    django.setup()
    if not WORKER:
        # Workers inherit this environment, and would read their settings before this file.
        del os.environ["DJANGO_SETTINGS_MODULE"]


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """A real PostgreSQL and Valkey. Tests with a database have them anyway."""
    with Servers(
        HOME, postgres=OWN_POSTGRES, valkey=bool(OWN_VALKEY), valkey_name=VALKEY_NAME
    ) as running:
        yield running


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    servers: Servers, django_db_modify_db_settings_parallel_suffix: None
) -> None:
    """Has pytest-django make this process's database on those servers."""


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium for Playwright's `executable_path`."""
    if found := find_chromium():
        return found
    message = (
        "NO BROWSER: install chromium, or set POZZETTO_CHROMIUM to one. "
        "The pages were not tested in a browser."
    )
    if os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail(message)
    pytest.skip(message)

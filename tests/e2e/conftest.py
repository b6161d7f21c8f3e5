"""A demo of its own for each test: servers, worker, clock and web in a throw-away folder."""

from tests.deploy.conftest import home  # noqa: F401 — a fixture

"""What every answer carries, and the pages that belong to no app."""

import pytest

from deploy.middleware import POLICY


@pytest.mark.django_db
def test_health_is_told_when_the_database_and_valkey_answer(client):
    response = client.get("/health/")
    assert response.status_code == 200
    assert response.content == b"ok\n"


@pytest.mark.django_db
def test_every_answer_forbids_inline_scripts_and_frames(client):
    for address in ("/health/", "/admin/login/", "/no-such-page/"):
        headers = client.get(address).headers
        assert headers["Content-Security-Policy"] == POLICY
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
    assert "unsafe" not in POLICY
    assert "frame-ancestors 'none'" in POLICY


@pytest.mark.django_db
def test_anyone_may_read_how_the_api_is_called(client):
    response = client.get("/api/schema/")
    assert response.status_code == 200
    assert b"title: Pozzetto" in response.content

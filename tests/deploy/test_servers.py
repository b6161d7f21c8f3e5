import pytest
from django.core.cache import cache
from django.db import connection


@pytest.mark.django_db
def test_tests_run_on_postgresql_and_valkey():
    with connection.cursor() as cursor:
        cursor.execute("SELECT version()")
        assert cursor.fetchone()[0].startswith("PostgreSQL 18")
    cache.set("a", 1)
    assert cache.get("a") == 1

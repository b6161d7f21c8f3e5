"""Whether this process can do its work: for supervisors and proxies."""

from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse


def health(request: HttpRequest) -> HttpResponse:
    """Answer 200 when the database and Valkey answer; otherwise it is an error of the server."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    cache.set("health", 1, timeout=1)
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")

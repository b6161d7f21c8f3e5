"""All addresses of the site. Each audience's pages are listed by the app that makes them."""

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from deploy.health import health

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/schema/", SpectacularAPIView.as_view(), name="api-schema"),
    path("health/", health, name="health"),
    path("", include("frontend.urls")),
]

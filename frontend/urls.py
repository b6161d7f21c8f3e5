"""The addresses of the pages. Each view declares for whom it is (`frontend.audience`)."""

from django.urls import path

from frontend import views

urlpatterns = [
    path("", views.tables, name="home"),
    path("tables/", views.tables, name="tables"),
    path("tables/<str:public_id>/", views.table, name="table"),
    path("tables/<str:public_id>/replay/", views.replay, name="replay"),
    path("tables/<str:public_id>/events.json", views.events, name="events"),
    path("language/", views.choose_language, name="set_language"),
]

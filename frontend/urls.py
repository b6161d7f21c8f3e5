"""The addresses of the pages. Each view declares for whom it is (`frontend.audience`)."""

from django.urls import path

from frontend import accounts, devices, help_page, replays, seating, views

urlpatterns = [
    path("", seating.home, name="home"),
    path("practice/", seating.practice, name="practice"),
    path("play/", seating.play, name="play"),
    path("sit/<slug:public_id>/", seating.sit, name="sit"),
    path("sit/<slug:public_id>/take/", seating.take_seat, name="take_seat"),
    path("sit/<slug:public_id>/leave/", seating.leave_seat, name="leave_seat"),
    path("sit/<slug:public_id>/start/", seating.start_now, name="start_now"),
    path("sit/<slug:public_id>/call-off/", seating.call_off, name="call_off"),
    path("sit/<slug:public_id>/qr.svg", seating.qr_code, name="qr_code"),
    path("sign-in/", accounts.sign_in, name="login"),
    path("sign-out/", accounts.sign_out, name="logout"),
    path("another-device/", devices.another_device, name="another_device"),
    path("another-device/<str:code>/", devices.arrive, name="arrive"),
    path("another-device/<str:code>/go-on/", devices.go_on, name="go_on"),
    path("another-device/<str:code>/qr.svg", devices.device_code, name="device_code"),
    path("help/", help_page.player_help, name="help"),
    path("tables/", views.tables, name="tables"),
    path("tables/wall.json", views.wall, name="wall"),
    path("tables/<slug:public_id>/", views.table, name="table"),
    path("tables/<slug:public_id>/replay/", replays.replay, name="replay"),
    path("tables/<slug:public_id>/events.json", replays.events, name="events"),
    path("tables/<slug:public_id>/record.jsonl", replays.record, name="record"),
    path("tables/<slug:public_id>/verify/", replays.verify, name="verify"),
    path("embed/<slug:public_id>/", replays.embed, name="embed"),
    path("language/", views.choose_language, name="set_language"),
]

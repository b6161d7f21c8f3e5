"""Addresses as QR codes, for phones pointed at this screen. Imports Django and segno only."""

from io import BytesIO

import segno
from django.http import HttpResponse


def qr_picture(address: str) -> HttpResponse:
    """The code of an address as a picture."""
    code = segno.make(address, error="m")
    picture = BytesIO()
    # White around the code in every theme: readers of codes need the margin.
    code.save(picture, kind="svg", border=3, light="#fff", xmldecl=False, omitsize=True)
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")

"""Addresses as QR codes, for phones pointed at this screen. Imports Django and segno only."""

from io import BytesIO

import segno
from django.http import Http404, HttpResponse


def qr_picture(address: str) -> HttpResponse:
    """The code of an address as a picture; one that no code can hold is no address of ours."""
    try:
        code = segno.make(address, error="m")
    except segno.DataOverflowError:
        raise Http404("too long for a code") from None
    picture = BytesIO()
    # White around the code in every theme: readers of codes need the margin.
    code.save(picture, kind="svg", border=3, light="#fff", xmldecl=False, omitsize=True)
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")

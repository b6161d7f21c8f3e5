"""Signing in and out, in our own look. Who has no account needs none to play or to watch."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from frontend.audience import Audience, made_for
from frontend.limits import (
    QUARTER,
    TRIES_TO_SIGN_IN,
    TooOftenError,
    address_of,
    count,
    is_used_up,
)


class SignInForm(AuthenticationForm):
    """Name and password; after many wrong ones it waits."""

    error_messages = {
        "invalid_login": _("The name or the password is not right. Please try again."),
        "inactive": _("This account is closed."),
    }

    def clean(self) -> dict[str, Any]:
        address = address_of(self.request) if self.request else ""
        who = f"{address}:{self.cleaned_data.get('username', '').lower()}"
        if is_used_up("sign-in", who, most=TRIES_TO_SIGN_IN):
            raise _too_often()
        try:
            return super().clean()
        except ValidationError:
            try:
                count("sign-in", who, most=TRIES_TO_SIGN_IN, seconds=QUARTER)
            except TooOftenError:
                raise _too_often() from None
            raise


def _too_often() -> ValidationError:
    return ValidationError(
        _("That was wrong too often. Please try again in a quarter of an hour."), code="too_often"
    )


class SignIn(LoginView):
    template_name = "frontend/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True


sign_in = made_for(Audience.EVERYONE)(SignIn.as_view())
sign_out = made_for(Audience.EVERYONE)(LogoutView.as_view())

"""Guests: people who sit down by a name alone, known again by their browser's session.

A guest is a Person without club and without account. The session holds its opaque id; nobody else
learns of that from us. May import selectors and the models.
"""

import unicodedata

from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from tournaments import selectors
from tournaments.errors import refusal
from tournaments.models import Person, User
from tournaments.services import checked_name, link_account

LONGEST_NAME = 30
"""Characters of a name that fit beside a seat on a phone."""


def checked_guest_name(name: str) -> str:
    """The name as it is kept. Refused with `no_name`, `unprintable_name`, `name_too_long`."""
    name = checked_name(unicodedata.normalize("NFC", name))
    if not any(character.isalnum() for character in name):
        raise refusal("no_name", _("Write a name with at least one letter."), field="display_name")
    if len(name) > LONGEST_NAME:
        raise refusal(
            "name_too_long",
            _("This name is too long. Please use at most %(most)d letters.")
            % {"most": LONGEST_NAME},
            field="display_name",
        )
    return name


@transaction.atomic
def welcome(*, request: HttpRequest, name: str) -> Person:
    """Whoever asks, as a person who can sit down.

    Someone with an account plays under the name that the account's person has. A guest comes back
    as the same person, under the new name; anyone else becomes a guest, and the person of the
    account that is signed in, if there is one. Refused as `checked_guest_name` says.
    """
    known = selectors.person_of(request)
    if known is not None and known.account_id is not None:
        return known
    name = checked_guest_name(name)
    if known is not None:
        if known.display_name != name:
            known.display_name = name
            known.save(update_fields=["display_name"])
        return known
    guest = Person.objects.create(display_name=name)
    request.session[selectors.SESSION_KEY] = guest.public_id
    if isinstance(request.user, User):
        link_account(person=guest, account=request.user)
    return guest


@transaction.atomic
def adopt_guest(*, session: SessionBase, account: User) -> None:
    """Make the session's guest the person of an account that has none.

    Where the account has a person already that one plays from now on; what the guest sat down to
    in this session stays open to it (`selectors.people_of`).
    """
    if Person.objects.filter(account=account).exists():
        return
    guest = selectors.guest_of(session)
    if guest is not None and guest.account_id is None:
        link_account(person=guest, account=account)


def adopt_at_sign_in(sender: object, request: HttpRequest, user: User, **_kwargs: object) -> None:
    """Django's signal of a sign-in, as a call of `adopt_guest`."""
    session = getattr(request, "session", None)
    if session is not None:
        adopt_guest(session=session, account=user)


def listen() -> None:
    """Called once, when the apps are ready."""
    user_logged_in.connect(adopt_at_sign_in, dispatch_uid="tournaments.adopt_guest")

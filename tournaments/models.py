"""Clubs, people and pairs: who may play, and who may do what in which club.

May import Django and the pure rules. Never holds a rule of its own beyond what the database can
guarantee: services write these rows, selectors read them.
"""

from django.contrib.auth.models import AbstractUser
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """An account that signs in. Who it is at the table is a Person, which may have no account."""

    class Meta(AbstractUser.Meta):
        verbose_name = _("account")
        verbose_name_plural = _("accounts")

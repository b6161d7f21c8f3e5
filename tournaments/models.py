"""Clubs, people and pairs: who may play, and who may do what in which club.

May import Django. Never holds a rule beyond what the database itself can guarantee: services write
these rows, selectors read them.
"""

import secrets
import zoneinfo

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

_ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # base32 without i, l, o, u: safe to read aloud
_ID_LENGTH = 12


def new_public_id() -> str:
    """A fresh opaque id of a person: "p" and 60 random bits. It says nothing about who it is."""
    return "p" + "".join(secrets.choice(_ID_ALPHABET) for _index in range(_ID_LENGTH))


def validate_time_zone(value: str) -> None:
    """Refuse what is not an IANA zone such as `Europe/Rome`."""
    if value not in zoneinfo.available_timezones():
        raise ValidationError(
            _("“%(value)s” is not a time zone. Write it as in Europe/Rome."),
            code="unknown_time_zone",
            params={"value": value},
        )


class Language(models.TextChoices):
    SPANISH = "es", "Español"
    ITALIAN = "it", "Italiano"
    PORTUGUESE = "pt-br", "Português (Brasil)"
    ENGLISH = "en", "English"


class Role(models.TextChoices):
    """What a member may do in one club. A director may also help, and a helper may also play."""

    DIRECTOR = "director", _("director")
    HELPER = "helper", _("helper at the desk")
    PLAYER = "player", _("player")
    FORMER = "former", _("former member")


class User(AbstractUser):
    """An account that signs in. Who it is at the table is a Person, which may have no account."""

    class Meta(AbstractUser.Meta):
        verbose_name = _("account")  # type: ignore[assignment]  # Django's own is lazy too
        verbose_name_plural = _("accounts")  # type: ignore[assignment]


class Club(models.Model):
    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(
        _("address name"),
        max_length=60,
        unique=True,
        validators=[
            RegexValidator(
                r"\A[a-z0-9]+(-[a-z0-9]+)*\Z",
                _("Small letters, digits and single hyphens."),
                code="slug",
            )
        ],
        help_text=_("Short name used in web addresses: small letters, digits and hyphens."),
    )
    country = models.CharField(
        _("country"),
        max_length=2,
        validators=[
            RegexValidator(
                r"\A[A-Z]{2}\Z", _("Two capital letters, such as IT, AR or BR."), code="country"
            )
        ],
        help_text=_("Two letters, such as IT, AR or BR."),
    )
    language = models.CharField(_("language"), max_length=5, choices=Language)
    time_zone = models.CharField(
        _("time zone"),
        max_length=40,
        validators=[validate_time_zone],
        help_text=_("The club's own clock, such as Europe/Rome."),
    )

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Person(models.Model):
    """Someone who sits at tables.

    Events know the person by `public_id` alone, for ever; the name and the card live only in this
    row and can be erased. For that reason a person is anonymised and never deleted.
    """

    public_id = models.CharField(
        _("opaque id"), max_length=20, unique=True, default=new_public_id, editable=False
    )
    display_name = models.CharField(_("name"), max_length=80)
    account = models.OneToOneField(
        User,
        verbose_name=_("account"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="person",
    )
    federation = models.CharField(_("federation"), max_length=40, blank=True)
    card_number = models.CharField(_("card number"), max_length=40, blank=True)
    anonymised_at = models.DateTimeField(_("anonymised at"), null=True, editable=False)
    clubs = models.ManyToManyField(
        Club, verbose_name=_("clubs"), through="Membership", related_name="people"
    )

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ["display_name", "public_id"]

    def __str__(self) -> str:
        return self.display_name


class Membership(models.Model):
    """A person in a club. It ends by becoming `former`, so that a return is one change of role."""

    club = models.ForeignKey(
        Club, verbose_name=_("club"), on_delete=models.PROTECT, related_name="memberships"
    )
    person = models.ForeignKey(
        Person, verbose_name=_("person"), on_delete=models.PROTECT, related_name="memberships"
    )
    role = models.CharField(_("role"), max_length=10, choices=Role, default=Role.PLAYER)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        ordering = ["club__name", "person__display_name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "person"], name="membership_once_per_club")
        ]

    def __str__(self) -> str:
        return f"{self.person} · {self.club}"


class Pair(models.Model):
    """Two people who play together in a club.

    Kept with the smaller key first, so that one constraint makes the two distinct and the other
    makes the pair unique in either order.
    """

    club = models.ForeignKey(
        Club, verbose_name=_("club"), on_delete=models.PROTECT, related_name="pairs"
    )
    first = models.ForeignKey(
        Person, verbose_name=_("one player"), on_delete=models.PROTECT, related_name="+"
    )
    second = models.ForeignKey(
        Person, verbose_name=_("the other player"), on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = _("pair")
        verbose_name_plural = _("pairs")
        ordering = ["first__display_name", "second__display_name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(first__lt=models.F("second")), name="pair_of_two_in_order"
            ),
            models.UniqueConstraint(fields=["club", "first", "second"], name="pair_once_per_club"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Both names. Reads `first` and `second`: select them along when listing pairs."""
        return f"{self.first} – {self.second}"


class RuleProfile(models.Model):
    """One version of a club's own rules.

    `source` is the TOML as an officer wrote it, comments included; `body` is the whole profile read
    from it, and `digest` names that profile. A version that a game has used never changes.
    """

    club = models.ForeignKey(
        Club, verbose_name=_("club"), on_delete=models.PROTECT, related_name="rule_profiles"
    )
    profile_id = models.SlugField(_("profile id"), max_length=60)
    version = models.PositiveIntegerField(_("version"))
    source = models.TextField(_("rules"))
    body = models.JSONField(_("profile"))
    digest = models.CharField(_("digest"), max_length=64, db_index=True)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("rule profile")
        verbose_name_plural = _("rule profiles")
        ordering = ["club__name", "profile_id", "-version"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "profile_id", "version"], name="rule_profile_version_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.profile_id} v{self.version}"

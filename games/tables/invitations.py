"""A table with friends before it plays: invite, sit down, stand up, start, call off.

Each service takes the invitation's row with a lock, so that of two who want one seat at once the
first has it and the other is told. Doing the same again changes nothing. Imports the tables'
services; knows people as opaque references only.
"""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.rules import events as ev
from games.rules import match
from games.rules.profile import Profile, parse_profile, profile_to_builtins
from games.rules.shuffle import commitment
from games.tables.models import Game, Invitation
from games.tables.outcomes import TableError
from games.tables.services import BOT, LONGEST_DELAY, check_holder, open_table

BOT_THAT_FILLS = "bot:sensible"


@transaction.atomic
def invite(
    *,
    profile: Profile,
    seats: int,
    host: str,
    target: int | None = None,
    deals: int = 0,
    move_seconds: int = 0,
    bank_seconds: int = 0,
    delay_seconds: int = 0,
    club: int | None = None,
    command_id: str | None = None,
) -> Invitation:
    """Lay a table to which the host asks others; the host has its first seat.

    How long the match is, its clock and the spectators' delay are those of `services.open_table`.
    Raises `TableError`: what could not be opened is not offered either.
    """
    if command_id is not None:
        known = Invitation.objects.filter(command=command_id).first()
        if known is not None:
            return known
    _check_person(host)
    if target is None:
        target = 0 if deals else profile.target
    _check_offer(profile, seats, ev.MatchFormat(target, deals, move_seconds, bank_seconds))
    if not 0 <= delay_seconds <= LONGEST_DELAY:
        raise TableError("delay-unsound", f"spectators may be {LONGEST_DELAY} seconds behind")
    try:
        with transaction.atomic():
            return Invitation.objects.create(
                club=club,
                host=host,
                profile=profile_to_builtins(profile),
                profile_name=profile.name,
                holders=[host] + [None] * (seats - 1),
                target=target,
                deals=deals,
                move_seconds=move_seconds,
                bank_seconds=bank_seconds,
                delay_seconds=delay_seconds,
                command=command_id,
            )
    except IntegrityError:
        # The same command from two sides at once: the other one was first.
        first = command_id and Invitation.objects.filter(command=command_id).first()
        if not first:
            raise
        return first


@transaction.atomic
def sit_down(*, public_id: str, seat: int, person: str) -> Invitation:
    """Take a free seat; who sits elsewhere at this table moves there. The last one starts the game.

    Raises `TableError`: `no-such-invitation`, `invitation-closed`, `no-such-seat`, `seat-taken`,
    `no-such-holder`.
    """
    _check_person(person)
    invitation = _locked(public_id)
    holders = invitation.holders
    if 0 <= seat < len(holders) and holders[seat] == person:
        return invitation
    _check_open(invitation)
    if not 0 <= seat < len(holders):
        raise TableError("no-such-seat", f"there is no seat {seat}")
    if holders[seat] is not None:
        raise TableError("seat-taken", f"seat {seat} is taken")
    invitation.holders = [None if holder == person else holder for holder in holders]
    invitation.holders[seat] = person
    if None not in invitation.holders:
        _start(invitation, by=person)
    invitation.save()
    return invitation


@transaction.atomic
def stand_up(*, public_id: str, person: str) -> Invitation:
    """Give the own seat back. Raises `TableError` (`no-such-invitation`, `invitation-closed`)."""
    invitation = _locked(public_id)
    if person not in invitation.holders:
        return invitation
    _check_open(invitation)
    invitation.holders = [None if holder == person else holder for holder in invitation.holders]
    invitation.save(update_fields=["holders"])
    return invitation


@transaction.atomic
def start_invited(*, public_id: str, by: str, fill_with_bots: bool = True) -> Invitation:
    """Start now, with bots on the seats that are free; who sits there, or the host, may say so.

    Raises `TableError`: `no-such-invitation`, `invitation-closed`, `not-invited` (sits here
    nowhere), `nobody-seated`, `seats-free` (and no bots wanted).
    """
    invitation = _locked(public_id)
    if by != invitation.host and by not in invitation.holders:
        raise TableError("not-invited", "only those who sit at the table start it")
    if invitation.status == Invitation.Status.STARTED:
        return invitation
    _check_open(invitation)
    if not any(invitation.holders):
        raise TableError("nobody-seated", "nobody sits at the table")
    if None in invitation.holders and not fill_with_bots:
        raise TableError("seats-free", "there are free seats")
    invitation.holders = [holder or BOT_THAT_FILLS for holder in invitation.holders]
    _start(invitation, by=by)
    invitation.save()
    return invitation


@transaction.atomic
def cancel_invitation(*, public_id: str, by: str) -> Invitation:
    """Call it off; the host may. Raises `TableError` (`not-the-host`, `invitation-closed`, …)."""
    invitation = _locked(public_id)
    if by != invitation.host:
        raise TableError("not-the-host", "only who invited calls it off")
    if invitation.status == Invitation.Status.CANCELLED:
        return invitation
    _check_open(invitation)
    invitation.status = Invitation.Status.CANCELLED
    invitation.save(update_fields=["status"])
    return invitation


def expire_invitations(*, now: datetime | None = None) -> int:
    """Close the invitations whose time is over; how many those were."""
    due = Invitation.objects.filter(
        status=Invitation.Status.OPEN, expires_at__lte=now or timezone.now()
    )
    return due.update(status=Invitation.Status.EXPIRED)


def invitation_of(public_id: str) -> Invitation:
    """An invitation as it stands. Raises `TableError` (`no-such-invitation`)."""
    found = Invitation.objects.select_related("game").filter(public_id=public_id).first()
    if found is None:
        raise TableError("no-such-invitation", f"there is no invitation {public_id!r}")
    return found


def is_open(invitation: Invitation) -> bool:
    """Whether one may still sit down: past its time it is closed, swept already or not."""
    return invitation.status == Invitation.Status.OPEN and invitation.expires_at > timezone.now()


def _locked(public_id: str) -> Invitation:
    invitation_of(public_id)
    return Invitation.objects.select_for_update().get(public_id=public_id)


def _check_open(invitation: Invitation) -> None:
    if not is_open(invitation):
        raise TableError("invitation-closed", "this table is not open any more")


def _check_person(reference: str) -> None:
    check_holder(reference)
    if reference.startswith(BOT):
        raise TableError("no-such-holder", "a bot does not sit down by itself")


def _check_offer(profile: Profile, seats: int, format_: ev.MatchFormat) -> None:
    """Ask the rules whether such a game could be opened."""
    try:
        match.open_game(profile, seats, format_, ("p0",) * seats, commitment(bytes(64)))
    except match.MatchError as fault:
        raise TableError(fault.code, str(fault)) from None


def _start(invitation: Invitation, *, by: str) -> Game:
    game = open_table(
        profile=parse_profile(invitation.profile),
        holders=invitation.holders,
        by=by,
        target=invitation.target,
        deals=invitation.deals,
        move_seconds=invitation.move_seconds,
        bank_seconds=invitation.bank_seconds,
        delay_seconds=invitation.delay_seconds,
        club=invitation.club,
        command_id=f"invitation:{invitation.public_id}",
    )
    invitation.game, invitation.status = game, Invitation.Status.STARTED
    return game

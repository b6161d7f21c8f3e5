"""Who may do what, from the roles an account holds. Pure: reads no database, changes nothing.

Directors manage their club; helpers run its desk (people and pairs); nobody sees another club.
A superuser stands above clubs. Everything here is a question about one `Standing`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournaments.models import Role

DESK = frozenset({Role.DIRECTOR, Role.HELPER})


@dataclass(frozen=True, slots=True)
class Standing:
    """What one account may do: its role in each club, by the club's key."""

    roles: Mapping[int, Role]
    is_superuser: bool = False

    @property
    def desk_clubs(self) -> frozenset[int]:
        """The clubs whose people and pairs the account may see and change."""
        return frozenset(club for club, role in self.roles.items() if role in DESK)

    @property
    def managed_clubs(self) -> frozenset[int]:
        """The clubs whose settings, roles and rules the account may change."""
        return frozenset(club for club, role in self.roles.items() if role is Role.DIRECTOR)

    def is_officer(self) -> bool:
        return self.is_superuser or bool(self.desk_clubs)

    def is_director(self) -> bool:
        return self.is_superuser or bool(self.managed_clubs)

    def works_desk_of(self, club: int) -> bool:
        return self.is_superuser or club in self.desk_clubs

    def manages(self, club: int) -> bool:
        return self.is_superuser or club in self.managed_clubs

    def may_grant(self, role: Role, club: int) -> bool:
        """A helper enrols players; who directs or helps is for a director to say."""
        return self.manages(club) or (role is Role.PLAYER and self.works_desk_of(club))

    def manages_all(self, clubs: Iterable[int]) -> bool:
        """For what touches every club of a person at once, such as erasing the name."""
        return self.is_superuser or self.managed_clubs.issuperset(clubs)

#!/usr/bin/env python
"""Runs Pozzetto's commands, and the embedded servers for those that need a database."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# These read no database, so they start none (`record export` does read one).
WITHOUT_SERVERS = {
    "check",
    "collectstatic",
    "compilemessages",
    "help",
    "makemessages",
    "makemigrations",
    "position",
    "simulate",
    "spectacular",
    "version",
}


def needs_servers(arguments: list[str]) -> bool:
    """Whether the command in these arguments (without the program's name) uses the servers."""
    if not arguments or arguments[0].startswith("-") or {"-h", "--help"} & set(arguments):
        return False
    if arguments[0] == "check":
        return "--database" in arguments
    if arguments[0] == "record":
        return "verify" not in arguments[1:2]
    return arguments[0] not in WITHOUT_SERVERS


@contextmanager
def ended_quietly() -> Iterator[None]:
    """Ctrl-C, or a reader such as `head` that has read enough, is an end and no fault of ours."""
    try:
        yield
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    except BrokenPipeError:
        # What is left to write goes nowhere, or Python complains once more on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(128 + signal.SIGPIPE)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    arguments = sys.argv[1:]
    if not needs_servers(arguments):
        # Settings then have no database, so that a mistake in the list above shows at once.
        os.environ.setdefault("POZZETTO_WITHOUT_SERVERS", "1")

    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from environs import EnvError

    from deploy.embedded import EmbeddedError, Servers

    try:
        settings.DEBUG  # noqa: B018 (reads the settings, which may refuse before anything starts)
    except (ImproperlyConfigured, EmbeddedError, EnvError) as error:
        sys.exit(f"Pozzetto cannot start. {error}")

    if not needs_servers(arguments):
        with ended_quietly():
            execute_from_command_line(sys.argv)
        return

    servers = Servers.from_environment()
    with ended_quietly():
        try:
            servers.start()
            execute_from_command_line(sys.argv)
        except EmbeddedError as error:
            sys.exit(f"Pozzetto cannot start. {error}")
        finally:
            servers.close()
            servers.wait_until_stopped()


if __name__ == "__main__":
    main()

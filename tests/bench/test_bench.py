"""The command measures, compares and writes its report. How fast anything is, no test says."""

from __future__ import annotations

import json
import socket
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.bench.compare import Comparison, Contender, MissingPeerError, measure
from tests.bench.machine import Server, free_port


def told(sentence: str) -> None:
    """Nobody listens."""


def gone() -> float:
    raise MissingPeerError("it is not here")


def test_a_run_prints_a_table_and_writes_the_same_as_json(tmp_path):
    out, path = StringIO(), tmp_path / "report.json"
    options = {"only": "desk", "rounds": 2, "seconds": 0.02, "json": str(path)}
    call_command("bench", **options, stdout=out, stderr=StringIO())
    report = json.loads(path.read_text())
    rows = {row["key"]: row for row in report["rows"]}
    assert set(rows) == {"position/command", "position/library"}
    command = rows["position/command"]["ours"]
    assert len(command["values"]) == 2
    assert command["goal"] == 2000
    assert command["verdict"] in {"met", "short"}
    assert all(len(row["others"]) == 2 for row in report["rows"])
    assert "manage.py position" in out.getvalue()


def test_a_peer_that_is_not_there_is_said_to_be_missing(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.bench.peers.find_spec", lambda name: None)
    err, path = StringIO(), tmp_path / "report.json"
    options = {"only": "play", "rounds": 1, "seconds": 0.001, "json": str(path)}
    call_command("bench", **options, stdout=StringIO(), stderr=err)
    assert "NOT MEASURED: RLCard" in err.getvalue()
    for row in json.loads(path.read_text())["rows"]:
        assert row["ours"]["median"] > 0
        assert {peer["verdict"] for peer in row["peers"]} == {"not measured"}


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(CommandError, match=r"no benchmark speed.*play"):
        call_command("bench", only="speed")


def row_of(ours: list[float], peer: list[float], *, goal: float, smaller: bool = False):
    mine, theirs = iter(ours), iter(peer)
    comparison = Comparison(
        "key",
        "title",
        "unit",
        Contender("ours", lambda: next(mine)),
        (Contender("peer", lambda: next(theirs), goal), Contender("gone", gone, goal)),
        smaller=smaller,
    )
    return measure(comparison, len(ours), tell=told)


def test_ratios_are_taken_within_a_round_and_their_median_counts():
    row = row_of([10.0, 1.0, 30.0], [5.0, 0.25, 10.0], goal=3.0)
    peer, missing = row.peers
    assert peer.ratios == [2.0, 4.0, 3.0]
    assert (peer.ratio, peer.verdict) == (3.0, "met")
    assert (row.ours.median, peer.median) == (10.0, 5.0)
    assert (missing.ratio, missing.verdict, missing.missing) == (
        None,
        "not measured",
        "it is not here",
    )


@pytest.mark.parametrize(("goal", "verdict"), [(0.6, "met"), (0.4, "short")])
def test_where_less_is_better_a_ratio_must_not_exceed_its_goal(goal, verdict):
    row = row_of([5.0], [10.0], goal=goal, smaller=True)
    assert row.peers[0].verdict == verdict


def test_a_server_under_test_takes_its_children_along(tmp_path):
    port = free_port()
    serve = f"import http.server as h; h.test(port={port}, bind='127.0.0.1')"
    wrapper = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {serve!r}])"
    command = [sys.executable, "-c", wrapper]
    with Server(command, port=port, environment={}, log=tmp_path / "log"):
        socket.create_connection(("127.0.0.1", port), 1).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 1)

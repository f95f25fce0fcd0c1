"""Engines drive a crowd through a local socket; bad ones lose their connection, not the crowd."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from agents.conftest import DT, wall
from references.discs import Discs
from surefoot.agents import Crowd, CrowdSettings, Recording
from surefoot.agents.serving import VERSION, CrowdServer
from surefoot.errors import InputError


class Client:
    """What an engine needs: nothing but sockets, JSON and arrays."""

    def __init__(self, port: int, *, hello: bool = True) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20.0)
        if hello:
            assert self.ask({"crowd": VERSION})[0]["ok"]

    def send(self, message) -> None:
        text = json.dumps(message).encode()
        self.socket.sendall(struct.pack("<II", len(text), 0) + text)

    def take(self):
        sizes = struct.unpack("<II", self._exactly(8))
        message = json.loads(self._exactly(sizes[0]))
        data, arrays, at = self._exactly(sizes[1]), {}, 0
        for each in message.get("arrays", []):
            dtype = np.dtype(each["dtype"]).newbyteorder("<")
            count = int(np.prod(each["shape"]))
            arrays[each["name"]] = np.frombuffer(data, dtype, count, at).reshape(each["shape"])
            at += count * dtype.itemsize
        return message, arrays

    def ask(self, message):
        self.send(message)
        return self.take()

    def closed(self) -> bool:
        try:
            while self.socket.recv(1 << 16):
                continue
        except ConnectionError:
            return True
        return True

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            assert part, "the server closed the connection"
            data += part
        return data


@pytest.fixture
def crowd(floor) -> Crowd:
    floor.add(wall("wall", 0.0, 8.0))
    return Crowd(
        floor,
        planner=Discs,
        settings=CrowdSettings(nodes=60, least_nodes=20, frame_nodes=200, horizon=5),
    )


@pytest.fixture
def server(crowd):
    # Longer than a loaded machine takes for anything.
    with CrowdServer(crowd, patience=60.0) as server:
        yield server


@pytest.fixture
def impatient(crowd):
    with CrowdServer(crowd, patience=1.0) as server:
        yield server


def test_an_engine_drives_a_crowd(server, crowd):
    client = Client(server.port)
    first, _ = client.ask({"do": "add", "position": [-2, 0, 0], "goal": [2, 0, 0]})
    second, _ = client.ask({"do": "add", "position": [2, 1, 0], "character": "child"})
    assert (first["agent"], second["agent"]) == (0, 1)
    assert client.ask({"do": "goal", "agent": 1, "position": [-2, 1, 0], "tolerance": 0.4})[0]["ok"]
    arrived: list[int] = []
    for _ in range(60):
        reply, arrays = client.ask({"do": "step", "dt": DT})
        arrived = reply["arrived"]
        assert arrays["agents"].tolist() == [0, 1]
        assert arrays["root"].shape == (2, 3)
        assert arrays["rotations"].shape == (2, len(crowd.character(0).skeleton), 4)
        if len(arrived) == 2:
            break
    assert arrived == [0, 1]
    assert reply["t"] == crowd.t
    assert np.array_equal(arrays["spots"], crowd.spots()[0])
    plan, arrays = client.ask({"do": "plan", "agent": 0})
    assert plan["reached"]
    assert np.allclose(arrays["spots"][-1, :2], [2.0, 0.0], atol=0.25)
    client.send({"do": "bye"})
    assert client.closed()


def test_poses_come_in_and_plans_react(server, crowd):
    client = Client(server.port)
    client.ask({"do": "add", "position": [-3, 0, 0], "goal": [3, 0, 0]})
    client.ask({"do": "step", "dt": DT, "poses": False})
    for y in np.linspace(8.0, 0.0, 5).tolist():
        sight = {"do": "observe", "body": "wall", "position": [0, y, 1], "velocity": [0, 0, 0]}
        assert client.ask(sight)[0]["ok"]
        reply, arrays = client.ask({"do": "step", "dt": DT, "poses": False})
        assert "root" not in arrays
    assert reply["events"]["collision ahead"] > 0
    assert crowd.world["wall"].trajectory.pose(crowd.t).position[1] == 0.0


def test_an_engine_says_where_its_cameras_are(server, crowd):
    client = Client(server.port)
    assert client.ask({"do": "view", "positions": [[1, 2, 3], [4, 5, 6]]})[0]["ok"]
    assert crowd.viewers.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert client.ask({"do": "view", "positions": []})[0]["ok"]
    assert len(crowd.viewers) == 0


def test_a_driven_run_is_recorded_and_replays(server, crowd, tmp_path):
    client = Client(server.port)
    client.ask({"do": "add", "position": [-2, 0, 0], "goal": [2, 0, 0]})
    for _ in range(5):
        client.ask({"do": "step", "dt": DT})
    _, arrays = client.ask({"do": "recording"})
    path = tmp_path / "run.json"
    path.write_bytes(arrays["recording"].tobytes())
    *_, again = Recording.load(path).replay(Discs)
    assert again.digest == crowd.digest


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ({"do": "dance"}, "unknown request 'dance'; there are: add, goal"),
        ({}, "unknown request 'None'"),
        ({"do": "add"}, "position must be three numbers"),
        ({"do": "add", "position": [1, 2]}, "position must be three numbers"),
        ({"do": "add", "position": [0, 0, "up"]}, "position must be numbers"),
        ({"do": "add", "position": [900, 0, 0]}, "mid-air"),
        ({"do": "add", "position": [0, 0, 0], "character": "dog"}, "unknown character 'dog'"),
        ({"do": "add", "position": [0, 0, 0], "character": []}, "unknown character"),
        ({"do": "add", "position": [0, 0, 0], "height": -1}, "height must be at least 0.3"),
        ({"do": "goal", "agent": 7, "position": [0, 0, 0]}, "unknown agent 7"),
        ({"do": "goal", "agent": "x", "position": [0, 0, 0]}, "agent must be a whole number"),
        ({"do": "remove", "agent": True}, "agent must be a whole number"),
        ({"do": "plan", "agent": 3}, "unknown agent 3"),
        ({"do": "step"}, "dt must be a number"),
        ({"do": "step", "dt": -1}, "dt must be greater than 0"),
        ({"do": "step", "dt": 1e9}, "dt must be at most 10"),
        ({"do": "observe", "body": "moon", "position": [0, 0, 0]}, "unknown body 'moon'"),
        ({"do": "observe", "body": "wall", "position": [0, 0, 0], "rotation": [0, 0]}, "rotation"),
        ({"do": "view"}, "positions must be a list"),
        ({"do": "view", "positions": [[0, 0]]}, "position must be three numbers"),
        ({"do": "view", "positions": [[0, 0, 0]] * 100}, "at most 64 points"),
    ],
)
def test_wrong_requests_are_answered_and_the_connection_goes_on(server, request_, error):
    client = Client(server.port)
    reply, _ = client.ask(request_)
    assert not reply["ok"]
    assert error in reply["error"]
    assert client.ask({"do": "state"})[0]["ok"]


def test_garbage_loses_its_connection_and_not_the_crowd(server):
    for garbage in (
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        # What a web page can make a browser send: the body never gets to be a message.
        b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n" + struct.pack("<II", 11, 0) + b'{"crowd":1}',
        struct.pack("<II", 1 << 31, 0),
        struct.pack("<II", 10, 99),
        struct.pack("<II", 4, 0) + b"nope",
        struct.pack("<II", 4, 0) + b"[[[[",
        struct.pack("<II", 2, 0) + b"[]",
        struct.pack("<II", 11, 0) + b'{"crowd":1.',
        struct.pack("<II", 100_000, 0) + b"[" * 100_000,
        struct.pack("<II", 0, 0),
    ):
        client = Client(server.port, hello=False)
        client.socket.sendall(garbage)
        reply, _ = client.take()
        assert not reply["ok"]
        assert client.closed()
    # Also in the middle of a talk.
    client = Client(server.port)
    client.socket.sendall(b"\xff" * 64)
    reply, _ = client.take()
    assert "a message begins with its lengths" in reply["error"]
    assert client.closed()
    assert Client(server.port).ask({"do": "state"})[0]["ok"]


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(some.binary(min_size=1, max_size=40))
def test_no_bytes_harm_the_server(server, junk):
    client = Client(server.port, hello=False)
    client.socket.sendall(junk)
    with contextlib.suppress(OSError):  # where the server was quicker
        client.socket.shutdown(socket.SHUT_WR)
    assert client.closed()
    client = Client(server.port)
    client.send({"do": "bye"})
    assert client.closed()


def test_another_version_is_sent_away(server):
    for hello in ({"crowd": 99}, {"crowd": True}, {"do": "step", "dt": 0.1}):
        client = Client(server.port, hello=False)
        reply, _ = client.ask(hello)
        assert "speaks version 1" in reply["error"]
        assert client.closed()


def test_a_second_client_is_told_that_somebody_drives(server):
    first = Client(server.port)
    second = Client(server.port, hello=False)
    reply, _ = second.ask({"crowd": VERSION})
    assert "another client" in reply["error"]
    assert first.ask({"do": "state"})[0]["ok"]


def test_a_client_that_stops_reading_loses_its_connection(impatient, crowd, adult):
    for x in range(-6, 7):
        for y in range(-7, 5):
            crowd.add(adult, (float(x), float(y), 0.0))
    stalled = Client(impatient.port)
    stalled.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    # Asks and asks, and never reads an answer; until nothing can be sent either.
    stalled.socket.settimeout(0.2)

    def ask_for_ever() -> None:
        while True:
            stalled.send({"do": "state"})

    with pytest.raises(OSError, match=r"timed out|reset|pipe"):
        ask_for_ever()
    # The next one is served as soon as the server has lost patience.
    for _ in range(1000):
        client = Client(impatient.port, hello=False)
        reply, _ = client.ask({"crowd": VERSION})
        if reply["ok"]:
            break
        assert client.closed()
        time.sleep(0.05)
    assert client.ask({"do": "state"})[0]["ok"]


def test_a_message_that_never_ends_is_given_up(impatient):
    stalled = Client(impatient.port)
    stalled.socket.sendall(struct.pack("<II", 100, 0) + b'{"do":')
    assert stalled.closed()
    assert Client(impatient.port).ask({"do": "state"})[0]["ok"]


def test_nothing_but_this_machine_can_reach_it(crowd):
    for host in ("0.0.0.0", "::", "192.168.0.7", "example.org", ""):
        with pytest.raises(InputError, match="loopback"):
            CrowdServer(crowd, host=host)
    with pytest.raises(InputError, match="port"):
        CrowdServer(crowd, port=99999)

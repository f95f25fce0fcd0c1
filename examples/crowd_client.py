"""A client of the crowd protocol, as an engine would write it: sockets, JSON and arrays alone.

Start a server, then the client:

    surefoot crowd corridor --serve 7700
    python examples/crowd_client.py 7700
"""

from __future__ import annotations

import json
import socket
import struct
import sys
from typing import Any

import numpy as np

VERSION = 1


class CrowdClient:
    """Talks to a crowd server on this machine."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30.0)
        self.ask(crowd=VERSION)

    def ask(self, **message: Any) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Sends a message; gives the answer and its arrays, or raises what the server says."""
        text = json.dumps(message).encode()
        self._socket.sendall(struct.pack("<II", len(text), 0) + text)
        text_size, data_size = struct.unpack("<II", self._exactly(8))
        reply = json.loads(self._exactly(text_size))
        data, arrays, start = self._exactly(data_size), {}, 0
        for entry in reply.pop("arrays", []):
            kind = np.dtype(entry["dtype"]).newbyteorder("<")
            count = int(np.prod(entry["shape"]))
            array = np.frombuffer(data, kind, count, start)
            arrays[entry["name"]] = array.reshape(entry["shape"])
            start += count * kind.itemsize
        if not reply["ok"]:
            raise RuntimeError(reply["error"])
        return reply, arrays

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self._socket.recv(size - len(data))
            if not part:
                raise ConnectionError("the server has gone")
            data += part
        return data


def main(port: int, frames: int = 300) -> None:
    client = CrowdClient(port)
    _, arrays = client.ask(do="state", poses=False)
    print(f"{len(arrays['agents'])} agents are there")
    for _ in range(frames):
        reply, arrays = client.ask(do="step", dt=1 / 60)
        # An engine would now set its skeletons to arrays["root"] and arrays["rotations"].
    for agent, spot in zip(arrays["agents"][:5], arrays["spots"][:5], strict=True):
        plan, _ = client.ask(do="plan", agent=int(agent))
        steps = len(plan["footsteps"])
        print(f"agent {agent} at {spot.round(2).tolist()}, {steps} footsteps planned")
    print(f"{reply['t']:.2f} s, {len(reply['arrived'])} at their goals")


if __name__ == "__main__":
    main(int(sys.argv[1]))

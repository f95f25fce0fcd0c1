"""Processes that hear Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


def _listen() -> None:
    # A shell has its background jobs ignore Ctrl-C, and children inherit that.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def interruptible(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    """Runs a command that SIGINT reaches; it does not outlive the block."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdout=pipe, stderr=pipe, text=True, preexec_fn=_listen
    ) as process:
        try:
            yield process
        finally:
            process.kill()

"""The machine that numbers come from."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Machine:
    """What a reader must know to judge a number.

    Attributes:
        cpu: model name.
        cores: that this process may use.
        system: operating system.
        python: version.
        busy: processes that wanted a core during the last minute, on average; -1 if unknown.
        packages: versions of surefoot, numpy and the peers.
    """

    cpu: str
    cores: int
    system: str
    python: str
    busy: float
    packages: dict[str, str]

    @classmethod
    def this(cls, packages: Iterable[str]) -> Machine:
        """The machine we are on, with the versions of the packages that are installed."""
        return cls(
            cpu=_cpu(),
            cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else _count(),
            system=f"{platform.system()} {platform.machine()}",
            python=platform.python_version(),
            busy=round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else -1.0,
            packages={name: version for name in packages if (version := _version(name))},
        )

    def sentence(self) -> str:
        """One line."""
        packages = ", ".join(f"{name} {version}" for name, version in self.packages.items())
        return (
            f"{self.cpu}, {self.cores} cores (load {self.busy:g} at the start), {self.system}, "
            f"Python {self.python}, {packages}"
        )


def _count() -> int:
    return os.cpu_count() or 1


def _cpu() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""

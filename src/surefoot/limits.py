"""The largest quantities that surefoot takes; every reader and constructor refuses larger ones.

The limits lie far beyond any level, so that a number past one is a slip or a damaged file, and
close enough to zero that arithmetic on numbers within them neither overflows nor loses what
matters. `arrays` checks them; docs/limits.md lists them for users. Those that native code checks
too are defined there (native/math/limits.hpp).
"""

from __future__ import annotations

from typing import Final

from surefoot import _native

MAX_COORDINATE: Final = _native.MAX_COORDINATE
"""[m] 1e7, of a position, from the origin of its frame. Neighbouring doubles are 2e-9 m apart
there, a millionth of what footsteps are held to; at 1e10 m they are 2e-6 m apart and planes through
three points begin to miss them. Cells of 2 cm number 1e9 from end to end, which 32-bit integers
hold."""

MAX_SIZE: Final = _native.MAX_SIZE
"""[m] 1e7, of a length, a radius, a tolerance: nothing is larger than the space there is."""

MAX_TIME: Final = _native.MAX_TIME
"""[s] 1e9, from time zero: 31 years. Neighbouring doubles are 1.2e-7 s apart there, an eighth of
the finest tolerance of a query (`world.asking.FINEST`)."""

MAX_NUMBER: Final = 1e15
"""Of any other quantity (a speed, a stiffness, a cost), in its unit. Doubles hold all whole numbers
up to 9e15; products of twenty such numbers stay finite."""

MAX_COUNT: Final = 10_000_000
"""Of things that one value makes, such as sides of a cylinder, agents, or repetitions. Indices of
three times as many fit into 32 bits."""

MAX_INTEGER: Final = 2**31 - 1
"""What native integers hold: of threads, nodes of a search and other whole numbers in settings."""

MAX_SAMPLES: Final = 1_000_000
"""Of one motion, plan or animation: 9 hours at 30 a second. A million poses of a character with 20
joints take 1.1 GB; verifying a plan at a million moments takes 20 s."""

MAX_EXPANSION: Final = 200
"""Times its own size that may be decoded from a compressed file. Libraries of motion hold 3 times
theirs, learned controllers 50; made to harm, a file could hold 1,000 times its size in zeros."""

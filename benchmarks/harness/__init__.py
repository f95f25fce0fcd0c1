"""What every benchmark uses: interleaved timing, rows, claims, a report and a picture.

A benchmark times contenders with `bench.measure(title, {name: Work(run, count)})`, records what it
counted with `bench.record(...)`, and holds ratios of what it got back against targets with
`bench.claim(text, rates["surefoot"] / rates["python-fcl"], at_least=20)`.
"""

from benchmarks.harness.bench import Bench, Rates, Work
from benchmarks.harness.figures import Claim, Measured, Row

__all__ = ["Bench", "Claim", "Measured", "Rates", "Row", "Work"]

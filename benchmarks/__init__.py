"""One file for each claim about speed: `surefoot bench NAME`.

A file here has a docstring whose first line says what it measures, `PEERS` (import names of what
it measures beside), and `run(bench)`. What several share lies in the folders.
"""

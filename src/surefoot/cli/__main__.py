"""`python -m surefoot.cli`, where the `surefoot` script is not on the path."""

from surefoot.cli import main

raise SystemExit(main())

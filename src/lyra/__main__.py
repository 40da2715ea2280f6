"""`python -m lyra`: the same as the `lyra` command."""

import sys

from lyra.interfaces.cli.entry import run

if __name__ == "__main__":
    sys.exit(run())

"""Copy the better of several trained students, judged on the hold-out slices alone."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path


def main() -> None:
    """Compare `selection` in every scores.json and copy the winner's files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    finished = [run for run in args.runs if (run / "scores.json").exists()]
    done = {run: json.loads((run / "scores.json").read_text())["selection"] for run in finished}
    for run, value in done.items():
        print(run.name, round(value, 4))
    best = max(done, key=lambda run: done[run])
    shutil.copytree(best, args.out, dirs_exist_ok=True)
    print("chosen:", best.name)


if __name__ == "__main__":
    main()

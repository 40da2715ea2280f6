"""Writes irrcac-reference.json: what irrCAC 0.4.4 says of the random tables.

irrCAC pins a scipy that is older than the one Lyra's tools use, so it cannot be installed beside them; its values are
recorded instead. To record them anew: an environment of its own with irrCAC, then
`python tests/cases/irrcac_reference.py` from the root of the project.
"""

import json
import sys
from importlib import import_module
from pathlib import Path

TABLES = 200
HERE = Path(__file__).parent


def main() -> None:
    """Compute and write all values."""
    sys.path.insert(0, str(HERE))
    # There only where the values are recorded.
    pandas, irrcac = import_module("pandas"), import_module("irrCAC.raw")
    random_table = import_module("random_ratings").random_table

    recorded = []
    for seed in range(TABLES):
        frame = pandas.DataFrame(random_table(seed), dtype="float64")
        plain = irrcac.CAC(frame, digits=15)
        values = {"ac1": plain.gwet(), "fleiss": plain.fleiss(), "alpha_nominal": plain.krippendorff()}
        for weighting in ("linear", "quadratic", "ordinal"):
            values[f"ac2_{weighting}"] = irrcac.CAC(frame, weights=weighting, digits=15).gwet()
        values["alpha_interval"] = irrcac.CAC(frame, weights="quadratic", digits=15).krippendorff()
        recorded.append({name: float(answer["est"]["coefficient_value"]) for name, answer in values.items()})
    (HERE / "irrcac-reference.json").write_text(json.dumps(recorded, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

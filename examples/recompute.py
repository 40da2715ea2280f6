"""Compute every number of a Lyra bundle again, from the judgements in it, and compare.

    python recompute.py BUNDLE

BUNDLE is a zip or a folder that `lyra materials TASK --format rocrate --out BUNDLE` wrote. Nothing of Lyra is imported:
the formulas below are written from their definition. Ends with 0 if all numbers agree, 1 if one does not, 2 if BUNDLE
cannot be read.
"""

import hashlib
import json
import math
import re
import sys
import unicodedata
import zipfile
from pathlib import Path

TOLERANCE = 1e-9
# Quantiles are found by two different methods, each exact to about this.
INTERVAL_TOLERANCE = 1e-6
CONVERGED = 1e-15
ZERO_WIDTH = dict.fromkeys(map(ord, "\u00ad\u180e\u200b\u200c\u200d\u2060\ufeff"))


# The posterior of a claim: a Beta distribution that starts from the prior and is updated by each judgement.


def posterior(prior, support, refute):
    """The values of a claim from the sums of what supports and refutes it."""
    alpha, beta = prior["alpha"] + support, prior["beta"] + refute
    total = alpha + beta
    return {
        "alpha": alpha,
        "beta": beta,
        "confidence": alpha / total,
        "uncertainty": math.sqrt(alpha * beta / (total**2 * (total + 1))),
        "controversy": min(support, refute) / (support + refute) if support + refute > 0 else 0.0,
    }


def cumulative(x, a, b):
    """The regularised incomplete beta function, by its continued fraction (modified Lentz's method)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - cumulative(1.0 - x, b, a)
    tiny = 1e-300
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 10_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 + step * d
            d = 1.0 / (d if abs(d) > tiny else tiny)
            c = 1.0 + step / c
            c = c if abs(c) > tiny else tiny
            value *= c * d
        if abs(c * d - 1.0) < CONVERGED:
            break
    return front * value


def quantile(p, a, b):
    """The p-quantile of Beta(a, b), by bisection."""
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if cumulative(middle, a, b) < p else (low, middle)
    return (low + high) / 2


def interval(a, b, mass):
    """The central interval of Beta(a, b) that holds `mass`."""
    tail = (1 - mass) / 2
    return [quantile(tail, a, b), quantile(1 - tail, a, b)]


# Which judgements count, and which of them come from one origin.


def speaks(edge):
    """Whether a judgement takes a side and counts."""
    return edge["relation"] != "neutral" and not edge["is_pointer"] and edge["excluded_reason"] is None


def shingles(text, rule):
    """The runs of words of a text, or of characters where it is Chinese or Japanese."""
    folded = " ".join(unicodedata.normalize("NFKC", text.translate(ZERO_WIDTH)).split()).casefold()
    words = re.findall(r"\w+", folded)
    joined = "".join(words)
    cjk = len(re.findall(f"[{rule['cjk_characters']}]", joined))
    if cjk >= rule["cjk_share"] * max(1, len(joined)):
        size = rule["shingle_characters"]
        return {joined[at : at + size] for at in range(len(joined) - size + 1)}
    size = rule["shingle_words"]
    return {" ".join(words[at : at + size]) for at in range(len(words) - size + 1)}


def nearly_the_same(first, second, rule):
    """Whether two texts share so many shingles (Jaccard's coefficient) that they are one text, lightly edited."""
    if min(len(first), len(second)) < rule["least_shingles"]:
        return False
    shared = len(first & second)
    return shared > 0 and shared / (len(first) + len(second) - shared) >= rule["least_resemblance"]


class Origins:
    """Pages in groups: those that carry one text, are one work, say nearly the same, or retell one source."""

    def __init__(self, edges):
        self.group = {page: {page} for edge in edges for page in (edge["page_id"], *edge["other_page_ids"])}
        self.known = set(self.group)

    def join(self, first, second):
        """Put the groups of two pages together."""
        merged = self.group.setdefault(first, {first}) | self.group.setdefault(second, {second})
        self.group.update(dict.fromkeys(merged, merged))

    def join_copies_versions_and_retellings(self, edges):
        """Join by what is known of the pages."""
        works, retold = {}, {}
        for edge in edges:
            page, source = edge["page_id"], edge["sole_citation"]
            for other in edge["other_page_ids"]:
                self.join(page, other)
            for key in edge["work_keys"]:
                self.join(works.setdefault(key, page), page)
            if source is not None:
                self.join(retold.setdefault(source, source if source in self.known else page), page)

    def join_near_duplicates(self, edges, rule):
        """Join by what the quotes say; notices of retraction are worded alike and stay apart."""
        quoted = [(edge["page_id"], shingles(edge["quote"], rule)) for edge in edges if edge["model"] != rule["leaves_out_model"]]
        for at, (page, cut) in enumerate(quoted):
            for other, other_cut in quoted[:at]:
                if other not in self.group[page] and nearly_the_same(cut, other_cut, rule):
                    self.join(page, other)


def origins(edges, rule):
    """The speaking edges in groups of one origin each."""
    pages = Origins(edges)
    pages.join_copies_versions_and_retellings(edges)
    pages.join_near_duplicates(edges, rule)
    groups = {}
    for edge in edges:
        groups.setdefault(frozenset(pages.group[edge["page_id"]]), []).append(edge)
    return list(groups.values())


def strongest(group, relation):
    """The strongest judgement of a group on one side; None without one."""
    return max((edge["nli_confidence"] for edge in group if edge["relation"] == relation), default=None)


# Comparing


def recompute(claim, rules):
    """Every number of a claim, from its edges and the rules alone."""
    counting = [edge for edge in claim["edges"] if not edge["is_pointer"] and edge["excluded_reason"] is None]

    def weights(relation):
        return [edge["nli_confidence"] for edge in counting if edge["relation"] == relation]

    values = posterior(rules["prior"], math.fsum(weights("supports")), math.fsum(weights("refutes")))
    values["interval"] = interval(values["alpha"], values["beta"], rules["interval_mass"])
    for name, relation in (("supporting_count", "supports"), ("refuting_count", "refutes"), ("neutral_count", "neutral")):
        values[name] = len(weights(relation))
    values["evidence_count"] = len(counting)
    groups = origins(list(filter(speaks, claim["edges"])), rules["near_duplicates"])
    best = {side: [strongest(group, side) for group in groups] for side in ("supports", "refutes")}
    sums = {side: math.fsum(value for value in found if value is not None) for side, found in best.items()}
    independent = posterior(rules["prior"], sums["supports"], sums["refutes"])
    origin = claim["origin_page_id"]
    sources = [group for group in groups if not any(origin in (edge["page_id"], *edge["other_page_ids"]) for edge in group)]
    independent["sources"] = sum(strongest(group, "supports") is not None for group in sources)
    independent["refuting_sources"] = sum(strongest(group, "refutes") is not None for group in sources)
    independent["groups"] = sorted(sorted(edge["edge_id"] for edge in group) for group in groups)
    return values, independent


def differences(name, recorded, computed):
    """What is recorded otherwise than it was computed."""
    for key, value in computed.items():
        known = recorded[key]
        if key == "groups":
            known = sorted(sorted(group["edge_ids"]) for group in known)
            same = known == value
        elif key == "interval":
            same = all(abs(a - b) <= INTERVAL_TOLERANCE for a, b in zip(known, value, strict=True))
        else:
            same = abs(known - value) <= TOLERANCE * max(1.0, abs(value))
        if not same:
            yield f"{name}: {key} is recorded as {known} and computed as {value}"


def damaged_files(read, description):
    """The files whose content is not the one that the bundle's own description names."""
    for entity in description["@graph"]:
        if entity["@type"] == "File" and hashlib.sha256(read(entity["@id"])).hexdigest() != entity["sha256"]:
            yield f"{entity['@id']}: the content is not the one that was described"


def opened(bundle):
    """A function that returns the content of a file of the bundle."""
    if bundle.is_dir():
        return lambda name: (bundle / name).read_bytes()
    archive = zipfile.ZipFile(bundle)
    return archive.read


def main(arguments):
    """Check one bundle and return the exit code."""
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        read = opened(Path(arguments[0]))
        found = list(damaged_files(read, json.loads(read("ro-crate-metadata.json"))))
        content = json.loads(read("provenance.json"))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as problem:
        print(f"{arguments[0]} is no bundle that can be read: {problem}", file=sys.stderr)
        return 2
    for claim in content["claims"]:
        values, independent = recompute(claim, content["rules"])
        found += differences(claim["claim_id"], claim["values"], values)
        found += differences(f"{claim['claim_id']}, independent", claim["independent"], independent)
        print(f"{values['confidence']:.3f} (independent {independent['confidence']:.3f})  {claim['text']}")
    for difference in found:
        print(difference)
    print(f"{len(content['claims'])} claims: " + (f"{len(found)} differences" if found else "every number agrees"))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

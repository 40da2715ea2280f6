"""What eight-bit arithmetic costs: the shipped judge beside the same weights with every product in float32.

The graphs are rewritten so that no state is rounded before a product; the product's own code reads them from a folder of their
own, pair by pair, as it reads the shipped ones.
"""

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from training import scores
from training.evaluate import STANCE_SETS
from training.reader import Judge, as_logits

# Of each set at least so many pairs where it has them, and fewer than twice as many, each read twice. In a set of fewer than
# SMALLEST one pair alone would move a metric too far.
PAIRS, SMALLEST = 1_000, 600
METRICS = (("acc", 1), ("macro_f1", 1), ("sr_acc", 1), ("ece", -1))


def unrounded(model: onnx.ModelProto) -> onnx.ModelProto:
    """Change the graph to one with products in float, and return it.

    x -> scale, rounded x -> whole product -> times scale becomes x -> product.
    """
    graph = model.graph
    makes = {name: node for node in graph.node for name in node.output}
    takes = {name: node for node in graph.node for name in node.input if node.op_type in {"Cast", "Mul"}}
    one = helper.make_tensor("one", TensorProto.FLOAT, [], [1.0])
    nodes, gone = [], set()
    for node in graph.node:
        if node.op_type != "MatMulInteger":
            nodes.append(node)
            continue
        moved = makes[makes[node.input[0]].input[0]]
        state, scale = makes[makes[moved.input[0]].input[0]].input
        as_float = takes[node.output[0]]
        scaled = takes[as_float.output[0]]
        scaled.input[list(scaled.input).index(scale)] = one.name
        gone.add(as_float.name)
        matrix = f"{node.name}_matrix"
        nodes.append(helper.make_node("Cast", [node.input[1]], [matrix], name=matrix, to=TensorProto.FLOAT))
        nodes.append(helper.make_node("MatMul", [state, matrix], list(as_float.output), name=f"{node.name}_float"))
    del graph.node[:]
    graph.node.extend(node for node in nodes if node.name not in gone)
    graph.initializer.append(one)
    return model


def write(models: Path, folder: Path) -> None:
    """Write the judge of `models` in float, with a manifest that fits."""
    manifest = json.loads((models / "manifest.json").read_text(encoding="utf-8"))
    entry = manifest["models"]["stance"]
    for part in (entry, entry["rest"], entry["pieces"]):
        path = folder / part["file"]
        onnx.save_model(unrounded(onnx.load(str(models / part["file"]))), str(path))
        part |= {"bytes": path.stat().st_size, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    for name in (manifest["tokenizer"]["file"], entry["pieces"]["tokenizer"]["file"]):
        shutil.copy(models / name, folder / name)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def differences(models: Path, data: Path, count: int = PAIRS) -> Iterator[tuple[str, int, dict[str, float]]]:
    """Yield, for each set that is there, its name, how many pairs were read, and the points a metric gains by eight bits."""
    with tempfile.TemporaryDirectory() as folder:
        write(models, Path(folder))
        judges = (Judge(models), Judge(Path(folder)))
        for name, _, read in STANCE_SETS:
            try:
                pairs = [pair for pair in read(data) if pair.label >= 0]
            except FileNotFoundError:
                continue
            if len(pairs) < SMALLEST:
                continue
            pairs = pairs[:: max(1, len(pairs) // count)]
            texts, gold = [(pair.premise, pair.hypothesis) for pair in pairs], np.array([pair.label for pair in pairs])
            ours, plain = (
                scores.stance_scores(as_logits(judge.probabilities(texts, judge.read(texts), False)), gold) for judge in judges
            )
            found = {metric: 100 * sign * (ours[metric] - plain[metric]) for metric, sign in METRICS}
            yield name, len(pairs), {metric: value for metric, value in found.items() if not np.isnan(value)}

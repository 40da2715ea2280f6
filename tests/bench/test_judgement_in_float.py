"""The judge in float32 that the bench measures eight-bit arithmetic by: no product rounds, and the answers stay."""

from pathlib import Path

import numpy as np
import onnx

from bench.judgement.in_float import unrounded, write
from bench.judgement.run import MODELS
from training.reader import Judge

PAIRS = [
    ("In the trial, the drug lowered blood sugar in all three groups.", "The drug lowers blood sugar."),
    ("The bridge was closed for repairs.", "The drug lowers blood sugar."),
    ("道路の拡幅後、渋滞は3割減った。", "道路を広げると渋滞が減る。"),
]


def test_no_product_of_the_rewritten_graphs_is_of_whole_numbers() -> None:
    for path in MODELS.glob("stance*.onnx"):
        shipped = onnx.load(str(path))
        assert any(node.op_type == "MatMulInteger" for node in shipped.graph.node)
        floating = unrounded(shipped)
        onnx.checker.check_model(floating)
        assert not any(node.op_type == "MatMulInteger" for node in floating.graph.node)


def test_the_judge_in_float_says_nearly_the_same(tmp_path: Path) -> None:
    write(MODELS, tmp_path)
    ours, plain = (judge.logits(judge.read(PAIRS)) for judge in (Judge(MODELS), Judge(tmp_path)))
    difference = np.abs(ours - plain)
    assert 0 < difference.max() < 1
    assert (ours.argmax(1) == plain.argmax(1)).all()

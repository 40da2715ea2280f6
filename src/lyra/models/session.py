"""Running a network over texts, one text per run, so that a number never depends on its neighbours.

Dynamically quantised int8 graphs take the scale of every activation from the whole tensor, padding and batch mates
included. On a quantised six-layer MiniLM with a linear probe, batches of 16 changed the label of 36 of 200 pairs against
the same pairs run alone; nothing cached could ever be recomputed. Running each text alone on one thread, several at a
time, needs no padding and was no slower: 115 pairs a second on two cores, against 95 to 103 in length-sorted batches
(int8, mean 119 tokens). Results are equal bit for bit for any order, neighbours and number of threads on one machine.

Importing this module costs what onnxruntime and numpy cost; the models import it when they first run.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as runtime_errors
from tokenizers import Encoding, Tokenizer

from lyra.core.errors import ModelError
from lyra.models.window import plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

Item = TypeVar("Item")
Result = TypeVar("Result")

# Queued at once. Waiting work costs memory, and the pause between slabs is at most one text long.
_SLAB = 1024

_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_REQUIRED = frozenset({"input_ids", "attention_mask"})
_FATAL_LOGS_ONLY = 4
_REFUSED_BY_RUNTIME = (
    runtime_errors.Fail,
    runtime_errors.InvalidArgument,
    runtime_errors.InvalidGraph,
    runtime_errors.InvalidProtobuf,
    runtime_errors.NotImplemented,
    runtime_errors.RuntimeException,
)


def available_threads() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Graph:
    """One network, opened for running on one thread a run. Safe to share between threads.

    `unpacked`: weights stored in few bits are unpacked once, now, and not in every run. Opening raises ModelError
    `model_wrong_kind` for a file that is no graph.
    """

    def __init__(self, kind: str, path: Path, *, unpacked: bool = False) -> None:
        self._kind = kind
        self._path = path
        self._session = self._open(unpacked)
        self.inputs: dict[str, list[str | int | None]] = {node.name: node.shape for node in self._session.get_inputs()}
        self.outputs: list[str] = [node.name for node in self._session.get_outputs()]

    def _open(self, unpacked: bool) -> onnxruntime.InferenceSession:
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = _FATAL_LOGS_ONLY
        # A memory plan is made per input shape and every length is a shape: planning costs memory and saves nothing.
        options.enable_mem_pattern = False
        if unpacked:
            options.add_session_config_entry("session.disable_quant_qdq", "1")
        try:
            return onnxruntime.InferenceSession(str(self._path), options, providers=["CPUExecutionProvider"])
        except _REFUSED_BY_RUNTIME as error:
            raise self.wrong_kind() from error

    def wrong_kind(self) -> ModelError:
        """Return the error that says this graph does not do what its kind promises."""
        return ModelError("model_wrong_kind", file=self._path, kind=self._kind)

    def run(self, outputs: Sequence[str], feed: "Mapping[str, NDArray[np.generic]]") -> "list[NDArray[np.float32]]":
        """Return the named outputs of one run, batch axis included."""
        try:
            values = self._session.run(list(outputs), dict(feed))
        except _REFUSED_BY_RUNTIME as error:
            raise self.wrong_kind() from error
        return [np.asarray(value, dtype=np.float32) for value in values]


def open_tokenizer(path: Path) -> Tokenizer:
    """Return a tokenizer that cuts and pads nothing by itself. Raises ModelError `model_bad_tokenizer`."""
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing narrower
        raise ModelError("model_bad_tokenizer", file=path, detail=error) from error
    # Cutting is done piece by piece below; what the file was saved with must not cut or pad behind our back.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    # Fragments are other people's text: a "[SEP]" written in one is a word, not the border between fragment and claim.
    tokenizer.encode_special_tokens = True
    return tokenizer


def cut_pair(
    tokenizer: Tokenizer, text: str, room: int, pair: str | None = None, pair_limit: int = 0
) -> tuple[Encoding, Encoding | None]:
    """Return `text`, or `text` and `pair`, as at most `room` tokens without special ones.

    `pair` is cut to `pair_limit` tokens, then `text` to what is left.
    """
    second = None
    if pair is not None:
        second = tokenizer.encode(pair, add_special_tokens=False)
        second.truncate(pair_limit)
        room -= len(second)
    first = tokenizer.encode(text, add_special_tokens=False)
    first.truncate(max(0, room))
    return first, second


def run_each(work: Callable[[Item], Result], items: Sequence[Item], threads: int, kind: str) -> list[Result]:
    """Return `work` of each item, in order, several at a time.

    The first failure is raised and what has not begun by then is dropped; so is it on an interrupt.
    """
    if threads == 1 or len(items) < 2:  # noqa: PLR2004 - a single item gains nothing from a pool
        return [work(item) for item in items]
    pool = ThreadPoolExecutor(threads, thread_name_prefix=f"lyra-{kind}")
    try:
        results: list[Result] = []
        for start in range(0, len(items), _SLAB):
            results.extend(pool.map(work, items[start : start + _SLAB]))
        return results
    finally:
        pool.shutdown(cancel_futures=True)


class TextSession:
    """A network opened for running, with its tokenizer. Safe to share between threads.

    Opening raises ModelError: `model_wrong_kind` for a graph that is not one, or does not take tokens,
    `model_bad_tokenizer` for a tokenizer that is none.
    """

    def __init__(self, kind: str, graph: Path, tokenizer: Path, threads: int | None) -> None:
        self._kind = kind
        self._threads = max(1, threads or available_threads())
        self._tokenizer = open_tokenizer(tokenizer)
        self._graph = Graph(kind, graph)
        if not _REQUIRED <= self._graph.inputs.keys() <= _INPUTS:
            raise self.wrong_kind()

    def wrong_kind(self) -> ModelError:
        """Return the error that says this graph does not do what its kind promises."""
        return self._graph.wrong_kind()

    def fit(self, text: str, limit: int, pair: str | None = None, pair_limit: int = 0) -> Encoding:
        """Return `text`, or `text` and `pair`, as at most `limit` tokens, special ones included.

        Both are read as `window.plain` gives them; `pair` is cut to `pair_limit` tokens, then `text` to what is left.
        """
        room = limit - self._tokenizer.num_special_tokens_to_add(pair is not None)
        beside = None if pair is None else plain(pair, pair_limit)
        first, second = cut_pair(self._tokenizer, plain(text, limit), room, beside, pair_limit)
        return self._tokenizer.post_process(first, second, add_special_tokens=True)

    def output(self, encoding: Encoding) -> "NDArray[np.float32]":
        """Return the network's first output for one text, without its batch axis."""
        length = len(encoding)
        available = {
            "input_ids": np.array(encoding.ids, dtype=np.int64),
            "attention_mask": np.ones(length, dtype=np.int64),
            "token_type_ids": np.array(encoding.type_ids, dtype=np.int64),
        }
        feed = {name: available[name][np.newaxis] for name in self._graph.inputs}
        (values,) = self._graph.run(self._graph.outputs[:1], feed)
        row: NDArray[np.float32] = values[0]
        return row

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """Return `work` of each item, in order, several at a time; see `run_each`."""
        return run_each(work, items, self._threads, self._kind)

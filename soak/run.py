"""Runs for long, with faults: kills a worker again and again, cuts the power, fills the disk, lets several processes write at
once, and does things at random to the store beside a model of it.

    python soak/run.py [--only kill,power,disk,writers,deletions,model,feedback,policy] [--rounds 100] [--seconds 60]
                       [--seed N] [--examples 500] [--steps 50] [--processes 4] [--feedback 1000]

Prints a line per round and a summary; exits with 1 if anything acknowledged was lost, a failure was not said, the store and
the model differ, or a change of the policy was seen too late.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from hypothesis import HealthCheck, Phase, seed, settings  # noqa: E402  the paths above come first
from hypothesis.stateful import run_state_machine_as_test  # noqa: E402

from soak.endurance import CAMPAIGNS  # noqa: E402
from soak.endurance import run as run_campaign  # noqa: E402
from tests.crashes import crash_and_recover, draw_moment, uninterrupted, write_library  # noqa: E402
from tests.feedback_campaign import measure_policy_delays  # noqa: E402
from tests.feedback_campaign import run_campaign as run_feedback  # noqa: E402
from tests.store.store_model import StoreMachine  # noqa: E402

SEEN_WITHIN_SECONDS = 1.0
# A part is told the options and where randomness starts, and returns what went wrong.
Part = Callable[[argparse.Namespace, int], list[str]]


@dataclass(slots=True)
class Summary:
    """What the rounds came to."""

    rounds: int = 0
    acknowledged: int = 0
    phases: Counter[str] = field(default_factory=Counter)
    losses: list[str] = field(default_factory=list)


def main(arguments: list[str] | None = None) -> int:
    """Run all parts, or the named ones, and return the exit code."""
    options = _options(arguments)
    start = options.seed if options.seed is not None else SystemRandom().randrange(2**32)
    print(f"seed {start}: the same run again with --seed {start}", flush=True)
    wanted = [name for name in options.only.split(",") if name] or list(PARTS)
    wrong = [one for name in wanted for one in PARTS[name](options, start)]
    for one in wrong:
        print(f"WRONG: {one}", file=sys.stderr)
    return 1 if wrong else 0


def _kill(options: argparse.Namespace, start: int) -> list[str]:
    began = time.monotonic()
    summary = kill_rounds(options.rounds, start)
    _print_summary(summary, time.monotonic() - began)
    return summary.losses


def _model(options: argparse.Namespace, start: int) -> list[str]:
    examples, steps = options.examples, options.steps
    began = time.monotonic()
    failure = model_run(examples, steps, start)
    seconds = time.monotonic() - began
    print(f"model     {examples} x {steps} steps    {'FAILED' if failure else 'equal':>8}    {seconds:8.1f} s")
    return [] if failure is None else [f"the store differs from its model: {failure!r}"]


def kill_rounds(rounds: int, start: int) -> Summary:
    """Kill a check at a random moment and finish its work, as often as told."""
    summary = Summary()
    with TemporaryDirectory() as folder:
        library = write_library(Path(folder) / "library")
        expected = uninterrupted(Path(folder) / "undisturbed", library)
        for number in range(rounds):
            moment = draw_moment(Random(start + number))
            with TemporaryDirectory(dir=folder) as home:
                report = crash_and_recover(Path(home), library, moment, expected)
            summary.rounds += 1
            summary.acknowledged += report.acknowledged
            summary.phases[report.phase] += 1
            summary.losses += [f"round {number + 1} (seed {start + number}): {loss}" for loss in report.losses]
            verdict = "; ".join(report.losses) or "nothing lost"
            print(f"{number + 1:4}/{rounds}  killed after {report.acknowledged:2} ({report.phase}): {verdict}", flush=True)
    return summary


def model_run(examples: int, steps: int, start: int) -> BaseException | None:
    """Compare the store with its model; return what went wrong, after printing the shortest way there."""
    print(f"model: {examples} runs of {steps} steps ...", flush=True)
    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        print_blob=True,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    try:
        run_state_machine_as_test(seed(start)(StoreMachine), settings=chosen)
    except Exception as failure:  # noqa: BLE001  whatever goes wrong is the finding
        return failure
    return None


def _feedback(options: argparse.Namespace, start: int) -> list[str]:
    """Let processes give feedback on one store at once; return what was lost."""
    processes, actions = options.processes, options.feedback
    print(f"feedback: {processes} processes x {actions} actions ...", flush=True)
    began = time.monotonic()
    with TemporaryDirectory() as folder:
        campaign = run_feedback(Path(folder) / "home", processes, actions, start)
    words = ", ".join(f"{campaign.count(word)} {word}" for word in ("done", "same", "refused"))
    lost, seconds = len(campaign.losses), time.monotonic() - began
    print(f"feedback  {len(campaign.answers)} answers ({words})    {lost:4} lost    {seconds:8.1f} s")
    return campaign.losses


def _policy(_options: argparse.Namespace, _start: int) -> list[str]:
    """Change the policy and an override beside a watching process; return the changes that took a second or more."""
    with TemporaryDirectory() as folder:
        delays = measure_policy_delays(Path(folder) / "home")
    print("policy    seen after " + ", ".join(f"{seconds:.2f} s ({name})" for name, seconds in delays.items()))
    return [f"{name}: {seconds:.2f} s" for name, seconds in delays.items() if seconds >= SEEN_WITHIN_SECONDS]


def _campaign(name: str) -> Part:
    def part(options: argparse.Namespace, start: int) -> list[str]:
        return run_campaign(name, options.rounds, start, options.seconds)

    return part


PARTS: dict[str, Part] = {
    "kill": _kill,
    **{name: _campaign(name) for name in CAMPAIGNS},
    "model": _model,
    "feedback": _feedback,
    "policy": _policy,
}


def _print_summary(summary: Summary, seconds: float) -> None:
    where = ", ".join(f"{count} {phase}" for phase, count in sorted(summary.phases.items()))
    print(f"\nkill -9   {summary.rounds} rounds    {len(summary.losses):4} lost    {seconds:8.1f} s")
    print(f"          {summary.acknowledged} commits acknowledged; killed in: {where}")


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100, help="how often a worker is killed or the power cut (default 100)")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long two processes write at once (default 60)")
    parser.add_argument("--only", default="", help="names of parts, separated by commas")
    parser.add_argument("--seed", type=int, default=None, help="where the random moments start (default: a new one)")
    parser.add_argument("--examples", type=int, default=500, help="runs of the model (default 500)")
    parser.add_argument("--steps", type=int, default=50, help="steps of each run (default 50)")
    parser.add_argument("--processes", type=int, default=4, help="processes that give feedback (default 4)")
    parser.add_argument("--feedback", type=int, default=1000, help="actions of each of them (default 1000)")
    options = parser.parse_args(arguments)
    known = list(PARTS)
    for name in options.only.split(","):
        if name and name not in known:
            parser.error(f"no part {name}: there are {', '.join(known)}")
    return options


if __name__ == "__main__":
    sys.exit(main())

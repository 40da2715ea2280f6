"""Where the `lyra` command starts: an interrupt while the program is still loading ends it without a traceback."""

from lyra.interfaces.cli.exit_codes import EXIT_INTERRUPTED


def run() -> int:
    """Load the program, run the command that the process was called with and return its exit code."""
    try:
        from lyra.interfaces.cli.main import run as run_command  # noqa: PLC0415 - loading is what may be interrupted

        return run_command()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED

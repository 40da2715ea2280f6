"""How a command ends when something outside ends it, as shells have it: 128 and the number of the signal."""

EXIT_INTERRUPTED = 130
EXIT_PIPE_CLOSED = 141

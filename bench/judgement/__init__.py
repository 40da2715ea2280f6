"""How well the shipped models judge and find: `make bench-judgement`."""

-- What the searches of a task may cost, where somebody said so when the task was made. NULL is no limit of its own.
CREATE TABLE task_budgets (
    task_id  TEXT PRIMARY KEY REFERENCES tasks (task_id),
    pages    INTEGER CHECK (pages >= 0),
    seconds  REAL CHECK (seconds > 0.0),
    CHECK (pages IS NOT NULL OR seconds IS NOT NULL)
) STRICT;

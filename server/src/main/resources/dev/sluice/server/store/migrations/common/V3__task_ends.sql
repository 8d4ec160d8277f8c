-- What became of runs of tasks. Instants are nanoseconds since 1970.
CREATE TABLE task_ends (
    sequence        ${whole} NOT NULL PRIMARY KEY,
    partition_name  TEXT ${bycode} NOT NULL,
    application     TEXT ${bycode} NOT NULL,
    submitted_nanos ${whole} NOT NULL,
    task            TEXT ${bycode} NOT NULL,
    attempt         ${whole} NOT NULL,
    node            TEXT,
    placed_nanos    ${whole},
    started_nanos   ${whole},
    ended_nanos     ${whole} NOT NULL,
    outcome         TEXT NOT NULL,
    exit_code       ${whole},
    detail          TEXT NOT NULL,
    again           ${whole} NOT NULL
);

-- The last two columns are there so that rows of other tasks and outcomes are passed over without being read.
CREATE INDEX task_ends_by_application
    ON task_ends (partition_name, application, submitted_nanos, sequence, task, outcome);

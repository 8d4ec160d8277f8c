-- What runs used. Runs that ended before this migration are not in these tables.

-- Who uses what: one row for all runs of equal tasks. The id is a digest of the other columns; last_nanos is when a run last released.
CREATE TABLE run_accounts (
    id             ${whole} NOT NULL PRIMARY KEY,
    partition_name TEXT NOT NULL,
    queue          TEXT NOT NULL,
    user_name      TEXT NOT NULL,
    name           TEXT NOT NULL,
    resources      TEXT NOT NULL,
    last_nanos     ${whole} NOT NULL
);

CREATE TABLE run_usage (
    sequence       ${whole} NOT NULL PRIMARY KEY,
    account        ${whole} NOT NULL,
    node           TEXT NOT NULL,
    placed_nanos   ${whole} NOT NULL,
    released_nanos ${whole} NOT NULL,
    waited_nanos   ${whole},
    run_end        ${whole} NOT NULL
);

-- These find the first row of an interval; the others follow in the order of their sequence numbers.
CREATE INDEX run_usage_by_time ON run_usage (released_nanos, sequence);
CREATE INDEX finished_by_time ON finished_applications (ended_nanos, sequence);

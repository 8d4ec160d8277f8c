-- What waited in queues and what they were due: means of intervals, of which there are two lengths.
CREATE TABLE demand (
    partition_name TEXT ${bycode} NOT NULL,
    queue          TEXT ${bycode} NOT NULL,
    length_seconds ${whole} NOT NULL,
    from_nanos     ${whole} NOT NULL,
    pending_tasks  ${whole} NOT NULL,
    pending        TEXT NOT NULL,
    due            TEXT NOT NULL,
    PRIMARY KEY (partition_name, queue, length_seconds, from_nanos)
);
CREATE INDEX demand_by_time ON demand (length_seconds, from_nanos);

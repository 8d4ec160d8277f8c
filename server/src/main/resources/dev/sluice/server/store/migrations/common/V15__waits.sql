-- Why applications waited: a row for each time in which most of their waiting tasks had the same reason.
CREATE TABLE waits (
    partition_name  TEXT ${bycode} NOT NULL,
    application     TEXT ${bycode} NOT NULL,
    submitted_nanos ${whole} NOT NULL,
    from_nanos      ${whole} NOT NULL,
    seen_nanos      ${whole} NOT NULL,
    code            TEXT NOT NULL,
    detail          TEXT NOT NULL,
    tasks           ${whole} NOT NULL,
    PRIMARY KEY (partition_name, application, submitted_nanos, from_nanos)
);
CREATE INDEX waits_by_time ON waits (seen_nanos);

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

-- Orders of finished applications. Each index has the columns by which lists are filtered, so that rows that do not match are
-- skipped without being read; in PostgreSQL fewer, because it refuses long entries of indexes.
DROP INDEX finished_by_user;
CREATE INDEX finished_by_user ON finished_applications (partition_name, user_name, sequence DESC, state${and_queue}${and_name});
DROP INDEX finished_by_name;
CREATE INDEX finished_by_name ON finished_applications (partition_name, name, sequence, state${and_queue}${and_user});
CREATE INDEX finished_by_path ON finished_applications (partition_name, queue, sequence DESC, state${and_user}${and_name});
CREATE INDEX finished_by_submitted
    ON finished_applications (partition_name, submitted_nanos, sequence, queue, state${and_user}${and_name});
CREATE INDEX finished_by_duration
    ON finished_applications (partition_name, (ended_nanos - submitted_nanos), sequence, queue, state${and_user}${and_name});

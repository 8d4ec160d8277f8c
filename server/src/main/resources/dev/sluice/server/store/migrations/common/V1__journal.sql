-- What both databases have alike. Where they differ stands a placeholder: the types of whole numbers of 64 bits and of bytes, and the
-- order of characters by their codes. Instants are nanoseconds since 1970.

-- One row per batch of events. The checksum (CRC32C) is over first, last, at_nanos and body.
CREATE TABLE journal (
    first    ${whole} NOT NULL PRIMARY KEY,
    last     ${whole} NOT NULL,
    at_nanos ${whole} NOT NULL,
    checksum ${whole} NOT NULL,
    body     ${bytes} NOT NULL
);

-- A row here makes a snapshot complete; the checksum is over all other columns.
CREATE TABLE snapshots (
    snapshot ${whole} NOT NULL PRIMARY KEY,
    sequence ${whole} NOT NULL,
    at_nanos ${whole} NOT NULL,
    chunks   ${whole} NOT NULL,
    checksum ${whole} NOT NULL
);

CREATE TABLE snapshot_chunks (
    snapshot ${whole} NOT NULL,
    chunk    ${whole} NOT NULL,
    checksum ${whole} NOT NULL,
    content  ${bytes} NOT NULL,
    PRIMARY KEY (snapshot, chunk)
);

CREATE TABLE receipts (
    request_key TEXT ${bycode} NOT NULL PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    status      ${whole} NOT NULL,
    answer      TEXT NOT NULL,
    at_nanos    ${whole} NOT NULL
);

CREATE INDEX receipts_by_time ON receipts (at_nanos);

CREATE TABLE finished_applications (
    sequence        ${whole} NOT NULL PRIMARY KEY,
    partition_name  TEXT ${bycode} NOT NULL,
    id              TEXT ${bycode} NOT NULL,
    name            TEXT NOT NULL,
    queue           TEXT ${bycode} NOT NULL,
    user_name       TEXT ${bycode} NOT NULL,
    state           TEXT NOT NULL,
    reason          TEXT NOT NULL,
    submitted_nanos ${whole} NOT NULL,
    ended_nanos     ${whole} NOT NULL,
    document        TEXT NOT NULL
);

-- The first one holds all that is asked for, so that a page of a queue and all below it is found without reading the documents.
CREATE INDEX finished_by_queue ON finished_applications (partition_name, sequence, queue, state);
CREATE INDEX finished_by_user ON finished_applications (partition_name, user_name, sequence);
CREATE INDEX finished_by_id ON finished_applications (partition_name, id, sequence);

CREATE TABLE configuration_revisions (
    revision ${whole} NOT NULL PRIMARY KEY,
    actor    TEXT NOT NULL,
    note     TEXT NOT NULL,
    document TEXT NOT NULL,
    at_nanos ${whole} NOT NULL
);

-- format: which layout of rows; made: when, in nanoseconds; discarded: the last event whose batch was discarded.
CREATE TABLE meta (
    name  TEXT NOT NULL PRIMARY KEY,
    value ${whole} NOT NULL
);

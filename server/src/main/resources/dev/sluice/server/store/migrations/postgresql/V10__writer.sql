-- Who may write: the server that opened the journal last. Each open increments the epoch; each transaction compares it.
CREATE TABLE writer (
    one   BOOLEAN NOT NULL PRIMARY KEY DEFAULT TRUE CHECK (one),
    epoch BIGINT NOT NULL,
    name  TEXT NOT NULL,
    since TIMESTAMPTZ NOT NULL
);

INSERT INTO writer (epoch, name, since) VALUES (0, '', now());

-- Access tokens, without their secrets.
CREATE TABLE access_tokens (
    id            TEXT ${bycode} NOT NULL PRIMARY KEY,
    digest        TEXT NOT NULL,
    name          TEXT NOT NULL,
    actor         TEXT NOT NULL,
    role          TEXT NOT NULL,
    created_nanos ${whole} NOT NULL,
    expires_nanos ${whole} NOT NULL
);

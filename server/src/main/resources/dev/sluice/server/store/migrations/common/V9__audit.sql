-- Requests that changed something or were refused. The sequence ascends with time.
CREATE TABLE audit (
    sequence  ${whole} PRIMARY KEY,
    at_nanos  ${whole} NOT NULL,
    user_name TEXT ${bycode} NOT NULL,
    source    TEXT NOT NULL,
    address   TEXT NOT NULL,
    route     TEXT NOT NULL,
    target    TEXT NOT NULL,
    status    ${whole} NOT NULL,
    detail    TEXT NOT NULL
);
CREATE INDEX audit_by_user ON audit (user_name, sequence);

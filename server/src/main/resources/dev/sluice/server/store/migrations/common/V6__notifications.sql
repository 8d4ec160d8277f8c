-- Notifications that wait for their delivery, in this order. The sequence is that of the event, or the largest number if there is none.
CREATE TABLE notifications (
    target   TEXT ${bycode} NOT NULL,
    at_nanos ${whole} NOT NULL,
    sequence ${whole} NOT NULL,
    id       TEXT NOT NULL,
    content  TEXT NOT NULL,
    PRIMARY KEY (target, at_nanos, sequence, id)
);

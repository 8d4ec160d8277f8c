-- Renames tables and columns; their contents stay as they are.

ALTER TABLE snapshots RENAME TO checkpoints;
ALTER TABLE checkpoints RENAME COLUMN snapshot TO checkpoint;
ALTER TABLE snapshot_chunks RENAME TO checkpoint_chunks;
ALTER TABLE checkpoint_chunks RENAME COLUMN snapshot TO checkpoint;

ALTER TABLE receipts RENAME TO idempotency_records;
DROP INDEX receipts_by_time;
CREATE INDEX idempotency_records_by_time ON idempotency_records (at_nanos);

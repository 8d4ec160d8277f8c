-- Bytes are kept as they are: PostgreSQL would spend more time on compressing them than on writing them.
ALTER TABLE journal ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE snapshot_chunks ALTER COLUMN content SET STORAGE EXTERNAL;

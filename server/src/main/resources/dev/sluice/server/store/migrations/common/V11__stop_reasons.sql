-- Why runs were stopped; absent for those that ended by themselves and for those that ended before this column was added.
ALTER TABLE task_ends ADD COLUMN stop_reason TEXT;

CREATE INDEX task_ends_by_stop
    ON task_ends (partition_name, application, submitted_nanos, sequence, stop_reason) WHERE stop_reason IS NOT NULL;

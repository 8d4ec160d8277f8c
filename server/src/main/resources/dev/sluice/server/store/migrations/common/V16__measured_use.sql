-- What runs were allocated and what they used; absent for drops, for what is not measured, and for runs that ended before these columns
-- were added. Resources as in run_accounts; processor time in nanoseconds, memory in bytes.
ALTER TABLE task_ends ADD COLUMN resources TEXT;
ALTER TABLE task_ends ADD COLUMN cpu_nanos ${whole};
ALTER TABLE task_ends ADD COLUMN memory_peak ${whole};

ALTER TABLE run_usage ADD COLUMN cpu_nanos ${whole};

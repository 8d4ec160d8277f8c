-- For which tasks runs were preempted; absent for other runs and for those that ended before these columns were added.
ALTER TABLE task_ends ADD COLUMN for_queue TEXT;
ALTER TABLE task_ends ADD COLUMN for_application TEXT;
ALTER TABLE task_ends ADD COLUMN for_task TEXT;

-- Finds the accounts of an interval, and the expired ones.
CREATE INDEX run_accounts_by_time ON run_accounts (last_nanos);

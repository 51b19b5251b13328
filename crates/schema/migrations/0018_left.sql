-- Runs that wait for somebody: of these alone, so that no step of another moves anything here. Whoever has not come for as
-- long as ended ones are kept does not come.
CREATE INDEX IF NOT EXISTS run_by_wait ON run (updated_at) WHERE status = 'queued' AND due_at IS NULL;

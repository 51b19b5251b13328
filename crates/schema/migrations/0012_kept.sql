-- What the door that a run was asked through keeps beside it, for whoever shows the run there: a text without any
-- secret. It stands here before its run does, so that no run lacks it; times are milliseconds since 1970.
CREATE TABLE IF NOT EXISTS run_kept (
    run_id TEXT NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS run_kept_by_age ON run_kept (at, run_id);

-- It goes with its run, and so does what is older and stayed without one.
CREATE TRIGGER IF NOT EXISTS run_delete_kept AFTER DELETE ON run
BEGIN
    DELETE FROM run_kept WHERE run_id = OLD.run_id;
    DELETE FROM run_kept WHERE at < OLD.created_at
        AND NOT EXISTS (SELECT 1 FROM run WHERE run.run_id = run_kept.run_id);
END;

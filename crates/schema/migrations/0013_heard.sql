-- Who was told that their word was taken is heard before anything else begins and before the run ends: a step that
-- leaves out what lies in the inbox is not written then. A second wish to abort adds nothing to the first.
CREATE TRIGGER IF NOT EXISTS run_step_hears INSTEAD OF INSERT ON run_step
WHEN EXISTS (
    SELECT 1 FROM run_inbox
    WHERE run_id = NEW.run_id AND id NOT IN (SELECT value FROM json_each(NEW.taken))
        AND NOT (kind = 'abort' AND NEW.status = 'aborted'))
    AND (NEW.status NOT IN ('queued', 'running')
        OR EXISTS (SELECT 1 FROM json_each(NEW.entries) WHERE value ->> 'kind' = 'begun'))
BEGIN
    SELECT RAISE(ABORT, 'run was not heard');
END;

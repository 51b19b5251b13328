-- How often a run was given guidance is counted before each; a long run has thousands of other events.
CREATE INDEX IF NOT EXISTS run_event_guidance ON run_event (run_id, name) WHERE name = 'guidance_received';

-- A name that is no text can neither be told to a driver nor taken out by its step, and nothing that was left for the
-- run would be heard for its sake. It becomes one that is.
UPDATE run_inbox SET id = 'x' || hex(id) WHERE typeof(id) <> 'text';

CREATE TRIGGER IF NOT EXISTS run_inbox_named AFTER INSERT ON run_inbox WHEN typeof(NEW.id) <> 'text'
BEGIN
    UPDATE run_inbox SET id = 'x' || hex(NEW.id) WHERE rowid = NEW.rowid;
END;

CREATE TRIGGER IF NOT EXISTS run_inbox_renamed AFTER UPDATE OF id ON run_inbox WHEN typeof(NEW.id) <> 'text'
BEGIN
    UPDATE run_inbox SET id = 'x' || hex(NEW.id) WHERE rowid = NEW.rowid;
END;

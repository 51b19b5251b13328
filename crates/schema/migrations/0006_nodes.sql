-- The nodes of a run as clients see them, written by the steps that change them: whoever looks at a run need not
-- fold its journal, however long that is.
CREATE TABLE IF NOT EXISTS run_node (
    run_id TEXT NOT NULL,
    n INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (run_id, n)
);

CREATE TRIGGER IF NOT EXISTS run_delete_nodes AFTER DELETE ON run
BEGIN
    DELETE FROM run_node WHERE run_id = OLD.run_id;
END;

-- With the trigger on it. Both are made again with the nodes.
DROP VIEW IF EXISTS run_step;

-- What one wake-up of a run brought, whole or not at all. A lease that is an hour ahead was given by a clock
-- that went wrong, and is none.
CREATE VIEW IF NOT EXISTS run_step (run_id, holder, now, until, n, entries, events, blobs, checkpoint,
    machine, version, sum, status, due_at, summary, taken, nodes) AS
SELECT run_id, holder, updated_at, until, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL, status, due_at, summary, NULL, NULL FROM run;

CREATE TRIGGER IF NOT EXISTS run_step_insert INSTEAD OF INSERT ON run_step
BEGIN
    SELECT RAISE(ABORT, 'run is gone')
    WHERE NOT EXISTS (SELECT 1 FROM run WHERE run_id = NEW.run_id);
    -- Who drove a run to its end has no say in how it goes on, released or not.
    SELECT RAISE(ABORT, 'run is held by another')
    FROM run WHERE run_id = NEW.run_id AND holder <> NEW.holder
        AND until > NEW.now AND until <= NEW.now + 3600000 AND status IN ('queued', 'running');
    SELECT RAISE(ABORT, 'run has gone on')
    WHERE NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM run_entry WHERE run_id = NEW.run_id);
    INSERT INTO run_blob_put (run_id, hash, body)
    SELECT NEW.run_id, value ->> 'hash', value ->> 'body' FROM json_each(NEW.blobs);
    INSERT INTO run_entry (run_id, n, at, kind, size, blob, body)
    SELECT NEW.run_id, NEW.n + key, value ->> 'at', value ->> 'kind',
        value ->> 'size', value ->> 'blob', value ->> 'body'
    FROM json_each(NEW.entries);
    INSERT INTO run_event (run_id, sequence, n, name, size, data)
    SELECT NEW.run_id, value ->> 'sequence', NEW.n - 1 + json_array_length(NEW.entries),
        value ->> 'name', value ->> 'size', value ->> 'data'
    FROM json_each(NEW.events);
    INSERT INTO run_checkpoint (run_id, n, machine, version, sum, body)
    SELECT NEW.run_id, NEW.n - 1 + json_array_length(NEW.entries), NEW.machine, NEW.version, NEW.sum,
        NEW.checkpoint
    WHERE NEW.checkpoint IS NOT NULL
    ON CONFLICT (run_id, n) DO UPDATE
    SET machine = excluded.machine, version = excluded.version, sum = excluded.sum, body = excluded.body;
    DELETE FROM run_checkpoint
    WHERE NEW.checkpoint IS NOT NULL AND run_id = NEW.run_id AND n < (
        SELECT n FROM run_checkpoint WHERE run_id = NEW.run_id ORDER BY n DESC LIMIT 1 OFFSET 1);
    DELETE FROM run_inbox
    WHERE run_id = NEW.run_id AND id IN (SELECT value FROM json_each(NEW.taken));
    -- A wish that came too late must not end the run when it is resumed.
    DELETE FROM run_inbox
    WHERE run_id = NEW.run_id AND kind = 'abort' AND NEW.status NOT IN ('queued', 'running');
    INSERT INTO run_node (run_id, n, body)
    SELECT NEW.run_id, value ->> 'n', value ->> 'body' FROM json_each(NEW.nodes) WHERE true
    ON CONFLICT (run_id, n) DO UPDATE SET body = excluded.body;
    -- What came in meanwhile wants to be taken.
    UPDATE run SET status = NEW.status, updated_at = NEW.now, holder = NEW.holder, until = NEW.until,
        summary = coalesce(NEW.summary, summary), due_at = CASE
            WHEN NEW.status NOT IN ('queued', 'running') THEN NULL
            WHEN EXISTS (SELECT 1 FROM run_inbox WHERE run_id = NEW.run_id) THEN 0
            ELSE NEW.due_at END
    WHERE run_id = NEW.run_id;
END;

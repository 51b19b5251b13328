-- What a caller's runs searched for, by what it was after: where the outcome stands in a journal, and until when
-- others of the caller's runs may take it from there. No page is copied, so a run that is deleted leaves none
-- behind. Times are milliseconds since 1970.
CREATE TABLE IF NOT EXISTS run_search (
    caller TEXT NOT NULL,
    intent TEXT NOT NULL,
    run_id TEXT NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    results INTEGER NOT NULL,
    query TEXT NOT NULL,
    UNIQUE (caller, intent)
);

CREATE INDEX IF NOT EXISTS run_search_by_age ON run_search (caller, at);

CREATE INDEX IF NOT EXISTS run_search_by_end ON run_search (until);

CREATE INDEX IF NOT EXISTS run_search_by_run ON run_search (run_id);

CREATE TRIGGER IF NOT EXISTS run_delete_searches AFTER DELETE ON run
BEGIN
    DELETE FROM run_search WHERE run_id = OLD.run_id;
END;

-- A search that may be found again. Nobody's finds none: who has no name shares nothing. What nobody may be given
-- any more goes, and of a caller's the oldest beyond a thousand.
CREATE VIEW IF NOT EXISTS run_search_put (run_id, now, n, intent, query, until, results) AS
SELECT run_id, at, n, intent, query, until, results FROM run_search;

CREATE TRIGGER IF NOT EXISTS run_search_put_insert INSTEAD OF INSERT ON run_search_put
WHEN EXISTS (SELECT 1 FROM run WHERE run_id = NEW.run_id AND caller IS NOT NULL)
BEGIN
    INSERT INTO run_search (caller, intent, run_id, n, at, until, results, query)
    SELECT caller, NEW.intent, NEW.run_id, NEW.n, NEW.now, NEW.until, NEW.results, NEW.query
    FROM run WHERE run_id = NEW.run_id
    ON CONFLICT (caller, intent) DO UPDATE
    SET run_id = excluded.run_id, n = excluded.n, at = excluded.at, until = excluded.until,
        results = excluded.results, query = excluded.query;
    DELETE FROM run_search WHERE rowid IN (
        SELECT rowid FROM run_search WHERE until <= NEW.now ORDER BY until LIMIT 100);
    DELETE FROM run_search WHERE rowid IN (
        SELECT rowid FROM run_search
        WHERE caller = (SELECT caller FROM run WHERE run_id = NEW.run_id)
        ORDER BY at DESC LIMIT -1 OFFSET 1000);
END;

-- With the trigger on it. Both are made again with the searches.
DROP VIEW IF EXISTS run_step;

-- What one wake-up of a run brought, whole or not at all. A lease that is an hour ahead was given by a clock
-- that went wrong, and is none.
CREATE VIEW IF NOT EXISTS run_step (run_id, holder, now, until, n, entries, events, blobs, checkpoint,
    machine, version, sum, status, due_at, summary, taken, nodes, searches) AS
SELECT run_id, holder, updated_at, until, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL, status, due_at, summary, NULL, NULL, NULL FROM run;

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
    INSERT INTO run_search_put (run_id, now, n, intent, query, until, results)
    SELECT NEW.run_id, NEW.now, value ->> 'n', value ->> 'intent', value ->> 'query', value ->> 'until',
        value ->> 'results'
    FROM json_each(NEW.searches);
    -- What came in meanwhile wants to be taken.
    UPDATE run SET status = NEW.status, updated_at = NEW.now, holder = NEW.holder, until = NEW.until,
        summary = coalesce(NEW.summary, summary), due_at = CASE
            WHEN NEW.status NOT IN ('queued', 'running') THEN NULL
            WHEN EXISTS (SELECT 1 FROM run_inbox WHERE run_id = NEW.run_id) THEN 0
            ELSE NEW.due_at END
    WHERE run_id = NEW.run_id;
END;

-- The birth of a run, by itself or from the first entries of another, anew: with the state that it begins with.
DROP VIEW IF EXISTS run_birth;

CREATE VIEW IF NOT EXISTS run_birth (run_id, caller, status, task, model, now, due_at, idempotency_key,
    request_hash, summary, origin, origin_n, entries, events, blobs, checkpoint, machine, version, sum) AS
SELECT run_id, caller, status, task, model, created_at, due_at, idempotency_key,
    request_hash, summary, origin, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM run;

CREATE TRIGGER IF NOT EXISTS run_birth_insert INSTEAD OF INSERT ON run_birth
BEGIN
    INSERT INTO run (run_id, caller, status, task, model, origin, created_at, updated_at, due_at,
        idempotency_key, request_hash, summary)
    SELECT NEW.run_id, NEW.caller, NEW.status, NEW.task, NEW.model, NEW.origin, NEW.now, NEW.now, NEW.due_at,
        NEW.idempotency_key, NEW.request_hash, NEW.summary
    WHERE NEW.origin IS NULL
        OR EXISTS (SELECT 1 FROM run_entry WHERE run_id = NEW.origin AND n = NEW.origin_n)
    ON CONFLICT DO NOTHING;
    INSERT OR IGNORE INTO run_entry (run_id, n, at, kind, size, blob, body)
    SELECT NEW.run_id, n, at, kind, size, blob, body FROM run_entry
    WHERE run_id = NEW.origin AND n <= NEW.origin_n
        AND EXISTS (SELECT 1 FROM run WHERE run_id = NEW.run_id);
    INSERT OR IGNORE INTO run_blob (run_id, hash)
    SELECT NEW.run_id, blob FROM run_entry
    WHERE run_id = NEW.origin AND n <= NEW.origin_n AND blob IS NOT NULL
        AND EXISTS (SELECT 1 FROM run WHERE run_id = NEW.run_id);
    INSERT INTO run_blob_put (run_id, hash, body)
    SELECT NEW.run_id, value ->> 'hash', value ->> 'body' FROM json_each(NEW.blobs);
    INSERT OR IGNORE INTO run_entry (run_id, n, at, kind, size, blob, body)
    SELECT NEW.run_id, coalesce(NEW.origin_n, 0) + 1 + key, value ->> 'at', value ->> 'kind',
        value ->> 'size', value ->> 'blob', value ->> 'body'
    FROM json_each(NEW.entries) WHERE EXISTS (SELECT 1 FROM run WHERE run_id = NEW.run_id);
    INSERT OR IGNORE INTO run_checkpoint (run_id, n, machine, version, sum, body)
    SELECT NEW.run_id, coalesce(NEW.origin_n, 0) + json_array_length(NEW.entries), NEW.machine, NEW.version,
        NEW.sum, NEW.checkpoint
    WHERE NEW.checkpoint IS NOT NULL AND EXISTS (SELECT 1 FROM run WHERE run_id = NEW.run_id);
    INSERT OR IGNORE INTO run_event (run_id, sequence, n, name, size, data)
    SELECT NEW.run_id, value ->> 'sequence',
        coalesce(value ->> 'n', coalesce(NEW.origin_n, 0) + json_array_length(NEW.entries)),
        value ->> 'name', value ->> 'size', value ->> 'data'
    FROM json_each(NEW.events) WHERE EXISTS (SELECT 1 FROM run WHERE run_id = NEW.run_id);
END;

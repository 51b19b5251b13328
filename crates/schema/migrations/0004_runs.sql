-- A run's record: what lists show, who drives it, and when it is to be driven next. Times are milliseconds
-- since 1970. The journal beside it is the truth; this row is written with each of its entries.
CREATE TABLE IF NOT EXISTS run (
    run_id TEXT NOT NULL PRIMARY KEY,
    caller TEXT,
    status TEXT NOT NULL,
    task TEXT NOT NULL,
    model TEXT NOT NULL,
    origin TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    due_at INTEGER,
    holder TEXT,
    until INTEGER,
    idempotency_key TEXT,
    request_hash TEXT,
    summary TEXT NOT NULL
);

-- To an index no null equals another, and whoever has no name shares one with all who have none.
CREATE UNIQUE INDEX IF NOT EXISTS run_by_key ON run (coalesce(caller, ''), idempotency_key)
WHERE idempotency_key IS NOT NULL;

CREATE INDEX IF NOT EXISTS run_by_caller ON run (caller, created_at, run_id);

CREATE INDEX IF NOT EXISTS run_by_due ON run (due_at) WHERE due_at IS NOT NULL;

-- Of what has ended alone: each step of a run under way would move it there.
CREATE INDEX IF NOT EXISTS run_by_end ON run (updated_at) WHERE status IN ('completed', 'failed', 'aborted');

-- The journal. Its key is what two drivers cannot both have. `size` stands before what it is the size of,
-- so that a page is measured without reading what is not on it.
CREATE TABLE IF NOT EXISTS run_entry (
    run_id TEXT NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    size INTEGER NOT NULL,
    blob TEXT,
    body TEXT,
    UNIQUE (run_id, n)
);

-- What clients are shown, and which entry was the last when it happened.
CREATE TABLE IF NOT EXISTS run_event (
    run_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    n INTEGER NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (run_id, sequence)
);

CREATE TABLE IF NOT EXISTS run_checkpoint (
    run_id TEXT NOT NULL,
    n INTEGER NOT NULL,
    machine TEXT NOT NULL,
    version INTEGER NOT NULL,
    sum TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (run_id, n)
);

CREATE TABLE IF NOT EXISTS run_inbox (
    run_id TEXT NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (run_id, id)
);

-- Long bodies, once for all runs that have them.
CREATE TABLE IF NOT EXISTS blob (
    hash TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS run_blob (
    run_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (run_id, hash)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS run_blob_by_hash ON run_blob (hash);

-- A blob and that a run names it. Not without the run: nothing would ever delete it.
CREATE VIEW IF NOT EXISTS run_blob_put (run_id, hash, body) AS
SELECT run_blob.run_id, hash, body FROM run_blob JOIN blob USING (hash);

CREATE TRIGGER IF NOT EXISTS run_blob_put_insert INSTEAD OF INSERT ON run_blob_put
WHEN EXISTS (SELECT 1 FROM run WHERE run_id = NEW.run_id)
BEGIN
    INSERT OR IGNORE INTO blob (hash, body) VALUES (NEW.hash, NEW.body);
    INSERT OR IGNORE INTO run_blob (run_id, hash) VALUES (NEW.run_id, NEW.hash);
END;

-- The birth of a run, by itself or from the first entries of another. When its key is taken, or the other
-- has no such entry, there is no run and nothing else is written. To be born again changes nothing.
CREATE VIEW IF NOT EXISTS run_birth (run_id, caller, status, task, model, now, due_at, idempotency_key,
    request_hash, summary, origin, origin_n, entries, events, blobs) AS
SELECT run_id, caller, status, task, model, created_at, due_at, idempotency_key,
    request_hash, summary, origin, NULL, NULL, NULL, NULL FROM run;

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
    INSERT OR IGNORE INTO run_checkpoint (run_id, n, machine, version, sum, body)
    SELECT NEW.run_id, n, machine, version, sum, body FROM run_checkpoint
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
    INSERT OR IGNORE INTO run_event (run_id, sequence, n, name, size, data)
    SELECT NEW.run_id, value ->> 'sequence',
        coalesce(NEW.origin_n, 0) + json_array_length(NEW.entries),
        value ->> 'name', value ->> 'size', value ->> 'data'
    FROM json_each(NEW.events) WHERE EXISTS (SELECT 1 FROM run WHERE run_id = NEW.run_id);
END;

-- What one wake-up of a run brought, whole or not at all. A lease that is an hour ahead was given by a clock
-- that went wrong, and is none.
CREATE VIEW IF NOT EXISTS run_step (run_id, holder, now, until, n, entries, events, blobs, checkpoint,
    machine, version, sum, status, due_at, summary, taken) AS
SELECT run_id, holder, updated_at, until, NULL, NULL, NULL, NULL, NULL,
    NULL, NULL, NULL, status, due_at, summary, NULL FROM run;

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
    -- What came in meanwhile wants to be taken.
    UPDATE run SET status = NEW.status, updated_at = NEW.now, holder = NEW.holder, until = NEW.until,
        summary = coalesce(NEW.summary, summary), due_at = CASE
            WHEN NEW.status NOT IN ('queued', 'running') THEN NULL
            WHEN EXISTS (SELECT 1 FROM run_inbox WHERE run_id = NEW.run_id) THEN 0
            ELSE NEW.due_at END
    WHERE run_id = NEW.run_id;
END;

-- Whoever drives takes it; if nobody does, it is time to.
CREATE TRIGGER IF NOT EXISTS run_inbox_insert AFTER INSERT ON run_inbox
BEGIN
    UPDATE run SET due_at = 0 WHERE run_id = NEW.run_id AND status IN ('queued', 'running');
END;

-- A run is deleted with all that is its own.
CREATE TRIGGER IF NOT EXISTS run_delete AFTER DELETE ON run
BEGIN
    DELETE FROM run_entry WHERE run_id = OLD.run_id;
    DELETE FROM run_event WHERE run_id = OLD.run_id;
    DELETE FROM run_checkpoint WHERE run_id = OLD.run_id;
    DELETE FROM run_inbox WHERE run_id = OLD.run_id;
    DELETE FROM blob WHERE hash IN (SELECT hash FROM run_blob WHERE run_id = OLD.run_id)
        AND NOT EXISTS (SELECT 1 FROM run_blob WHERE hash = blob.hash AND run_id <> OLD.run_id);
    DELETE FROM run_blob WHERE run_id = OLD.run_id;
END;

-- The birth of a run, by itself or from the first entries of another, anew: each event says which entry was the
-- last when it happened, and a fork takes no checkpoint over, because its origin's ends are not told in it.
DROP TRIGGER IF EXISTS run_birth_insert;

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
    INSERT OR IGNORE INTO run_event (run_id, sequence, n, name, size, data)
    SELECT NEW.run_id, value ->> 'sequence',
        coalesce(value ->> 'n', coalesce(NEW.origin_n, 0) + json_array_length(NEW.entries)),
        value ->> 'name', value ->> 'size', value ->> 'data'
    FROM json_each(NEW.events) WHERE EXISTS (SELECT 1 FROM run WHERE run_id = NEW.run_id);
END;

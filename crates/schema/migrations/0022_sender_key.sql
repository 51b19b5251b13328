-- Which request a key of its sender's means, by each ask that was begun with it. It is written with the place of that ask,
-- and with its note where none stood, so that no key means what has no place. Whoever is killed before the first of its log
-- leaves the key to that same request. It lasts as long as a mark beside the log of the ask: whatever takes the log away
-- takes the key.
CREATE TABLE IF NOT EXISTS sender_key (
    key TEXT NOT NULL,
    ask TEXT NOT NULL,
    request TEXT NOT NULL,
    PRIMARY KEY (key, ask)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS sender_key_by_ask ON sender_key (ask);

CREATE TRIGGER IF NOT EXISTS log_value_keyed AFTER DELETE ON log_value WHEN OLD.place = 'keyed'
BEGIN
    DELETE FROM sender_key WHERE ask = OLD.log;
END;

DROP TRIGGER IF EXISTS ask_begun_insert;

DROP VIEW IF EXISTS ask_begun;

-- Without a number it takes no place: then its note is written here, which the place would have written.
CREATE VIEW IF NOT EXISTS ask_begun (number, holder, until, note, kept, items, name, key, request) AS
SELECT number, holder, until, note, NULL, NULL, NULL, NULL, NULL FROM ask_place;

CREATE TRIGGER IF NOT EXISTS ask_begun_insert INSTEAD OF INSERT ON ask_begun
BEGIN
    INSERT OR REPLACE INTO ask_place (number, holder, until, note)
    SELECT NEW.number, NEW.holder, NEW.until, NEW.note WHERE NEW.number IS NOT NULL;
    INSERT INTO log_value (log, place, value) SELECT NEW.note, 'begun', CAST(NEW.holder AS BLOB)
    WHERE NEW.number IS NULL AND NEW.note IS NOT NULL;
    INSERT INTO sender_key (key, ask, request) SELECT NEW.key, NEW.holder, NEW.request WHERE NEW.key IS NOT NULL
    ON CONFLICT (key, ask) DO NOTHING;
    INSERT INTO log_value (log, place, value) SELECT NEW.holder, 'keyed', x'' WHERE NEW.key IS NOT NULL
    ON CONFLICT (log, place) DO NOTHING;
    INSERT INTO log_value (log, place, value) SELECT NEW.holder, 'kept', NEW.kept WHERE NEW.kept IS NOT NULL
    ON CONFLICT (log, place) DO NOTHING;
    INSERT INTO log_value (log, place, value) SELECT NEW.items, 'begun', CAST(NEW.holder AS BLOB) WHERE NEW.items IS NOT NULL
    ON CONFLICT (log, place) DO NOTHING;
    INSERT INTO log_value (log, place, value) SELECT NEW.name, 'begun', CAST(NEW.holder AS BLOB) WHERE NEW.name IS NOT NULL
    ON CONFLICT (log, place) DO UPDATE SET value = excluded.value WHERE value < excluded.value
        OR NOT EXISTS (SELECT 1 FROM ask_place WHERE holder = CAST(log_value.value AS TEXT));
END;

-- What is written of an ask with its place, in the same statement: what its door keeps, and two more logs to note it in. By
-- the one its items are found, and where it stands nothing is noted anew; the other is a name that may be given again, and
-- leads to the newest. Logs' names begin with the time of their birth, so of two the greater is the newer.
CREATE VIEW IF NOT EXISTS ask_begun (number, holder, until, note, kept, items, name) AS
SELECT number, holder, until, note, NULL, NULL, NULL FROM ask_place;

CREATE TRIGGER IF NOT EXISTS ask_begun_insert INSTEAD OF INSERT ON ask_begun
BEGIN
    INSERT OR REPLACE INTO ask_place (number, holder, until, note)
    VALUES (NEW.number, NEW.holder, NEW.until, NEW.note);
    INSERT INTO log_value (log, place, value) SELECT NEW.holder, 'kept', NEW.kept WHERE NEW.kept IS NOT NULL
    ON CONFLICT (log, place) DO NOTHING;
    INSERT INTO log_value (log, place, value) SELECT NEW.items, 'begun', CAST(NEW.holder AS BLOB) WHERE NEW.items IS NOT NULL
    ON CONFLICT (log, place) DO NOTHING;
    INSERT INTO log_value (log, place, value) SELECT NEW.name, 'begun', CAST(NEW.holder AS BLOB) WHERE NEW.name IS NOT NULL
    ON CONFLICT (log, place) DO UPDATE SET value = excluded.value WHERE value < excluded.value;
END;

-- A name makes way whatever the clocks say once nobody works on what it leads to: then nothing older can be meant. Of
-- two that are under way the greater is the newer still.
DROP TRIGGER IF EXISTS ask_begun_insert;

CREATE TRIGGER IF NOT EXISTS ask_begun_insert INSTEAD OF INSERT ON ask_begun
BEGIN
    INSERT OR REPLACE INTO ask_place (number, holder, until, note)
    VALUES (NEW.number, NEW.holder, NEW.until, NEW.note);
    INSERT INTO log_value (log, place, value) SELECT NEW.holder, 'kept', NEW.kept WHERE NEW.kept IS NOT NULL
    ON CONFLICT (log, place) DO NOTHING;
    INSERT INTO log_value (log, place, value) SELECT NEW.items, 'begun', CAST(NEW.holder AS BLOB) WHERE NEW.items IS NOT NULL
    ON CONFLICT (log, place) DO NOTHING;
    INSERT INTO log_value (log, place, value) SELECT NEW.name, 'begun', CAST(NEW.holder AS BLOB) WHERE NEW.name IS NOT NULL
    ON CONFLICT (log, place) DO UPDATE SET value = excluded.value WHERE value < excluded.value
        OR NOT EXISTS (SELECT 1 FROM ask_place WHERE holder = CAST(log_value.value AS TEXT));
END;

-- Places among the asks under way, each with who has it until when (milliseconds since 1970), and the log to note in
-- which ask its request began. Both are done at once, so that the same request, sent again, takes no second place.
CREATE TABLE IF NOT EXISTS ask_place (
    number INTEGER PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL,
    note TEXT
);

-- Another process may be at the end of this file already.
CREATE TABLE IF NOT EXISTS slot (
    number INTEGER PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
);

INSERT OR IGNORE INTO ask_place (number, holder, until) SELECT number, holder, until FROM slot;

CREATE TRIGGER IF NOT EXISTS ask_place_noted AFTER INSERT ON ask_place WHEN NEW.note IS NOT NULL
BEGIN
    INSERT INTO log_value (log, place, value) VALUES (NEW.note, 'begun', CAST(NEW.holder AS BLOB));
END;

-- As `log_end` was.
CREATE VIEW IF NOT EXISTS log_over (log, place, value, ask_place) AS
SELECT log, place, value, NULL FROM log_value;

CREATE TRIGGER IF NOT EXISTS log_over_insert INSTEAD OF INSERT ON log_over
BEGIN
    INSERT OR REPLACE INTO log_value (log, place, value) VALUES (NEW.log, NEW.place, NEW.value);
    DELETE FROM log_value WHERE log = NEW.log AND (place = 'state' OR place GLOB 'state/*');
    DELETE FROM ask_place WHERE number = NEW.ask_place AND holder = NEW.log;
END;

DROP TRIGGER IF EXISTS log_end_insert;

DROP VIEW IF EXISTS log_end;

DROP TABLE IF EXISTS slot;

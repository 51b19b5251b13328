-- The same values with their keys in an index. To compare keys, SQLite reads whole rows of a table without
-- row ids, pages and pages of value included: 310 reads of the file an ask.
CREATE TABLE IF NOT EXISTS log_value (
    log TEXT NOT NULL,
    place TEXT NOT NULL,
    value BLOB NOT NULL,
    UNIQUE (log, place)
);

-- Another process may be at the end of this file already.
CREATE TABLE IF NOT EXISTS journal (
    log TEXT NOT NULL,
    place TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (log, place)
) WITHOUT ROWID;

INSERT OR IGNORE INTO log_value (log, place, value) SELECT log, place, value FROM journal;

-- What replaces a thing has a name of its own: another process may make the old one anew.
CREATE VIEW IF NOT EXISTS log_end (log, place, value, slot) AS
SELECT log, place, value, NULL FROM log_value;

CREATE TRIGGER IF NOT EXISTS log_end_insert INSTEAD OF INSERT ON log_end
BEGIN
    INSERT OR REPLACE INTO log_value (log, place, value) VALUES (NEW.log, NEW.place, NEW.value);
    DELETE FROM log_value WHERE log = NEW.log AND (place = 'state' OR place GLOB 'state/*');
    DELETE FROM slot WHERE number = NEW.slot AND holder = NEW.log;
END;

DROP TRIGGER IF EXISTS closing_insert;

DROP VIEW IF EXISTS closing;

DROP TABLE IF EXISTS journal;

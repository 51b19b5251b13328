-- What is left to do when a log is over for good, as one statement: its last part is written, its
-- snapshot goes with all its pieces, its place among those under way is free.
CREATE VIEW IF NOT EXISTS closing (log, place, value, slot) AS
SELECT log, place, value, NULL FROM journal;

CREATE TRIGGER IF NOT EXISTS closing_insert INSTEAD OF INSERT ON closing
BEGIN
    INSERT OR REPLACE INTO journal (log, place, value) VALUES (NEW.log, NEW.place, NEW.value);
    DELETE FROM journal WHERE log = NEW.log AND (place = 'state' OR place GLOB 'state/*');
    DELETE FROM slot WHERE number = NEW.slot AND holder = NEW.log;
END;

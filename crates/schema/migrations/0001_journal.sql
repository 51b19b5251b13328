-- Values of logs under way. A log's id begins with the time of its birth, so that what is old is
-- found without reading a value.
CREATE TABLE IF NOT EXISTS journal (
    log TEXT NOT NULL,
    place TEXT NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (log, place)
) WITHOUT ROWID;

-- Places among the logs under way, each with who has it until when (milliseconds since 1970).
CREATE TABLE IF NOT EXISTS slot (
    number INTEGER PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
);

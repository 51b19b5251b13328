-- Documents of one's own. Collections, by whom they belong to; an empty owner: everybody without a name.
CREATE TABLE IF NOT EXISTS knowledge_collection (
    collection INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    manifest TEXT NOT NULL,
    UNIQUE (owner, name)
);

-- Documents as they were loaded: a changed one is another row. Readers see those that are live; the others are
-- being loaded, or a load that died left them.
CREATE TABLE IF NOT EXISTS knowledge_document (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL,
    id TEXT NOT NULL,
    live INTEGER NOT NULL,
    staged_at INTEGER NOT NULL,
    category TEXT,
    source_org TEXT,
    chunks INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    record TEXT NOT NULL
);

CREATE UNIQUE INDEX IF NOT EXISTS knowledge_document_by_id ON knowledge_document (id, collection) WHERE live = 1;

-- Holds what is counted, so that no record is read for it.
CREATE INDEX IF NOT EXISTS knowledge_document_by_collection ON knowledge_document (collection, number, chunks, bytes)
WHERE live = 1;

CREATE INDEX IF NOT EXISTS knowledge_document_by_stage ON knowledge_document (staged_at) WHERE live = 0;

CREATE TABLE IF NOT EXISTS knowledge_chunk (
    document INTEGER NOT NULL,
    n INTEGER NOT NULL,
    place TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (document, n)
);

-- The parts of indexes, which never change: a change writes new ones. Each in pieces, because a host may bound
-- what a row has.
CREATE TABLE IF NOT EXISTS knowledge_blob (
    blob TEXT NOT NULL UNIQUE,
    collection INTEGER NOT NULL,
    live INTEGER NOT NULL,
    staged_at INTEGER NOT NULL
);

CREATE INDEX IF NOT EXISTS knowledge_blob_by_stage ON knowledge_blob (staged_at) WHERE live = 0;

CREATE TABLE IF NOT EXISTS knowledge_piece (
    blob TEXT NOT NULL,
    piece INTEGER NOT NULL,
    value BLOB NOT NULL,
    UNIQUE (blob, piece)
);

CREATE TRIGGER IF NOT EXISTS knowledge_document_delete AFTER DELETE ON knowledge_document
BEGIN
    DELETE FROM knowledge_chunk WHERE document = OLD.number;
END;

CREATE TRIGGER IF NOT EXISTS knowledge_blob_delete AFTER DELETE ON knowledge_blob
BEGIN
    DELETE FROM knowledge_piece WHERE blob = OLD.blob;
END;

-- The next version of a collection, whole or not at all: a document goes, another becomes live, and with them the
-- parts of the index.
CREATE VIEW IF NOT EXISTS knowledge_commit (collection, version, now, manifest, added, dropped, blobs, gone) AS
SELECT collection, version, updated_at, manifest, NULL, NULL, NULL, NULL FROM knowledge_collection;

CREATE TRIGGER IF NOT EXISTS knowledge_commit_insert INSTEAD OF INSERT ON knowledge_commit
BEGIN
    SELECT RAISE(ABORT, 'collection has gone on')
    WHERE NOT EXISTS (
        SELECT 1 FROM knowledge_collection WHERE collection = NEW.collection AND version = NEW.version);
    SELECT RAISE(ABORT, 'what was staged is gone')
    WHERE (NEW.added IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM knowledge_document WHERE number = NEW.added AND live = 0))
        OR EXISTS (SELECT 1 FROM json_each(NEW.blobs)
            WHERE value NOT IN (SELECT blob FROM knowledge_blob WHERE live = 0));
    DELETE FROM knowledge_document WHERE number = NEW.dropped AND collection = NEW.collection;
    UPDATE knowledge_document SET live = 1 WHERE number = NEW.added;
    UPDATE knowledge_blob SET live = 1 WHERE blob IN (SELECT value FROM json_each(NEW.blobs));
    DELETE FROM knowledge_blob
    WHERE blob IN (SELECT value FROM json_each(NEW.gone)) AND collection = NEW.collection;
    UPDATE knowledge_collection SET version = version + 1, updated_at = NEW.now, manifest = NEW.manifest
    WHERE collection = NEW.collection;
END;

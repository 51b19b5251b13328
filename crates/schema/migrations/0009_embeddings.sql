-- Texts as vectors of a provider's model, by a hash of model and text: what was paid for once. One that no document
-- has is kept for a while: a load that died begins again, a question is asked again.
CREATE TABLE IF NOT EXISTS knowledge_embedding (
    hash TEXT NOT NULL UNIQUE,
    -- When it came; none: a document has it.
    idle_since INTEGER,
    value BLOB NOT NULL
);

CREATE INDEX IF NOT EXISTS knowledge_embedding_idle ON knowledge_embedding (idle_since) WHERE idle_since IS NOT NULL;

-- Which documents have which vectors; `model` tells those of a collection's model from those of the one before.
CREATE TABLE IF NOT EXISTS knowledge_embedding_use (
    document INTEGER NOT NULL,
    model INTEGER NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (document, hash)
);

CREATE INDEX IF NOT EXISTS knowledge_embedding_use_by_hash ON knowledge_embedding_use (hash);

CREATE TRIGGER IF NOT EXISTS knowledge_embedding_use_insert AFTER INSERT ON knowledge_embedding_use
BEGIN
    UPDATE knowledge_embedding SET idle_since = NULL WHERE hash = NEW.hash AND idle_since IS NOT NULL;
END;

-- The last document that has a vector takes it away.
CREATE TRIGGER IF NOT EXISTS knowledge_embedding_use_delete AFTER DELETE ON knowledge_embedding_use
BEGIN
    DELETE FROM knowledge_embedding
    WHERE hash = OLD.hash AND idle_since IS NULL
        AND NOT EXISTS (SELECT 1 FROM knowledge_embedding_use WHERE hash = OLD.hash);
END;

-- A load that is given up leaves what it paid for to the next.
CREATE TRIGGER IF NOT EXISTS knowledge_document_delete_embeddings AFTER DELETE ON knowledge_document
BEGIN
    UPDATE knowledge_embedding SET idle_since = OLD.staged_at
    WHERE OLD.live = 0
        AND hash IN (SELECT hash FROM knowledge_embedding_use WHERE document = OLD.number)
        AND NOT EXISTS (SELECT 1 FROM knowledge_embedding_use AS other
            WHERE other.hash = knowledge_embedding.hash AND other.document <> OLD.number);
    DELETE FROM knowledge_embedding_use WHERE document = OLD.number;
END;

-- How far whoever embeds a collection anew is.
CREATE TABLE IF NOT EXISTS knowledge_embedder_progress (
    collection INTEGER NOT NULL UNIQUE,
    holder TEXT NOT NULL,
    -- Chunks that have their vector, of so many.
    done INTEGER NOT NULL,
    chunks INTEGER NOT NULL
);

CREATE TRIGGER IF NOT EXISTS knowledge_embedder_delete AFTER DELETE ON knowledge_embedder
BEGIN
    DELETE FROM knowledge_embedder_progress WHERE collection = OLD.collection;
END;

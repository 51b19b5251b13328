-- Who is having which texts embedded just now: nobody else pays for them, and all take the vectors when they are
-- there. One who died has them until then.
CREATE TABLE IF NOT EXISTS knowledge_embedding_claim (
    hash TEXT NOT NULL UNIQUE,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
);

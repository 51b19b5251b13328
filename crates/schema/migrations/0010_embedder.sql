-- Who embeds a collection anew just now: one at a time, because each text is paid for. One who died has it until then.
CREATE TABLE IF NOT EXISTS knowledge_embedder (
    collection INTEGER NOT NULL UNIQUE,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
);

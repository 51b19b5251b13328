-- What was paid for the vectors of a collection, by model, whatever became of those who paid it.
CREATE TABLE IF NOT EXISTS knowledge_embedding_cost (
    collection INTEGER NOT NULL,
    model TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    -- Billionths of a US dollar, of those that have a known price.
    nano_usd INTEGER NOT NULL,
    -- Replies of which no price is known.
    unpriced INTEGER NOT NULL,
    UNIQUE (collection, model)
);

-- What manifests said of it before.
INSERT OR IGNORE INTO knowledge_embedding_cost (collection, model, tokens, nano_usd, unpriced)
SELECT collection, own ->> '$.model', coalesce(own ->> '$.tokens', 0), coalesce(own ->> '$.nano_usd', 0),
    own ->> '$.nano_usd' IS NULL
FROM (
    SELECT collection, CASE WHEN json_valid(manifest) THEN json_extract(manifest, '$.embedding') END AS own
    FROM knowledge_collection)
WHERE own ->> '$.model' IS NOT NULL;

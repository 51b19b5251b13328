-- Uses of a model that a collection has left: `model` is below zero there, and says since when, in milliseconds. Who goes
-- back to it soon pays for nothing twice.
CREATE INDEX IF NOT EXISTS knowledge_embedding_use_left ON knowledge_embedding_use (model) WHERE model < 0;

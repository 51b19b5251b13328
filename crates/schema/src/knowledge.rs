//! Documents of one's own: collections, documents, chunks, and the parts of indexes.
//!
//! A load stages what it brings where no reader looks, and then one statement makes it live. What is packed is
//! one value of JSON, because a row costs more than what stands in it.

/// Brings the write-ahead log into the file and empties it, so that nothing of what was deleted stays there: a row
/// of 0 first where that worked, and of 1 where a reader was in the way.
pub const EMPTY_LOG: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

/// Begins a collection, if there is none: parameters owner, name, now and an empty manifest.
pub const BEGIN: &str =
    "INSERT INTO knowledge_collection (owner, name, version, created_at, updated_at, manifest)
     VALUES (?1, ?2, 0, ?3, ?3, ?4) ON CONFLICT (owner, name) DO NOTHING";

/// A collection: parameters owner and name; a row of its number, version and manifest.
pub const FIND: &str = "SELECT collection, version, manifest FROM knowledge_collection
     WHERE owner = ?1 AND name = ?2";

/// The manifest of a collection as it stands: parameter its number.
pub const MANIFEST: &str = "SELECT manifest FROM knowledge_collection WHERE collection = ?1";

/// The record of a document: parameter its number.
pub const RECORD: &str = "SELECT record FROM knowledge_document WHERE number = ?1 AND live = 1";

/// The collections of an owner that have had a document: parameter the owner; a row of name, documents, chunks, when it
/// was created and when changed, packed.
pub const COLLECTIONS: &str =
    "SELECT json_group_array(json_array(name, documents, chunks, created_at, updated_at)) FROM (
         SELECT name, count(number) AS documents, coalesce(sum(chunks), 0) AS chunks, created_at, updated_at
         FROM knowledge_collection LEFT JOIN knowledge_document
             ON knowledge_document.collection = knowledge_collection.collection AND live = 1
         WHERE owner = ?1 AND version > 0 GROUP BY knowledge_collection.collection ORDER BY name)";

/// What a collection has: parameter its number; a row of documents, chunks, bytes, when it was created and when
/// changed, and its categories with how many documents each has, packed.
pub const STATS: &str = "SELECT json_array(
         (SELECT count(*) FROM knowledge_document WHERE collection = ?1 AND live = 1),
         (SELECT coalesce(sum(chunks), 0) FROM knowledge_document WHERE collection = ?1 AND live = 1),
         (SELECT coalesce(sum(bytes), 0) FROM knowledge_document WHERE collection = ?1 AND live = 1),
         created_at, updated_at,
         json((SELECT json_group_array(json_array(category, documents)) FROM (
             SELECT coalesce(record ->> '$.metadata.category', '') AS category, count(*) AS documents
             FROM knowledge_document WHERE collection = ?1 AND live = 1 GROUP BY 1 ORDER BY 1))))
     FROM knowledge_collection WHERE collection = ?1";

/// A document that is live in a collection: parameters the collection's number, and id; a row of its number and
/// record.
pub const LIVE: &str = "SELECT number, record FROM knowledge_document
     WHERE id = ?2 AND collection = ?1 AND live = 1";

/// Chunks of a collection: parameter its number, a row of how many.
pub const COUNT: &str = "SELECT coalesce(sum(chunks), 0) FROM knowledge_document
     WHERE collection = ?1 AND live = 1";

/// Sets where a document that is live comes from: parameters its number, and the origin. No reader's version changes: an
/// index says nothing of it.
pub const SET_ORIGIN: &str =
    "UPDATE knowledge_document SET record = json_set(record, '$.origin', ?2)
     WHERE number = ?1 AND live = 1";

/// A document of an owner: parameters owner, and id; a row of its number, record, and its collection's name and
/// number.
pub const GET: &str = "SELECT number, record, name, knowledge_document.collection
     FROM knowledge_document JOIN knowledge_collection
         ON knowledge_collection.collection = knowledge_document.collection
     WHERE id = ?2 AND live = 1 AND owner = ?1";

/// Documents of a collection, the one loaded last first: parameters its number, the number behind which they
/// begin or null, how many at most, and their category in small letters or null for all; a row of numbers and records,
/// packed.
pub const LIST: &str = "SELECT json_group_array(json_array(number, record)) FROM (
         SELECT number, record FROM knowledge_document
         WHERE collection = ?1 AND live = 1 AND number < coalesce(?2, 9223372036854775807)
             AND (?4 IS NULL OR category = ?4)
         ORDER BY number DESC LIMIT ?3)";

/// Documents of a collection that a filter lets through: parameters its number, and three JSON arrays of
/// categories, source organisations, both in small letters, and ids; an empty one lets all through. A row of the
/// collection's version and of numbers, packed: another version has other numbers for the same documents.
pub const WITHIN: &str = "SELECT json_array(
         (SELECT version FROM knowledge_collection WHERE collection = ?1),
         json((SELECT json_group_array(number) FROM knowledge_document
             WHERE collection = ?1 AND live = 1
                 AND (json_array_length(?2) = 0 OR category IN (SELECT value FROM json_each(?2)))
                 AND (json_array_length(?3) = 0 OR source_org IN (SELECT value FROM json_each(?3)))
                 AND (json_array_length(?4) = 0 OR id IN (SELECT value FROM json_each(?4))))))";

/// Chunks of a document in their order: parameters its number, the first, and how many at most; a row of places
/// and texts, packed.
pub const CHUNKS: &str = "SELECT json_group_array(json_array(n, place, body)) FROM (
         SELECT n, place, body FROM knowledge_chunk WHERE document = ?1 AND n >= ?2 ORDER BY n LIMIT ?3)";

/// Chunks that were found: parameter a JSON array of pairs, a document's number and a chunk's; a row, packed, of
/// those that are still there, each with its document's record, in the order in which they were named.
pub const FOUND: &str =
    "SELECT json_group_array(json_array(document, n, place, body, id, record)) FROM (
         SELECT chunk.document, chunk.n, chunk.place, chunk.body, document.id, document.record
         FROM json_each(?1) AS wanted
         JOIN knowledge_chunk AS chunk ON chunk.document = wanted.value ->> 0 AND chunk.n = wanted.value ->> 1
         JOIN knowledge_document AS document ON document.number = chunk.document AND document.live = 1
         ORDER BY wanted.key)";

/// Stages a document: parameters the collection's number, id, now, category or null and source organisation or
/// null, both in small letters, chunks, bytes, and record; a row of its number.
pub const STAGE_DOCUMENT: &str =
    "INSERT INTO knowledge_document (collection, id, live, staged_at, category, source_org, chunks, bytes, record)
     VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING number";

/// Stages chunks: parameters the document's number, and a JSON array of numbers, places and texts. Of a document that
/// was taken away meanwhile nothing is staged.
pub const STAGE_CHUNKS: &str = "INSERT INTO knowledge_chunk (document, n, place, body)
     SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2)
     WHERE EXISTS (SELECT 1 FROM knowledge_document WHERE number = ?1)";

/// Says that a document which was staged is no dead load's: parameters its number, and now.
pub const TOUCH_DOCUMENT: &str = "UPDATE knowledge_document SET staged_at = ?2
     WHERE number = ?1 AND live = 0";

/// Stages a part of an index: parameters its name, the collection's number, and now.
pub const STAGE_BLOB: &str = "INSERT INTO knowledge_blob (blob, collection, live, staged_at)
     VALUES (?1, ?2, 0, ?3)";

/// Stages a piece of it: parameters its name, the piece's number, and bytes. Of a part that was taken away meanwhile
/// nothing is staged.
pub const STAGE_PIECE: &str = "INSERT INTO knowledge_piece (blob, piece, value) SELECT ?1, ?2, ?3
     WHERE EXISTS (SELECT 1 FROM knowledge_blob WHERE blob = ?1)";

/// Says that parts which were staged are no dead load's: parameters a JSON array of their names, and now.
pub const TOUCH_BLOBS: &str = "UPDATE knowledge_blob SET staged_at = ?2
     WHERE live = 0 AND blob IN (SELECT value FROM json_each(?1))";

/// The pieces of a part of an index in their order: parameter its name, a row for each.
pub const PIECES: &str = "SELECT value FROM knowledge_piece WHERE blob = ?1 ORDER BY piece";

/// The parts of the index of a collection that are live: parameter its number; a row of their names, packed.
pub const LIVE_BLOBS: &str = "SELECT json_group_array(blob) FROM knowledge_blob
     WHERE collection = ?1 AND live = 1";

/// The parts of indexes of a collection that are staged: parameter its number; a row of their names, packed. Who deletes
/// a document takes all of them away that are not its own: whoever made them from the version before makes others.
pub const STAGED_BLOBS: &str = "SELECT json_group_array(blob) FROM knowledge_blob
     WHERE collection = ?1 AND live = 0";

/// Makes the next version of a collection, or fails as a whole (see [`has_gone_on`]). Parameters: its number, the
/// version before, now, the manifest, the number of the document that is added or null, and of the one that is
/// dropped or null, JSON arrays of the parts of the index that become live, and of those that go.
pub const COMMIT: &str =
    "INSERT INTO knowledge_commit (collection, version, now, manifest, added, dropped, blobs, gone)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

/// Whether a failed [`COMMIT`] says that others were faster. What was staged is still there, and with the version
/// that is there now another try helps.
#[must_use]
pub fn has_gone_on(message: &str) -> bool {
    message.contains("collection has gone on")
}

/// Whether a failed [`COMMIT`] says that somebody took away what was staged, as who deletes a document does with what is
/// staged in its place.
#[must_use]
pub fn was_taken_away(message: &str) -> bool {
    message.contains("what was staged is gone")
}

/// Takes away what is staged in place of a document, by whom ever: parameters the owner and name of its collection,
/// and its id.
pub const DROP_STAGED: &str = "DELETE FROM knowledge_document WHERE id = ?3 AND live = 0
     AND collection = (SELECT collection FROM knowledge_collection WHERE owner = ?1 AND name = ?2)";

/// Gives up a document that was staged: parameter its number.
pub const DROP_DOCUMENT: &str = "DELETE FROM knowledge_document WHERE number = ?1 AND live = 0";

/// Gives up parts of an index that were staged: parameter a JSON array of names.
pub const DROP_BLOBS: &str = "DELETE FROM knowledge_blob
     WHERE live = 0 AND blob IN (SELECT value FROM json_each(?1))";

/// Deletes a document that a load which died left behind: parameter the time before which it was staged; a row if there
/// was one. One at a time, because writers wait for it.
pub const SWEEP_DOCUMENTS: &str = "DELETE FROM knowledge_document WHERE number IN (
         SELECT number FROM knowledge_document WHERE live = 0 AND staged_at < ?1 LIMIT 1) RETURNING 1";

/// The same for parts of indexes, some at a time; a row for each.
pub const SWEEP_BLOBS: &str = "DELETE FROM knowledge_blob WHERE blob IN (
         SELECT blob FROM knowledge_blob WHERE live = 0 AND staged_at < ?1 LIMIT 20) RETURNING 1";

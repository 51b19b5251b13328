//! Runs: their records, journals, events, checkpoints, long bodies, and what waits for their drivers.
//!
//! What is packed is one value of JSON, because a row costs more than what stands in it. The values to
//! write, and how packed ones are read, are `quarry_journal::run`'s.

/// Creates a run, by itself or from the first entries of another. Parameters: run, caller or null, status,
/// task, model, now, due or null, idempotency key or null, request hash or null, summary, origin or null, the
/// origin's last entry that is shared or null, entries, events, blobs, and the state after these entries with its
/// machine, version and sum or four nulls. Where the key is taken, also by an ask, or the
/// origin has no such entry, it changes nothing and does not fail; nor does it change a run that is there.
pub const CREATE: &str =
    "INSERT INTO run_birth (run_id, caller, status, task, model, now, due_at, idempotency_key,
         request_hash, summary, origin, origin_n, entries, events, blobs, checkpoint, machine, version, sum)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19
     WHERE NOT EXISTS (SELECT 1 FROM sender_key WHERE key = ?8)";

/// Whether an ask was begun with an idempotency key: parameter key, a row if so.
pub const BEGAN_ASK: &str = "SELECT 1 FROM sender_key WHERE key = ?1 LIMIT 1";

/// The run with an idempotency key: parameters caller or null, and key; a row of its id and request hash.
pub const FIND_BY_KEY: &str = "SELECT run_id, request_hash FROM run
     WHERE coalesce(caller, '') = coalesce(?1, '') AND idempotency_key = ?2";

/// Takes an idempotency key from the run that has it, where that was created up to a time: parameters caller or null,
/// key, and the time.
pub const FREE_KEY: &str = "UPDATE run SET idempotency_key = NULL, request_hash = NULL
     WHERE coalesce(caller, '') = coalesce(?1, '') AND idempotency_key = ?2 AND created_at <= ?3";

/// Takes an idempotency key from the run that has it, where that has ended: parameters caller or null, and key.
pub const FREE_KEY_OF_ENDED: &str = "UPDATE run SET idempotency_key = NULL, request_hash = NULL
     WHERE coalesce(caller, '') = coalesce(?1, '') AND idempotency_key = ?2
         AND status NOT IN ('queued', 'running')";

/// Keeps a text beside a run that is about to be created: parameters run, now, and the text.
pub const KEEP: &str = "INSERT INTO run_kept (run_id, at, body) VALUES (?1, ?2, ?3)
     ON CONFLICT (run_id) DO UPDATE SET body = excluded.body";

/// Forgets it where there is no such run: parameter run.
pub const UNKEEP: &str = "DELETE FROM run_kept
     WHERE run_id = ?1 AND NOT EXISTS (SELECT 1 FROM run WHERE run_id = ?1)";

/// What is known of a run without its journal: parameter run; a row of its status, the last event's sequence, and what
/// is kept beside it or null.
pub const KNOWN: &str = "SELECT status,
         (SELECT coalesce(max(sequence), 0) FROM run_event WHERE run_id = ?1),
         (SELECT body FROM run_kept WHERE run_id = ?1)
     FROM run WHERE run_id = ?1";

/// Appends to a journal, renews the lease and writes all that goes with it, or fails as a whole (see
/// [`Refusal`]). Parameters: run, holder, now, lease until, the first entry's number, entries, events, blobs,
/// a checkpoint after these entries with its machine, version and sum or four nulls, status, due or null,
/// summary or null (it stays), the ids taken from the inbox, the nodes that changed or null, and the searches that
/// others of the caller's runs may find or null.
pub const STEP: &str =
    "INSERT INTO run_step (run_id, holder, now, until, n, entries, events, blobs,
         checkpoint, machine, version, sum, status, due_at, summary, taken, nodes, searches)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)";

/// Writes long bodies before the step that names them: parameters run, and blobs. Nothing for a run that is
/// gone.
pub const PUT_BLOBS: &str = "INSERT INTO run_blob_put (run_id, hash, body)
     SELECT ?1, value ->> 'hash', value ->> 'body' FROM json_each(?2)";

/// Why a [`STEP`] was refused, where the store works. Nothing of it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The run is no longer the writer's: another has it, went on with it, or deleted it. No retry helps. If an earlier
    /// try of the same step may have worked, [`POSITION`] tells.
    Lost,
    /// Something lies in the inbox that the step has not taken, and that is to be heard before it: it begins something,
    /// or ends the run.
    Unheard,
}

impl Refusal {
    /// The words of each. They stand in the database's message, whatever it has around them.
    const WORDS: [(&str, Refusal); 6] = [
        ("run is gone", Refusal::Lost),
        ("run is held by another", Refusal::Lost),
        ("run has gone on", Refusal::Lost),
        ("UNIQUE constraint failed: run_entry.", Refusal::Lost),
        ("UNIQUE constraint failed: run_event.", Refusal::Lost),
        ("run was not heard", Refusal::Unheard),
    ];

    /// Reads it from the database's message. None: the store failed, and a retry may help.
    #[must_use]
    pub fn read(message: &str) -> Option<Self> {
        let (_, refusal) = Self::WORDS.into_iter().find(|(words, _)| message.contains(words))?;
        Some(refusal)
    }
}

/// Takes the lease: parameters run, holder, now, until when, how many runs may be driven at once or 0 for no bound, which
/// whoever holds the run already is within, and null or a journal's last entry. A row of the packed record when it is the
/// holder's now; none when another has it, or the run has ended and is not due, or there is none. It is due
/// then, so that a holder who dies before its first step leaves it to the next, and one that was just born, whose
/// creator has a head start, counts among those that are driven. Whoever brings a key names the entry behind which the run
/// waits: they have it from whoever waits with it, who has nothing under way, unless it has gone on since.
pub const TAKE: &str = "UPDATE run SET holder = ?2, until = ?4,
         due_at = iif(updated_at = created_at, min(coalesce(due_at, ?3), ?3), coalesce(due_at, ?3))
     WHERE run_id = ?1
         AND (holder IS NULL OR holder = ?2 OR until <= ?3 OR until > ?3 + 3600000
             OR (status = 'queued' AND ?6 = (SELECT max(n) FROM run_entry WHERE run_id = ?1)))
         AND (status IN ('queued', 'running') OR due_at <= ?3)
         AND (?5 = 0 OR holder = ?2 OR ?5 > (SELECT count(*) FROM run AS other
             WHERE other.due_at IS NOT NULL AND other.holder IS NOT NULL AND other.run_id <> ?1
                 AND other.until > ?3 AND other.until <= ?3 + 3600000
                 AND (other.status <> 'queued' OR other.due_at <= ?3)))
     RETURNING json_array(run_id, caller, status, task, model, origin, created_at, updated_at, due_at,
         holder, until, request_hash, summary)";

/// Takes a lease over that another hands on: parameters run, holder, now, until when, and the other's name. A row as of
/// [`TAKE`]; none when the other does not have it any more. The name changes with it, so that of two who know it one
/// has the run; who asks twice has it twice.
pub const TAKE_OVER: &str = "UPDATE run SET holder = ?2, until = ?4, due_at = coalesce(due_at, ?3)
     WHERE run_id = ?1 AND holder IN (?2, ?5) AND status IN ('queued', 'running')
     RETURNING json_array(run_id, caller, status, task, model, origin, created_at, updated_at, due_at,
         holder, until, request_hash, summary)";

/// How many runs are driven: parameter now, a row of one number. One that waits with its driver is none of them.
pub const DRIVEN: &str = "SELECT count(*) FROM run
     WHERE due_at IS NOT NULL AND holder IS NOT NULL AND until > ?1 AND until <= ?1 + 3600000
         AND (status <> 'queued' OR due_at <= ?1)";

/// Whether a run that has waited with its driver may go on: parameters run, now, and how many may be driven at once
/// or 0 for no bound; a row if so. Of those whose time has come, too, the longest due is first: so any number
/// that wake together go on one after the other, and none keeps another out for ever.
pub const ROOM: &str = "SELECT 1 FROM run AS own
     WHERE own.run_id = ?1
         AND (?3 = 0 OR ?3 > (SELECT count(*) FROM run AS other
             WHERE other.due_at IS NOT NULL AND other.holder IS NOT NULL AND other.run_id <> ?1
                 AND other.until > ?2 AND other.until <= ?2 + 3600000
                 AND (other.status <> 'queued'
                     OR (other.due_at <= ?2 AND (other.due_at, other.run_id) < (own.due_at, own.run_id)))))";

/// Gives the lease back: parameters run, holder, and when the run is to be driven next or null. If something
/// came in that nobody has taken, that is at once.
pub const RELEASE: &str = "UPDATE run SET holder = NULL, until = NULL, due_at = CASE
         WHEN status NOT IN ('queued', 'running') THEN NULL
         WHEN EXISTS (SELECT 1 FROM run_inbox WHERE run_id = ?1) THEN 0
         ELSE ?3 END
     WHERE run_id = ?1 AND holder = ?2";

/// Gives the lease back of a run that cannot be read, and puts it behind others that are due, whatever lies in its
/// inbox: parameters run, holder, and when it is tried again.
pub const PUT_OFF: &str = "UPDATE run SET holder = NULL, until = NULL, due_at = ?3
     WHERE run_id = ?1 AND holder = ?2 AND status IN ('queued', 'running')";

/// How far a run is: parameter run; a row of one packed value: holder or null, until or null, the last
/// entry's number and the last event's, 0 for none.
pub const POSITION: &str = "SELECT json_array(holder, until,
         (SELECT coalesce(max(n), 0) FROM run_entry WHERE run_id = ?1),
         (SELECT coalesce(max(sequence), 0) FROM run_event WHERE run_id = ?1))
     FROM run WHERE run_id = ?1";

/// The newest checkpoint: parameters run, and the last entry that it may stand for; a row of that entry's
/// number, machine, version, sum and body. The one before is found with a smaller number.
pub const CHECKPOINT: &str = "SELECT n, machine, version, sum, body FROM run_checkpoint
     WHERE run_id = ?1 AND n <= ?2 ORDER BY n DESC LIMIT 1";

/// Of which entries a state is kept: parameters run, an entry behind which they begin, and the last of them; a row of
/// one packed value, a list of numbers.
pub const CHECKPOINTS: &str = "SELECT json_group_array(n) FROM run_checkpoint
     WHERE run_id = ?1 AND n > ?2 AND n <= ?3";

/// Entries with their whole bodies: parameters run, the entry behind which they begin (0: the first), and
/// bytes of bodies at most, or one entry if it alone has more; a row of one packed value. An empty one: there
/// are no more.
pub const ENTRIES: &str =
    "SELECT json_group_array(json_array(n, at, kind, coalesce(page.body, blob.body), page.blob)) FROM (
         SELECT n, at, kind, blob, body FROM run_entry
         WHERE run_id = ?1 AND n > ?2 AND n <= (
             SELECT max(n) FROM (
                 SELECT n, size, sum(size) OVER (ORDER BY n) AS total FROM (
                     SELECT n, size FROM run_entry
                     WHERE run_id = ?1 AND n > ?2 ORDER BY n LIMIT 512))
             WHERE total <= ?3 OR total = size)
         ORDER BY n LIMIT 512
     ) AS page LEFT JOIN blob ON blob.hash = page.blob";

/// What another run of the same caller's found for a search: parameters run, intent, now, milliseconds that it may
/// be old, and results wanted; a row of one packed value: when it was found, for which query, by which run, and its
/// entry's body. None: nobody searched for it, it is too old, or the run is nobody's.
pub const SEARCHED: &str =
    "SELECT json_array(found.at, found.query, found.run_id, coalesce(entry.body, blob.body), entry.blob)
     FROM run AS own
     JOIN run_search AS found ON found.caller = own.caller AND found.intent = ?2
     JOIN run_entry AS entry ON entry.run_id = found.run_id AND entry.n = found.n
     LEFT JOIN blob ON blob.hash = entry.blob
     WHERE own.run_id = ?1 AND found.run_id <> ?1 AND found.results >= ?5
         AND found.until > ?3 AND found.at > ?3 - ?4 AND found.at <= ?3";

/// Events after a sequence, 200 or 256 KiB of them at most, or one if it alone has more: parameters run, and
/// sequence; a row of the run's status, the last event's sequence, and a packed value; none for a run that is
/// not there. No more will come when the run has ended and the last was read.
pub const EVENTS: &str = "SELECT status,
         (SELECT coalesce(max(sequence), 0) FROM run_event WHERE run_id = ?1),
         (SELECT json_group_array(json_array(sequence, name, data)) FROM (
             SELECT sequence, name, data FROM run_event
             WHERE run_id = ?1 AND sequence > ?2 AND sequence <= (
                 SELECT max(sequence) FROM (
                     SELECT sequence, size, sum(size) OVER (ORDER BY sequence) AS total FROM (
                         SELECT sequence, size FROM run_event
                         WHERE run_id = ?1 AND sequence > ?2 ORDER BY sequence LIMIT 200))
                 WHERE total <= 262144 OR total = size)
             ORDER BY sequence LIMIT 200))
     FROM run WHERE run_id = ?1";

/// The last entry that was in the journal when an event happened: parameters run, and sequence; a row of its
/// number.
pub const ENTRY_OF: &str = "SELECT n FROM run_event WHERE run_id = ?1 AND sequence = ?2";

/// A run's record: parameter run; a row of one packed value.
pub const RECORD: &str =
    "SELECT json_array(run_id, caller, status, task, model, origin, created_at,
         updated_at, due_at, holder, until, request_hash, summary)
     FROM run WHERE run_id = ?1";

/// A run as clients see it: parameter run; a row of the summary, how many of its nodes are kept, and these, a
/// JSON array.
pub const SHOWN: &str = "SELECT summary,
         (SELECT count(*) FROM run_node WHERE run_id = ?1),
         (SELECT '[' || coalesce(group_concat(body, ','), '') || ']' FROM (
             SELECT body FROM run_node WHERE run_id = ?1 ORDER BY n))
     FROM run WHERE run_id = ?1";

/// A caller's runs, newest first: parameters caller or null, status or null, the time of creation and the id
/// behind which they begin or two nulls, and how many at most; a row of packed records.
pub const LIST: &str =
    "SELECT json_group_array(json_array(run_id, caller, status, task, model, origin,
         created_at, updated_at, due_at, holder, until, request_hash, summary)) FROM (
         SELECT * FROM run
         WHERE caller IS ?1 AND status = coalesce(?2, status)
             AND (created_at, run_id) < (coalesce(?3, 9223372036854775807), coalesce(?4, ''))
         ORDER BY created_at DESC, run_id DESC LIMIT ?5)";

/// The runs that are due and that nobody drives, longest due first: parameters now, and how many at most; a
/// row of their ids, packed.
pub const DUE: &str = "SELECT json_group_array(run_id) FROM (
         SELECT run_id FROM run
         WHERE due_at <= ?1 AND status IN ('queued', 'running')
             AND (holder IS NULL OR until <= ?1 OR until > ?1 + 3600000)
         ORDER BY due_at, run_id LIMIT ?2)";

/// How often a run is given guidance at most: each is an event of it, and part of its prompts and its report.
pub const MOST_GUIDANCE: u32 = 200;

/// Leaves something for whoever drives, and makes the run due: parameters run, id, now, kind, and body. A row of the id
/// under which it lies there; none for a run that has ended, is not there, was given [`MOST_GUIDANCE`] already and is to
/// be given more, or is to be resumed while another wish to resume it lies there. To leave it again changes nothing, and
/// the same wish to resume it is the first once more, by whatever id: whoever never heard that it was taken sends it again.
pub const INBOX_PUT: &str = "INSERT INTO run_inbox (run_id, id, at, kind, body)
     SELECT ?1, coalesce((SELECT id FROM run_inbox
             WHERE run_id = ?1 AND kind = 'resume' AND ?4 = 'resume' AND body = ?5), ?2), ?3, ?4, ?5
     FROM run WHERE run_id = ?1 AND status IN ('queued', 'running')
         AND (?4 <> 'guidance' OR 200 >
             (SELECT count(*) FROM run_inbox WHERE run_id = ?1 AND kind = 'guidance' AND id <> ?2)
             + (SELECT count(*) FROM run_event WHERE run_id = ?1 AND name = 'guidance_received'))
         AND (?4 <> 'resume' OR NOT EXISTS
             (SELECT 1 FROM run_inbox WHERE run_id = ?1 AND kind = 'resume' AND body IS NOT ?5))
     ON CONFLICT (run_id, id) DO UPDATE SET id = excluded.id RETURNING id";

/// What lies there, in the order in which it came: parameter run; a row of one packed value. All of it, because a
/// [`STEP`] that leaves something out may be refused; [`INBOX_PUT`] has a bound. What is no text has no body: else
/// nothing could be read for its sake.
pub const INBOX_GET: &str = "SELECT json_group_array(json_array(id, body)) FROM (
         SELECT id, CASE typeof(body) WHEN 'text' THEN body END AS body
         FROM run_inbox WHERE run_id = ?1 ORDER BY rowid)";

/// Deletes a run that has ended, with all that is its own: parameter run; a row if it did.
pub const DELETE: &str = "DELETE FROM run
     WHERE run_id = ?1 AND status NOT IN ('queued', 'running') RETURNING run_id";

/// Deletes a run that has not ended and that nobody drives, for whoever cannot read it: parameters run, and now; a row if
/// it did.
pub const DELETE_LEFT: &str = "DELETE FROM run
     WHERE run_id = ?1 AND (holder IS NULL OR until <= ?2 OR until > ?2 + 3600000) RETURNING run_id";

/// Whether there are runs that ended before a time, or have waited for somebody since before another: parameters the
/// two times, a row if so. A run that waits for a time, or that somebody drives, is due.
pub const HAS_OLD: &str = "SELECT 1 FROM run
     WHERE status IN ('completed', 'failed', 'aborted') AND updated_at < ?1
     UNION ALL SELECT 1 FROM run
     WHERE status = 'queued' AND due_at IS NULL AND updated_at < ?2 LIMIT 1";

/// Deletes one of them: parameters the two times. One at a time, because a long one takes a tenth of a second and
/// writers wait for it; without rows, because a host may hold the database until the last of them is read.
pub const SWEEP: &str = "DELETE FROM run WHERE run_id IN (
         SELECT run_id FROM run
         WHERE status IN ('completed', 'failed', 'aborted') AND updated_at < ?1
         UNION ALL SELECT run_id FROM run
         WHERE status = 'queued' AND due_at IS NULL AND updated_at < ?2 LIMIT 1)";

#[cfg(test)]
mod tests;

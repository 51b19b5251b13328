//! Where the values of logs lie: what is under way in SQLite, where a write is cheap and what is
//! shared can be taken by one alone; what waits for a client in key-value.
//!
//! Where Spin keeps SQLite in memory it cannot be shared between connections, and where the operator granted none there is
//! none: then everything lies in key-value. There every key of a log begins with `log/<id>/`, and an id with its time of
//! birth, so that a sweep tells what is old without reading it; places among the logs under way, `slot/<n>`, are nobody's for
//! long, and no sweep looks at them.
//!
//! Border: what is kept, and for how long, is decided in `quarry-journal`.

mod error;
mod noted;

pub use error::ShelfError;

use crate::beside::Beside;
use quarry_journal::{
    Found, Lease, Place, Search, brief_due, failed_sweep, goes_with, is_swept, oldest_kept,
    sweep_due,
};
use quarry_rim::clock::{now, recently};
use quarry_rim::database::{Database, DatabaseError, RowResult, Value};
use quarry_rim::random;
use quarry_rim::store::Store;
use quarry_schema::{journal, slot};
use quarry_types::{AskId, Timestamp};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

/// When a sweep last ran, as milliseconds.
const SWEPT: &str = "log-swept";

/// What is written in key-value to see whether it takes writes.
const PROBED: &str = "log-probe";

/// How names begin that an earlier version gave to kept searches and rules of sites, one for each: nobody reads them.
const OUTGROWN: [&str; 2] = ["web/search/", "web/robots/"];

/// How the places of readers begin.
const READING: &str = "reading/";

/// The place of [`Place::Brief`].
const BRIEF: &str = "brief";

/// When this instance last looked for logs that are not kept as long as others. No data of anybody's.
static BRIEFLY: AtomicU64 = AtomicU64::new(0);

/// When this instance last looked whether a sweep is due. No data of anybody's.
static LOOKED: AtomicU64 = AtomicU64::new(0);

/// The stores, as one log sees them. Clones share the connections.
#[derive(Clone)]
pub struct Shelf {
    id: AskId,
    store: Rc<Store>,
    /// Whether whoever uses it lets go of what hangs.
    is_watched: bool,
}

/// Where the values of a place lie.
enum Home {
    KeyValue,
    Sqlite(Rc<Database>),
}

/// The name of a place in its log.
fn name(place: Place) -> String {
    match place {
        Place::Part(part) => format!("log/{part:06}"),
        Place::Alive => "alive".to_owned(),
        Place::Stop => "stop".to_owned(),
        Place::Snapshot => "state".to_owned(),
        Place::Piece { set, number } => format!("state/{}/{number:03}", u8::from(set)),
        Place::Continuation => "continuation".to_owned(),
        Place::ContinuationPiece(number) => format!("continuation/{number:03}"),
        Place::Left => "left".to_owned(),
        Place::Reading(number) => format!("{READING}{number:016x}"),
        Place::Begun => "begun".to_owned(),
        Place::Asked => "asked".to_owned(),
        Place::Keyed => "keyed".to_owned(),
        Place::Kept => "kept".to_owned(),
        Place::GoneOn => "gone-on".to_owned(),
        Place::Brief => BRIEF.to_owned(),
        Place::Slot(number) => number.to_string(),
    }
}

impl Shelf {
    pub async fn open(id: AskId) -> Result<Self, ShelfError> {
        Ok(Shelf { id, store: Store::open().await?, is_watched: false })
    }

    /// For whoever lets go of what hangs: nothing is timed here then.
    pub fn watched(mut self) -> Self {
        self.is_watched = true;
        self
    }

    async fn run(
        &self,
        database: &Database,
        statement: &str,
        values: impl IntoIterator<Item = Value>,
    ) -> Result<Vec<RowResult>, DatabaseError> {
        let values: Vec<Value> = values.into_iter().collect();
        match self.is_watched {
            true => database.execute_unbounded(statement, &values).await,
            false => database.execute(statement, &values).await,
        }
    }

    async fn home(&self, place: Place) -> Result<Home, ShelfError> {
        match place {
            Place::Continuation | Place::ContinuationPiece(_) => Ok(Home::KeyValue),
            _ => shared().await,
        }
    }

    /// The key in key-value.
    fn key(&self, place: Place) -> String {
        match place {
            Place::Slot(number) => format!("slot/{number}"),
            _ => format!("log/{}/{}", self.id, name(place)),
        }
    }

    /// What a statement needs to find the value.
    fn row(&self, place: Place) -> [Value; 2] {
        [self.id.to_string().into(), name(place).into()]
    }

    pub async fn get(&self, place: Place) -> Result<Option<Vec<u8>>, ShelfError> {
        let Home::Sqlite(database) = self.home(place).await? else {
            return Ok(self.store.get(&self.key(place)).await?);
        };
        let rows = self.run(&database, journal::GET, self.row(place)).await?;
        let value = rows.into_iter().next().and_then(|row| row.values.into_iter().next());
        Ok(match value {
            Some(Value::Blob(bytes)) => Some(bytes),
            _ => None,
        })
    }

    pub async fn has(&self, place: Place) -> Result<bool, ShelfError> {
        match self.home(place).await? {
            Home::KeyValue => Ok(self.store.exists(&self.key(place)).await?),
            Home::Sqlite(database) => {
                Ok(!self.run(&database, journal::HAS, self.row(place)).await?.is_empty())
            }
        }
    }

    /// Whether something says that this log comes, though nothing of it is there: what is kept beside it or, where SQLite is to
    /// be had, its place among those under way.
    pub async fn is_awaited(&self) -> Result<bool, ShelfError> {
        let Home::Sqlite(database) = self.home(Place::Kept).await? else {
            return self.has(Place::Kept).await;
        };
        let id = self.id.to_string().into();
        Ok(!self.run(&database, journal::IS_AWAITED, [id]).await?.is_empty())
    }

    pub async fn set(&self, place: Place, value: &[u8]) -> Result<(), ShelfError> {
        let Home::Sqlite(database) = self.home(place).await? else {
            if self.may_write(place).await? {
                self.store.set(&self.key(place), value).await?;
            }
            return Ok(());
        };
        if let (Place::Slot(number), Some(Lease { until, holder })) = (place, Lease::read(value)) {
            let values = [number.into(), holder.into(), moment(until)];
            self.run(&database, slot::RENEW, values).await?;
        } else {
            let [log, place] = self.row(place);
            self.run(&database, journal::SET, [log, place, value.into()]).await?;
        }
        Ok(())
    }

    /// Writes a part where there is none, or the same; whether it is there now. Without compare-and-swap that is seen as long
    /// as nobody else writes one in this very moment.
    pub async fn add(&self, place: Place, value: &[u8]) -> Result<bool, ShelfError> {
        let Home::Sqlite(database) = self.home(place).await? else {
            let is_free = self.is_free_for(place, value).await?;
            if is_free {
                self.store.set(&self.key(place), value).await?;
            }
            return Ok(is_free);
        };
        let [log, place] = self.row(place);
        Ok(!self.run(&database, journal::ADD, [log, place, value.into()]).await?.is_empty())
    }

    async fn is_free_for(&self, place: Place, value: &[u8]) -> Result<bool, ShelfError> {
        Ok(self.store.get(&self.key(place)).await?.is_none_or(|found| found == value))
    }

    /// Writes what nobody reads.
    pub async fn probe(&self) -> Result<(), ShelfError> {
        match shared().await? {
            Home::KeyValue => self.store.set(PROBED, b"probe").await?,
            Home::Sqlite(database) => drop(self.run(&database, journal::PROBE, []).await?),
        }
        Ok(())
    }

    /// Writes a value, and one at a place of another log, each where there is none: at once, where SQLite is to be had.
    pub async fn claim_both(
        &self,
        (place, value): (Place, &[u8]),
        (other, beside, noted): (AskId, Place, &[u8]),
    ) -> Result<(), ShelfError> {
        let other = Shelf { id: other, ..self.clone() };
        let Home::Sqlite(database) = self.home(place).await? else {
            self.claim(place, value, None).await?;
            other.claim(beside, noted, None).await?;
            return Ok(());
        };
        let ([log, place], [other, beside]) = (self.row(place), other.row(beside));
        let values = [log, place, value.into(), other, beside, noted.into()];
        self.run(&database, journal::CLAIM_TWO, values).await?;
        Ok(())
    }

    /// Writes a value where there is none, or where this one is there; whether it is there now. Of two who do at
    /// the same time one succeeds, where SQLite is to be had.
    pub async fn claim(
        &self,
        place: Place,
        value: &[u8],
        instead_of: Option<&[u8]>,
    ) -> Result<bool, ShelfError> {
        let Home::Sqlite(database) = self.home(place).await? else {
            let found = self.store.get(&self.key(place)).await?;
            let is_free = found.is_none() || found.as_deref() == instead_of;
            if is_free {
                self.store.set(&self.key(place), value).await?;
            }
            return Ok(is_free);
        };
        let [log, place] = self.row(place);
        let instead_of = instead_of.map_or(Value::Null, Value::from);
        let rows = self.run(&database, journal::CLAIM, [log, place, value.into(), instead_of]);
        Ok(!rows.await?.is_empty())
    }

    /// Writes a value where there is none, where one is less, or where this one is there that was seen before.
    pub async fn raise(
        &self,
        place: Place,
        value: &[u8],
        seen: Option<&[u8]>,
    ) -> Result<(), ShelfError> {
        let Home::Sqlite(database) = self.home(place).await? else {
            let found = self.store.get(&self.key(place)).await?;
            if found.is_none_or(|found| found.as_slice() < value || Some(found.as_slice()) == seen)
            {
                self.store.set(&self.key(place), value).await?;
            }
            return Ok(());
        };
        let [log, place] = self.row(place);
        let seen = seen.map_or(Value::Null, Value::from);
        self.run(&database, journal::RAISE, [log, place, value.into(), seen]).await?;
        Ok(())
    }

    /// Whether somebody reads it who did not begin it.
    pub async fn is_read(&self) -> Result<bool, ShelfError> {
        let Home::Sqlite(database) = shared().await? else {
            let readers = format!("log/{}/{READING}", self.id);
            return Ok(self.store.keys()?.iter().any(|key| key.starts_with(&readers)));
        };
        let values = [self.id.to_string().into(), READING.into()];
        Ok(!self.run(&database, journal::HAS_ANY, values).await?.is_empty())
    }

    /// Forgets who reads it.
    pub async fn remove_readers(&self) -> Result<(), ShelfError> {
        self.remove(Place::Left).await?;
        let Home::Sqlite(database) = shared().await? else {
            let readers = format!("log/{}/{READING}", self.id);
            for key in self.store.keys()?.iter().filter(|key| key.starts_with(&readers)) {
                self.store.delete(key).await?;
            }
            return Ok(());
        };
        let values = [self.id.to_string().into(), READING.into()];
        self.run(&database, journal::REMOVE_ALL, values).await?;
        Ok(())
    }

    pub async fn remove(&self, place: Place) -> Result<(), ShelfError> {
        match (self.home(place).await?, place) {
            (Home::KeyValue, _) => {
                if self.may_write(place).await? {
                    self.store.delete(&self.key(place)).await?;
                }
            }
            (Home::Sqlite(database), Place::Slot(number)) => {
                let values = [number.into(), self.id.to_string().into()];
                self.run(&database, slot::RELEASE, values).await?;
            }
            (Home::Sqlite(database), _) => {
                self.run(&database, journal::REMOVE, self.row(place)).await?;
            }
        }
        Ok(())
    }

    /// A place among the logs under way may have become another's meanwhile. Without compare-and-swap that is seen as
    /// long as it does not happen in this very moment.
    async fn may_write(&self, place: Place) -> Result<bool, ShelfError> {
        let Place::Slot(_) = place else { return Ok(true) };
        let lease = self.store.get(&self.key(place)).await?;
        Ok(Lease::is_of(&self.id.to_string(), lease.as_deref()))
    }

    /// Ends the log: its last part is written, its snapshot deleted, its slot given back. False: another part stands there,
    /// and nothing of it was done.
    pub async fn close(
        &self,
        (place, value): (Place, &[u8]),
        slot: Option<u32>,
    ) -> Result<bool, ShelfError> {
        if let Home::Sqlite(database) = shared().await? {
            let [log, place] = self.row(place);
            let slot = slot.map_or(Value::Null, Value::from);
            let closed = self.run(&database, journal::CLOSE, [log, place, value.into(), slot]);
            return Ok(!closed.await?.is_empty());
        }
        if !self.add(place, value).await? {
            return Ok(false);
        }
        self.remove(Place::Snapshot).await?;
        if let Some(slot) = slot {
            self.remove(Place::Slot(slot)).await?;
        }
        Ok(true)
    }

    /// Takes one of so many places among the logs under way; none when all are taken. What is to be found by a note is
    /// noted in the first of two logs at once, and takes none where either has such a note already, nor where a key of its
    /// sender's means another request. SQLite writes what stands beside it in the same statement.
    pub async fn take_place(
        &self,
        places: u32,
        note: Option<[AskId; 2]>,
        beside: &Beside,
    ) -> Result<Option<u32>, ShelfError> {
        let Home::Sqlite(database) = shared().await? else {
            return self.search_noted(places, note, beside).await;
        };
        let (id, now) = (self.id.to_string(), recently());
        let lease = Lease::new(&id, now);
        let until = [lease.until, now, Lease::latest(now)].map(moment);
        let taker: [Value; 2] = [places.into(), id.into()];
        let values = taker.into_iter().chain(until).chain(logs(note));
        let rows = match beside.is_empty() {
            true => self.run(&database, slot::TAKE, values).await?,
            false => {
                self.run(&database, slot::TAKE_AND_KEEP, values.chain(beside.values())).await?
            }
        };
        let place: Option<u32> = rows.first().and_then(|row| row.get(0));
        if place.is_some() {
            beside.mark_written();
        }
        Ok(place)
    }

    async fn search(&self, places: u32) -> Result<Option<u32>, ShelfError> {
        let mut search = Search::new(&self.id.to_string(), places, random::bits64());
        let mut found = search.first();
        loop {
            found = match found {
                Found::Look(place) => {
                    let value = self.get(Place::Slot(place)).await?;
                    search.seen(value.as_deref(), now())
                }
                Found::Take(place, value) => {
                    self.store.set(&self.key(Place::Slot(place)), &value).await?;
                    Found::Look(place)
                }
                Found::Mine(place) => return Ok(Some(place)),
                Found::Full => return Ok(None),
            };
        }
    }

    /// Deletes this log, which has ended, so long from now.
    pub async fn will_go(
        &self,
        now: Timestamp,
        lasts_ms: u64,
        retention_ms: u64,
    ) -> Result<(), ShelfError> {
        let id = goes_with(now, lasts_ms, retention_ms, random::bits128());
        let goes = Shelf { id, ..self.clone() };
        goes.set(Place::Brief, self.id.to_string().as_bytes()).await
    }

    /// Deletes what belongs to logs that are older than the retention, if it is time to.
    pub async fn sweep(&self, now: Timestamp, retention_ms: u64) -> Result<(), ShelfError> {
        if brief_due(Timestamp(BRIEFLY.load(Ordering::Relaxed)), now) {
            BRIEFLY.store(now.0, Ordering::Relaxed);
            if let Home::Sqlite(database) = shared().await? {
                let oldest = AskId::new(oldest_kept(retention_ms, now).0, 0).to_string();
                database.execute(journal::SWEEP_BRIEF, &[oldest.into()]).await?;
            }
        }
        if !sweep_due(Some(Timestamp(LOOKED.load(Ordering::Relaxed))), now) {
            return Ok(());
        }
        LOOKED.store(now.0, Ordering::Relaxed);
        let store = &self.store;
        let swept = store.get(SWEPT).await?.unwrap_or_default();
        let swept = std::str::from_utf8(&swept).ok().and_then(|text| text.parse().ok());
        if !sweep_due(swept.map(Timestamp), now) {
            return Ok(());
        }
        store.set(SWEPT, now.0.to_string()).await?;
        let swept = self.sweep_all(now, retention_ms).await;
        if swept.is_err() {
            drop(store.set(SWEPT, failed_sweep(now).0.to_string()).await);
        }
        swept
    }

    async fn sweep_all(&self, now: Timestamp, retention_ms: u64) -> Result<(), ShelfError> {
        let store = &self.store;
        // One that cannot be swept keeps nobody from the other.
        let database = sweep_database(oldest_kept(retention_ms, now)).await;
        let keys = store.keys()?;
        for key in &keys {
            if OUTGROWN.iter().any(|names| key.starts_with(names)) {
                store.delete(key).await?;
            }
            let Some((log, place)) = log_and_place(key) else { continue };
            if !is_swept(Timestamp(log.born_at()), retention_ms, now) {
                continue;
            }
            if place == BRIEF {
                self.delete_with(key, &keys).await?;
            }
            store.delete(key).await?;
        }
        database
    }

    /// Deletes the log in key-value that goes with the one that has this key.
    async fn delete_with(&self, key: &str, keys: &[String]) -> Result<(), ShelfError> {
        let Some(log) = self.store.get(key).await? else { return Ok(()) };
        let values = format!("log/{}/", String::from_utf8_lossy(&log));
        for key in keys.iter().filter(|key| key.starts_with(&values)) {
            self.store.delete(key).await?;
        }
        Ok(())
    }
}

/// The log that a key in key-value belongs to, and the place in it.
fn log_and_place(key: &str) -> Option<(AskId, &str)> {
    let (log, place) = key.strip_prefix("log/")?.split_once('/')?;
    Some((AskId::parse(log)?, place))
}

async fn sweep_database(oldest: Timestamp) -> Result<(), ShelfError> {
    let Home::Sqlite(database) = shared().await? else { return Ok(()) };
    let oldest = AskId::new(oldest.0, 0).to_string();
    while !database.execute(journal::HAS_OLD, &[oldest.as_str().into()]).await?.is_empty() {
        database.execute(journal::SWEEP, &[oldest.as_str().into()]).await?;
    }
    Ok(())
}

/// Where what is under way lies.
async fn shared() -> Result<Home, ShelfError> {
    match Database::open().await {
        Ok(database) => Ok(Home::Sqlite(database)),
        Err(DatabaseError::InMemory | DatabaseError::NotGranted) => Ok(Home::KeyValue),
        Err(error) => Err(error.into()),
    }
}

/// The logs of a note as a statement takes them.
fn logs(note: Option<[AskId; 2]>) -> [Value; 2] {
    note.map_or([Value::Null, Value::Null], |note| note.map(|log| log.to_string().into()))
}

/// Milliseconds as SQLite's integer.
fn moment(at: Timestamp) -> Value {
    Value::Integer(i64::try_from(at.0).unwrap_or(i64::MAX))
}

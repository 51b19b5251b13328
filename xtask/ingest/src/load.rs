//! A load: everything that was found is sent, batch by batch, and what became of each is told.
//!
//! Border: the order of things; how a batch travels is `sending`'s.

use crate::archive::{self, Unsent};
use crate::costs::Costs;
use crate::places::{Place, Survey, survey};
use crate::sending::{Answer, Batch, Change, Far, Heard, PAUSES, Sender};
use anyhow::{Context, Result};
use quarry_knowledge::document::MAX_BYTES;
use quarry_knowledge::intake::check_path;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::mpsc;

/// Files that wait to be sent: so many times 20 MiB at most.
const AHEAD: usize = 2;

/// Why a file is not sent: the server would refuse all that are sent with it.
const TWICE: &str = "another file of this name comes before it; give each its own";

/// What is to be loaded, and where.
#[derive(Debug, Clone)]
pub struct Job {
    /// A folder, a file or an archive.
    pub path: PathBuf,
    /// Of the server, without a slash at its end.
    pub url: String,
    /// None: the server's default.
    pub collection: Option<String>,
    /// The access secret, where there is one.
    pub secret: Option<String>,
    /// What is kept as where its files come from; none: its name, with a mark of where it lies.
    pub origin: Option<String>,
    /// Whether files take the place of documents of the same names that come from elsewhere, and of files of the same id.
    pub replace: bool,
}

/// A file that was not loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Its name, with its folders.
    pub name: String,
    /// What is wrong, and what to do.
    pub why: String,
}

/// Something of a file that is loaded, and is not as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// The file's name, with its folders.
    pub name: String,
    /// What could not be read of it, or is not kept.
    pub note: String,
}

/// What became of all files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// New ones.
    pub added: u64,
    /// Those that took another's place.
    pub replaced: u64,
    /// Those that were there already.
    pub unchanged: u64,
    /// Those that are not there now.
    pub refused: Vec<Refused>,
    /// What is to be said of those that are new now.
    pub noted: Vec<Noted>,
    /// What the vectors of all cost, of those too that are not there now.
    pub costs: Costs,
    /// Bytes of all that were sent.
    pub bytes: u64,
}

impl Tally {
    /// Whether everything is there now.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.refused.is_empty()
    }

    /// Files, whatever became of them.
    #[must_use]
    pub fn files(&self) -> u64 {
        let refused = u64::try_from(self.refused.len()).unwrap_or(u64::MAX);
        self.added + self.replaced + self.unchanged + refused
    }

    fn count(&mut self, name: &str, bytes: u64, change: Change) -> &'static str {
        self.bytes += bytes;
        match change {
            Change::Added => {
                self.added += 1;
                "added"
            }
            Change::Replaced => {
                self.replaced += 1;
                "replaced"
            }
            Change::Unchanged => {
                self.unchanged += 1;
                "unchanged"
            }
            Change::Failed(why) => {
                self.refused.push(Refused { name: name.to_owned(), why });
                "refused"
            }
        }
    }
}

/// What is told meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// So many files and bytes are to be loaded.
    Found {
        /// Files.
        files: u64,
        /// Bytes, unpacked.
        bytes: u64,
    },
    /// A file is so far, while a model makes its vectors, or a long one is indexed.
    Far {
        /// Its name.
        name: String,
        /// Its bytes.
        bytes: u64,
        /// Passages that have their vector.
        done: u64,
        /// How many there are.
        chunks: u64,
    },
    /// A file is done.
    Done {
        /// Its name.
        name: String,
        /// `added`, `replaced`, `unchanged` or `refused`.
        change: &'static str,
        /// Its bytes.
        bytes: u64,
    },
    /// The server wants a pause.
    Waits {
        /// Seconds.
        seconds: u64,
    },
}

/// Loads everything. What is there already with the same bytes is not changed, so a load that was interrupted is
/// gone on with by beginning it again.
///
/// # Errors
/// Where nothing is found, or no server takes anything: then what was loaded before is there.
pub async fn load(job: &Job, tell: &mut dyn FnMut(Told)) -> Result<Tally> {
    let mut tally = Tally::default();
    load_into(job, &mut tally, tell).await?;
    Ok(tally)
}

/// The same, with what became of all by then for whoever is interrupted, or fails: it was paid for.
///
/// # Errors
/// As [`load`].
pub async fn load_into(job: &Job, tally: &mut Tally, tell: &mut dyn FnMut(Told)) -> Result<()> {
    let path = job.path.clone();
    let found = tokio::task::spawn_blocking(move || survey(&path)).await;
    let found = found.context("looking through it failed")??;
    let Survey { origin, places, files, bytes, refused } = found;
    let sender = Sender::new(job, job.origin.clone().unwrap_or(origin));
    sender.check().await?;
    tell(Told::Found { files, bytes });
    tally.refused = refused;
    let mut loading = Loading { sender, tally, tell, ids: HashMap::new() };
    let (read, mut files) = mpsc::channel(AHEAD);
    let reader = tokio::task::spawn_blocking(move || {
        // Whoever no longer takes them has told why.
        places.into_iter().all(|place| give(place, &|file| read.blocking_send(file).is_ok()))
    });
    let (mut batch, mut names) = (Batch::default(), HashSet::new());
    while let Some(file) = files.recv().await {
        match file {
            Err(Unsent { refused, bytes }) => loading.refuse(refused, bytes),
            Ok((name, bytes)) if names.contains(&name) => {
                let bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                loading.refuse(Refused { name, why: TWICE.to_owned() }, bytes);
            }
            Ok((name, bytes)) => {
                names.insert(name.clone());
                if !batch.has_room(bytes.len()) {
                    loading.send(std::mem::take(&mut batch)).await?;
                }
                batch.push(name, bytes);
            }
        }
    }
    loading.send(batch).await?;
    reader.await.context("reading the files failed")?;
    Ok(())
}

/// Gives all files of a place; false: nobody takes them.
fn give(place: Place, take: &dyn Fn(archive::Unpacked) -> bool) -> bool {
    let Place { path, name, packing, bytes } = place;
    let refuse = |name: String, why: String, bytes: u64| {
        take(Err(Unsent { refused: Refused { name, why }, bytes }))
    };
    let Some(packing) = packing else {
        let too_long =
            |length: u64| format!("it has {length} bytes, {MAX_BYTES} are the most; part it");
        let length = std::fs::metadata(&path).map(|about| about.len());
        if let Err(why) = check_path(&name) {
            return refuse(name, why.to_string(), bytes);
        }
        return match length {
            Ok(length) if usize::try_from(length).is_ok_and(|length| length > MAX_BYTES) => {
                refuse(name, too_long(length), bytes)
            }
            Err(error) => refuse(name, format!("it cannot be read: {error}"), bytes),
            Ok(_) => match std::fs::read(&path) {
                Ok(content) => take(Ok((name, content))),
                Err(error) => refuse(name, format!("it cannot be read: {error}"), bytes),
            },
        };
    };
    let mut taken = true;
    let done = archive::unpack(&path, packing, &name, &mut |file| {
        taken = take(file);
        taken
    });
    match done {
        Ok(()) => taken,
        // It was whole a moment ago. What was taken of it is told of by itself.
        Err(error) => refuse(path.display().to_string(), format!("{error:#}"), 0),
    }
}

struct Loading<'t> {
    sender: Sender,
    tally: &'t mut Tally,
    tell: &'t mut dyn FnMut(Told),
    /// By the id of each document that is loaded, the name of its file.
    ids: HashMap<String, String>,
}

/// What is said of a file that has taken the place of another of the same load, which only `--replace` lets it.
fn of_twins(other: &str) -> String {
    format!(
        "it took the place of {other}, which has the same `id`; give each an id of its own, and load both again"
    )
}

impl Loading<'_> {
    /// Sends a batch, and those of its files again that a limit has kept out: the rest of a large load would meet the
    /// same limit, and be refused file by file.
    async fn send(&mut self, mut batch: Batch) -> Result<()> {
        for tried in 0.. {
            if batch.is_empty() {
                break;
            }
            let kept_out = self.send_once(&batch, tried < PAUSES).await?;
            let Some(seconds) = kept_out.iter().map(|(_, seconds)| *seconds).max() else { break };
            (self.tell)(Told::Waits { seconds });
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            let places: Vec<usize> = kept_out.into_iter().map(|(at, _)| at).collect();
            batch = batch.only(&places);
        }
        Ok(())
    }

    /// The places of files that may be sent again, each with the seconds until then; none of them where they are not to be.
    async fn send_once(&mut self, batch: &Batch, may_wait: bool) -> Result<Vec<(usize, u64)>> {
        let mut kept_out = Vec::new();
        let mut sizes = batch.sizes().into_iter().enumerate().peekable();
        let Loading { sender, tally, tell, ids } = self;
        let hear = &mut |heard: Heard| match heard {
            Heard::Waits(seconds) => tell(Told::Waits { seconds }),
            Heard::Far(Far { done, chunks }) => {
                if let Some((_, (name, bytes))) = sizes.peek() {
                    tell(Told::Far { name: name.clone(), bytes: *bytes, done, chunks });
                }
            }
            Heard::Answer(Answer { change, id, notes, of_all, paid, again }) => {
                let (at, (name, bytes)) = sizes.next().unwrap_or_default();
                paid.into_iter().for_each(|paid| tally.costs.add(paid));
                if let Some(seconds) = again.filter(|_| may_wait) {
                    return kept_out.push((at, seconds));
                }
                if change != Change::Unchanged {
                    let noted = notes.into_iter().map(|note| Noted { name: name.clone(), note });
                    tally.noted.extend(noted);
                }
                let twin = id.and_then(|id| ids.insert(id, name.clone()));
                let is_twin = |other: &String| change == Change::Replaced && *other != name;
                if let Some(other) = twin.filter(is_twin) {
                    tally.noted.push(Noted { name: name.clone(), note: of_twins(&other) });
                }
                for note in of_all {
                    if tally.noted.iter().all(|noted| noted.note != note) {
                        tally.noted.push(Noted { name: name.clone(), note });
                    }
                }
                let change = tally.count(&name, bytes, change);
                tell(Told::Done { name, change, bytes });
            }
        };
        sender.send(batch, hear).await?;
        Ok(kept_out)
    }

    fn refuse(&mut self, refused: Refused, bytes: u64) {
        let name = refused.name.clone();
        self.tally.refused.push(refused);
        (self.tell)(Told::Done { name, change: "refused", bytes });
    }
}

//! A machine's state as it is kept beside the entries that it follows from.
//!
//! The row is the envelope: run and number are its key, and it names the machine, the version of the state's
//! format, and the state's SHA-256. The envelope of asks ([`crate::Snapshot`]) is for stores that hold values
//! alone. A fork takes rows over as they are, so nothing in the sum depends on the run.

use super::Hash;

/// Brings a state to the next version of its format, or says why it cannot.
pub type Migrate = fn(String) -> Result<String, String>;

/// The format of a machine's state.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// The kind of machine.
    pub machine: &'static str,
    /// The version that is written, from 1.
    pub version: u32,
    /// From older versions, each to the next: the last of them to the one that is written. Older ones than
    /// this reaches are refused.
    pub migrations: &'static [Migrate],
}

/// A state to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    pub(super) machine: &'static str,
    pub(super) version: u32,
    pub(super) sum: Hash,
    pub(super) state: String,
}

/// A row of what is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptCheckpoint {
    /// The last entry that the state follows from.
    pub n: u64,
    /// The kind of machine.
    pub machine: String,
    /// The version of its format.
    pub version: u32,
    /// The state's SHA-256.
    pub sum: String,
    /// The state.
    pub body: String,
}

/// Why a checkpoint is not read. The one before it, or the whole journal, gives the same state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// It is another machine's.
    #[error("the checkpoint is of the machine {0:?}, which is another")]
    Machine(String),
    /// It was changed since it was written.
    #[error("the checkpoint at entry {0} is damaged")]
    Damaged(u64),
    /// It was written by a newer server.
    #[error("the checkpoint is of version {found}, and this server knows {known}; run a newer one")]
    Newer {
        /// Its version.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
    /// No migration leads from it to the version that is read.
    #[error(
        "the checkpoint is of version {found}, which this server no longer reads; fork the run or begin anew"
    )]
    Older {
        /// Its version.
        found: u32,
    },
    /// A migration could not.
    #[error("the checkpoint of version {found} cannot be brought to this server's: {why}")]
    Migration {
        /// The version at which it stopped.
        found: u32,
        /// Why.
        why: String,
    },
}

impl Format {
    /// A state in this format, which must have no NUL.
    #[must_use]
    pub fn seal(&self, state: String) -> Checkpoint {
        Checkpoint { machine: self.machine, version: self.version, sum: Hash::of(&state), state }
    }

    /// The state in this format, brought to its version if it is of an older one.
    ///
    /// # Errors
    /// [`CheckpointError`] when it is not this machine's, not what was written, or of a version that no
    /// migration leads from.
    pub fn open(&self, kept: KeptCheckpoint) -> Result<String, CheckpointError> {
        let found = kept.version;
        if kept.machine != self.machine {
            return Err(CheckpointError::Machine(kept.machine));
        }
        if Hash::of(&kept.body).as_str() != kept.sum {
            return Err(CheckpointError::Damaged(kept.n));
        }
        let Some(behind) = self.version.checked_sub(found) else {
            return Err(CheckpointError::Newer { found, known: self.version });
        };
        let first = self.migrations.len().checked_sub(behind as usize);
        let steps = first.and_then(|first| self.migrations.get(first..));
        let steps = steps.ok_or(CheckpointError::Older { found })?;
        (found..).zip(steps).try_fold(kept.body, |state, (found, migrate)| {
            migrate(state).map_err(|why| CheckpointError::Migration { found, why })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMAT: Format = Format {
        machine: "run",
        version: 4,
        migrations: &[
            |state| Ok(format!("{state}+3")),
            |state| {
                if state.contains('x') { Err("it has an x".to_owned()) } else { Ok(state + "+4") }
            },
        ],
    };

    fn kept(version: u32, body: &str) -> KeptCheckpoint {
        let sum = Hash::of(body).to_string();
        KeptCheckpoint { n: 9, machine: "run".to_owned(), version, sum, body: body.to_owned() }
    }

    #[test]
    fn a_state_of_an_older_format_is_brought_to_the_newest() {
        for (version, expected) in [(4, "s"), (3, "s+4"), (2, "s+3+4")] {
            assert_eq!(FORMAT.open(kept(version, "s")).as_deref(), Ok(expected), "{version}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused_with_a_sentence() {
        let refused = |kept| FORMAT.open(kept).unwrap_err();
        assert_eq!(refused(kept(5, "s")), CheckpointError::Newer { found: 5, known: 4 });
        assert_eq!(refused(kept(1, "s")), CheckpointError::Older { found: 1 });
        let why = "it has an x".to_owned();
        assert_eq!(refused(kept(2, "x")), CheckpointError::Migration { found: 3, why });
        let damaged = KeptCheckpoint { body: "t".to_owned(), ..kept(4, "s") };
        assert_eq!(refused(damaged), CheckpointError::Damaged(9));
        let foreign = KeptCheckpoint { machine: "ask".to_owned(), ..kept(4, "s") };
        assert!(refused(foreign).to_string().contains("\"ask\""));
    }
}

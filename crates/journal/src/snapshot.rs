//! The envelope of a machine's state, and how a large one is split over several values.
//!
//! What is written last, at [`Place::Snapshot`], makes the whole readable: it has the state itself
//! when it fits into one value, else it names the pieces, with a sum over them. Pieces of the
//! readable snapshot are never written over, because two sets of places take turns. So a write
//! that breaks off leaves the snapshot before it.
//!
//! The state of a machine that has ended and can be gone on with lies apart, at
//! [`Place::Continuation`]: it is written once.

use crate::{MAX_VALUE, Place};
use quarry_types::Timestamp;
use std::rc::Rc;

const MAGIC: &str = "quarry-snapshot";
const VERSION: &str = "1";

const LONGEST_NAME: usize = 64;

/// The longest header; a test holds it to that.
const MAX_HEADER: usize = 320;

/// The state of a machine, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    machine: String,
    id: String,
    expires: Timestamp,
    has_ended: bool,
    state: String,
}

/// Why a snapshot cannot be written or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// A name with characters other than letters, digits and hyphens, an empty or a long one.
    #[error("{0:?} is no name for a machine or an id")]
    Name(String),
    /// Not a snapshot.
    #[error("what is kept there is no snapshot")]
    Foreign,
    /// Written by another version.
    #[error("what is kept there was written by another version of this server; begin afresh")]
    Version,
    /// Pieces are missing or do not belong together.
    #[error("what is kept there is not whole")]
    Torn,
}

/// The values of a snapshot, in the order in which they are to be written.
pub type Values = Vec<(Place, Rc<[u8]>)>;

impl Snapshot {
    /// Where to look for one, in this order.
    pub const HEADS: [Place; 2] = [Place::Continuation, Place::Snapshot];

    /// The state of the machine of this kind and id; whether it has ended in a way that it can
    /// be gone on with, or is under way.
    ///
    /// # Errors
    /// [`SnapshotError::Name`] when a name cannot stand in an envelope.
    pub fn new(
        machine: &str,
        id: &str,
        expires: Timestamp,
        has_ended: bool,
        state: String,
    ) -> Result<Self, SnapshotError> {
        for name in [machine, id] {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(is_name) {
                return Err(SnapshotError::Name(name.to_owned()));
            }
        }
        Ok(Snapshot { machine: machine.to_owned(), id: id.to_owned(), expires, has_ended, state })
    }

    /// The kind of machine.
    #[must_use]
    pub fn machine(&self) -> &str {
        &self.machine
    }

    /// The id of the machine that it is the state of.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// When it is no longer to be read.
    #[must_use]
    pub const fn expires(&self) -> Timestamp {
        self.expires
    }

    /// Whether the machine had ended when this was written. If not, it may have ended since.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The state itself.
    #[must_use]
    pub fn into_state(self) -> String {
        self.state
    }

    /// The values to write, each at most [`MAX_VALUE`] long, the one that makes them readable
    /// last. `set` must change after each write that came to its end, and only then: else the next
    /// one writes over the pieces of the readable snapshot.
    #[must_use]
    pub fn values(&self, set: bool) -> Values {
        let state = self.state.as_bytes();
        let pieces: Vec<&[u8]> = match state.len() > MAX_VALUE - MAX_HEADER {
            true => state.chunks(MAX_VALUE).collect(),
            false => Vec::new(),
        };
        let sum = if pieces.is_empty() { 0 } else { sum(state) };
        let how = if self.has_ended { "ended" } else { "under-way" };
        let mut head = format!(
            "{MAGIC} {VERSION} {} {} {} {how} {} {} {} {sum}\n",
            self.machine,
            self.id,
            self.expires.0,
            u8::from(set),
            pieces.len(),
            state.len(),
        )
        .into_bytes();
        if pieces.is_empty() {
            head.extend_from_slice(state);
        }
        (0..)
            .map(|number| piece(self.has_ended, set, number))
            .zip(pieces.into_iter().map(Rc::from))
            .chain([(head_place(self.has_ended), head.into())])
            .collect()
    }

    /// Reads what is at one of the [`Self::HEADS`]: the places of the pieces, and
    /// what is known so far.
    ///
    /// # Errors
    /// [`SnapshotError`] when it is no snapshot that this version reads.
    pub fn read(head: &[u8]) -> Result<(Vec<Place>, Unassembled), SnapshotError> {
        let end = head.iter().take(MAX_HEADER).position(|byte| *byte == b'\n');
        let (words, inline) = head.split_at(end.ok_or(SnapshotError::Foreign)?);
        let words = std::str::from_utf8(words).map_err(|_| SnapshotError::Foreign)?;
        let mut words = words.split(' ');
        if words.next() != Some(MAGIC) {
            return Err(SnapshotError::Foreign);
        }
        if words.next() != Some(VERSION) {
            return Err(SnapshotError::Version);
        }
        let words: Vec<&str> = words.collect();
        let [machine, id, expires, how, set, pieces, length, sum] = words.as_slice() else {
            return Err(SnapshotError::Foreign);
        };
        let number = |word: &str| word.parse::<u64>().map_err(|_| SnapshotError::Foreign);
        let pieces = u32::try_from(number(pieces)?).map_err(|_| SnapshotError::Foreign)?;
        let has_ended = *how == "ended";
        let places = (0..pieces).map(|number| piece(has_ended, *set == "1", number));
        let unassembled = Unassembled {
            snapshot: Snapshot {
                machine: (*machine).to_owned(),
                id: (*id).to_owned(),
                expires: Timestamp(number(expires)?),
                has_ended,
                state: String::new(),
            },
            length: number(length)?,
            sum: if pieces == 0 { None } else { Some(number(sum)?) },
            bytes: inline.get(1..).unwrap_or_default().to_vec(),
        };
        Ok((places.collect(), unassembled))
    }
}

const fn head_place(has_ended: bool) -> Place {
    if has_ended { Place::Continuation } else { Place::Snapshot }
}

const fn piece(has_ended: bool, set: bool, number: u32) -> Place {
    match has_ended {
        true => Place::ContinuationPiece(number),
        false => Place::Piece { set, number },
    }
}

/// A snapshot of which the pieces are being read.
#[derive(Debug)]
pub struct Unassembled {
    snapshot: Snapshot,
    length: u64,
    /// None when there are no pieces: one value is whole or not there.
    sum: Option<u64>,
    bytes: Vec<u8>,
}

impl Unassembled {
    /// Adds the next piece.
    pub fn add(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
    }

    /// The snapshot, when all pieces are there.
    ///
    /// # Errors
    /// [`SnapshotError::Torn`] when they do not make one.
    pub fn whole(mut self) -> Result<Snapshot, SnapshotError> {
        let has_length = u64::try_from(self.bytes.len()).is_ok_and(|length| length == self.length);
        if !has_length || self.sum.is_some_and(|expected| sum(&self.bytes) != expected) {
            return Err(SnapshotError::Torn);
        }
        self.snapshot.state = String::from_utf8(self.bytes).map_err(|_| SnapshotError::Torn)?;
        Ok(self.snapshot)
    }
}

/// FNV-1a: tells pieces of different writes apart; no protection against anybody who means it.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    type Store = BTreeMap<Place, Rc<[u8]>>;

    fn snapshot(state: String) -> Snapshot {
        Snapshot::new("ask", &"f".repeat(32), Timestamp(7), false, state).unwrap()
    }

    fn read(store: &Store) -> Result<Snapshot, SnapshotError> {
        let head = Snapshot::HEADS.iter().find_map(|place| store.get(place));
        let (places, mut found) = Snapshot::read(head.ok_or(SnapshotError::Foreign)?)?;
        for place in places {
            found.add(store.get(&place).ok_or(SnapshotError::Torn)?);
        }
        found.whole()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        /// Any number of writes, each broken off anywhere: the last whole one is read.
        #[test]
        fn a_torn_write_leaves_the_snapshot_before_it(
            writes in prop::collection::vec((0_usize..2_000_000, 0_usize..6), 1..6),
        ) {
            let (mut store, mut expected, mut set) = (Store::new(), None, false);
            for (nth, (size, until)) in writes.into_iter().enumerate() {
                let state = char::from(b'a' + nth as u8).to_string().repeat(size);
                let written = snapshot(state);
                let values = written.values(set);
                prop_assert!(values.iter().all(|(_, value)| value.len() <= MAX_VALUE));
                let is_whole = until >= values.len();
                store.extend(values.into_iter().take(until));
                if is_whole {
                    expected = Some(written);
                    set = !set;
                }
                prop_assert_eq!(read(&store).ok(), expected.clone());
            }
        }

        #[test]
        fn headers_are_short(machine in "[a-z-]{1,64}", id in "[0-9a-f]{1,64}", expires: u64) {
            let written = Snapshot::new(&machine, &id, Timestamp(expires), true, "s".repeat(MAX_VALUE)).unwrap();
            let values = written.values(true);
            prop_assert!(values.last().unwrap().1.len() <= MAX_HEADER);
            prop_assert_eq!(read(&values.into_iter().collect()).unwrap(), written);
        }

        #[test]
        fn nothing_foreign_panics(bytes: Vec<u8>) {
            _ = Snapshot::read(&bytes);
        }
    }

    #[test]
    fn other_versions_and_other_things_are_refused_with_a_sentence() {
        let refused = |head: &[u8]| Snapshot::read(head).unwrap_err();
        assert_eq!(refused(b"quarry-snapshot 9 ask x\n"), SnapshotError::Version);
        assert_eq!(refused(b"1234\n{\"version\":1}"), SnapshotError::Foreign);
        assert!(Snapshot::new("a k", "x", Timestamp(0), false, String::new()).is_err());
        assert!(SnapshotError::Version.to_string().contains("another version"));
    }

    #[test]
    fn pieces_of_different_writes_are_no_snapshot() {
        let large = |letter: &str| snapshot(letter.repeat(MAX_VALUE + 10));
        let mut store: Store = large("a").values(false).into_iter().collect();
        let (place, piece) = large("b").values(false).swap_remove(1);
        store.insert(place, piece);
        assert_eq!(read(&store), Err(SnapshotError::Torn));
        // Nor is one whose only value was cut off.
        let (place, whole) = snapshot("a".repeat(50)).values(false).swap_remove(0);
        let store = Store::from([(place, Rc::from(&whole[..whole.len() - 1]))]);
        assert_eq!(read(&store), Err(SnapshotError::Torn));
    }
}

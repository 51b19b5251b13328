//! The envelope of a machine's state, and how a large one is split over several values.
//!
//! What is written last, at [`Place::Snapshot`], makes the whole readable: it has the state itself
//! when it fits into one value, else it names the pieces, with a sum over them. Pieces of the
//! readable snapshot are never written over, because two sets of places take turns. So a write
//! that breaks off leaves the snapshot before it.
//!
//! The state of a machine that has ended and can be gone on with lies apart, at
//! [`Place::Continuation`]: it is written once.
//!
//! Blanks fill up a state under way, so that the next one has the same length as a rule: SQLite
//! writes such a value over the one before it, and leaves pages alone that stay as they were.

use crate::{MAX_VALUE, Place};
use quarry_types::{Timestamp, fnv};
use std::rc::Rc;

const MAGIC: &str = "quarry-snapshot";
const VERSION: &str = "2";

/// The version before there were blanks behind a state. It is read.
const WITHOUT_BLANKS: &str = "1";

const LONGEST_NAME: usize = 64;

/// The longest header; a test holds it to that.
const MAX_HEADER: usize = 320;

/// What is no longer stays as it is: it shares a page of its table with other rows, and takes one
/// page to write whatever its length.
const SHORT: usize = 2_800;

/// Bytes of a value on a page that it has for itself: SQLite's pages have 4,096, and each begins
/// with the number of the next.
const PAGE: usize = 4_092;

/// Bytes of a value that lie with its row when its other pages are full: 489, less what else is in
/// the row.
const IN_ROW: usize = 400;

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
            if !self.has_ended {
                head.resize(filled(head.len()), b' ');
            }
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
        if !matches!(words.next(), Some(VERSION | WITHOUT_BLANKS)) {
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

/// The length to which blanks fill up a value of this one. Lengths are far apart, so that states that
/// grow a little have the same.
fn filled(length: usize) -> usize {
    if length <= SHORT {
        return length;
    }
    let pages = length.saturating_sub(IN_ROW).div_ceil(PAGE);
    let pages = pages.next_multiple_of(pages.next_power_of_two().clamp(2, 8));
    let filled = pages.saturating_mul(PAGE).saturating_add(IN_ROW);
    filled.clamp(length, length.max(MAX_VALUE))
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
        let length = usize::try_from(self.length).map_err(|_| SnapshotError::Torn)?;
        let behind = self.bytes.get(length..).ok_or(SnapshotError::Torn)?;
        let is_whole = behind.iter().all(|byte| *byte == b' ');
        self.bytes.truncate(length);
        if !is_whole || self.sum.is_some_and(|expected| sum(&self.bytes) != expected) {
            return Err(SnapshotError::Torn);
        }
        self.snapshot.state = String::from_utf8(self.bytes).map_err(|_| SnapshotError::Torn)?;
        Ok(self.snapshot)
    }
}

/// Tells pieces of different writes apart.
fn sum(bytes: &[u8]) -> u64 {
    fnv::bits64(bytes.iter().copied())
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

    fn lengths(sizes: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let values = |size| snapshot("s".repeat(size)).values(false);
        sizes.into_iter().map(|size| values(size).pop().unwrap().1.len()).collect()
    }

    #[test]
    fn states_that_grow_a_little_are_kept_in_values_of_one_length() {
        let [short, longer] = lengths([1_500, 2_400])[..] else { panic!("two") };
        assert_eq!(longer - short, 900, "what is short has no blanks");
        for grows in [3_000..8_000, 9_000..16_000, 20_000..32_000, 80_000..90_000] {
            let mut kept = lengths(grows.clone().step_by(500));
            kept.dedup();
            assert_eq!(kept.len(), 1, "{grows:?}: {kept:?}");
            assert_eq!((kept[0] - IN_ROW) % PAGE, 0, "its pages are full");
        }
        let longest = MAX_VALUE - MAX_HEADER;
        assert!(
            lengths([longest - 5_000, longest - 1, longest])
                .into_iter()
                .all(|kept| kept <= MAX_VALUE)
        );
        // What has ended is written once, and to another store.
        let ended = Snapshot { has_ended: true, ..snapshot("s".repeat(3_000)) };
        assert!(ended.values(false).pop().unwrap().1.ends_with(b"s"));
    }

    #[test]
    fn blanks_are_no_part_of_a_state_and_a_state_may_end_with_some() {
        for state in ["{}".to_owned(), "s".repeat(5_000), format!("{} ", "s".repeat(5_000))] {
            let store: Store = snapshot(state.clone()).values(false).into_iter().collect();
            assert_eq!(read(&store).unwrap().into_state(), state);
        }
        let (place, kept) = snapshot("s".repeat(5_000)).values(false).swap_remove(0);
        let more = [&kept[..kept.len() - 1], b"x"].concat();
        assert_eq!(read(&Store::from([(place, more.into())])), Err(SnapshotError::Torn));
    }

    #[test]
    fn states_that_were_kept_before_there_were_blanks_are_read() {
        let state = "s".repeat(5_000);
        let id = "f".repeat(32);
        let kept = format!("quarry-snapshot 1 ask {id} 7 under-way 0 0 5000 0\n{state}");
        let store = Store::from([(Place::Snapshot, Rc::from(kept.as_bytes()))]);
        assert_eq!(read(&store), Ok(snapshot(state)));
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

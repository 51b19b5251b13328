//! A part of a log: a value of bounded size with a header of its own.
//!
//! The header says when the part expires, when it was written, and whether it goes on in the
//! middle of an entry. A part of a version that this code does not know is refused.

use quarry_types::Timestamp;

/// The largest value that is written to a store, in bytes. Stores take 1 MB and more.
pub const MAX_VALUE: usize = 512 * 1024;

/// The longest header; a test holds it to that.
pub(crate) const MAX_HEADER: usize = 64;

const MAGIC: &str = "quarry-log";
const VERSION: &str = "1";

/// A part as it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part<'a> {
    /// When it is no longer to be read.
    pub expires: Timestamp,
    /// When it was written: a sign of life, too.
    pub written: Timestamp,
    /// Whether it begins with a new entry. If so, what an earlier part left unfinished will
    /// never be finished: its writer died.
    pub is_fresh: bool,
    /// The records.
    pub records: &'a [u8],
}

/// Why a part cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// Not a part of a log.
    #[error("this is no part of a log")]
    Foreign,
    /// A version that this code does not read.
    #[error("this part of a log is of another version; it ends with its retention")]
    Version,
}

impl<'a> Part<'a> {
    /// Writes a part. With at most [`MAX_VALUE`] less the header's bytes of records it is at
    /// most [`MAX_VALUE`] long.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let how = if self.is_fresh { "new" } else { "on" };
        let mut bytes =
            format!("{MAGIC} {VERSION} {} {} {how}\n", self.expires.0, self.written.0).into_bytes();
        bytes.extend_from_slice(self.records);
        bytes
    }

    /// Reads a part.
    ///
    /// # Errors
    /// [`PartError`] when it is none, or of another version.
    pub fn read(bytes: &'a [u8]) -> Result<Self, PartError> {
        let end = bytes.iter().take(MAX_HEADER).position(|byte| *byte == b'\n');
        let (header, records) = bytes.split_at(end.ok_or(PartError::Foreign)?);
        let header = std::str::from_utf8(header).map_err(|_| PartError::Foreign)?;
        let mut words = header.split(' ');
        if words.next() != Some(MAGIC) {
            return Err(PartError::Foreign);
        }
        if words.next() != Some(VERSION) {
            return Err(PartError::Version);
        }
        let mut time = || words.next().and_then(|word| word.parse().ok()).map(Timestamp);
        let (expires, written) = time().zip(time()).ok_or(PartError::Foreign)?;
        let is_fresh = match words.next() {
            Some("new") => true,
            Some("on") => false,
            _ => return Err(PartError::Foreign),
        };
        Ok(Part { expires, written, is_fresh, records: records.get(1..).unwrap_or_default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reads_back_and_keeps_its_header_short(
            expires: u64, written: u64, is_fresh: bool, records: Vec<u8>,
        ) {
            let (expires, written) = (Timestamp(expires), Timestamp(written));
            let part = Part { expires, written, is_fresh, records: &records };
            let bytes = part.write();
            prop_assert!(bytes.len() <= MAX_HEADER + records.len());
            prop_assert_eq!(Part::read(&bytes), Ok(part));
        }

        #[test]
        fn nothing_foreign_panics(bytes: Vec<u8>) {
            _ = Part::read(&bytes);
        }
    }

    #[test]
    fn another_version_is_refused() {
        assert_eq!(Part::read(b"quarry-log 2 1 1 new\n"), Err(PartError::Version));
        for foreign in [&b"123\n1\tlog\t{}\n"[..], b"", b"quarry-log 1 x 1 new\n", b"quarry-log 1"]
        {
            assert_eq!(Part::read(foreign), Err(PartError::Foreign));
        }
    }
}

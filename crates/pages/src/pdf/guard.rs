//! What a small file can unpack to, before it is unpacked. Streams in wrappings that few files use
//! (encrypted, or packed twice) are not looked into, nor are pictures, which a file may yet name as what holds its
//! objects: such a file can still take down the instance that reads it, which the caller sees as a failed page and
//! nobody else notices.

use super::PdfError;
use super::text::is_picture;
use flate2::{Decompress, FlushDecompress, Status};
use hayro_font::hayro_syntax::object::{Dict, FromBytes, Name};
use memchr::memmem;

/// Bytes that one stream may unpack to.
const MAX_STREAM: u64 = 32 << 20;
/// Bytes that all streams may unpack to.
const MAX_ALL: u64 = 256 << 20;
/// Bytes before a stream in which its dictionary is looked for: that of a picture is short.
const MAX_DICTIONARY: usize = 1024;

/// Refuses a file with streams that unpack to too much. Pictures do not count: neither pages nor forms nor
/// fonts unpack them.
pub fn check_streams(bytes: &[u8]) -> Result<(), PdfError> {
    const KEYWORD: &[u8] = b"stream";
    let mut counter = Counter::new();
    let (mut all, mut at) = (0, 0);
    while let Some(found) = memmem::find(bytes.get(at..).unwrap_or_default(), KEYWORD) {
        let found = at + found;
        at = found + KEYWORD.len();
        let body = match bytes.get(at..) {
            Some([b'\r', b'\n', body @ ..] | [b'\n' | b'\r', body @ ..]) => body,
            _ => continue,
        };
        if !is_packed(body) || ends_in_picture(bytes.get(..found).unwrap_or_default()) {
            continue;
        }
        let (packed, size) = counter.count(body);
        all += size;
        if size > MAX_STREAM || all > MAX_ALL {
            return Err(PdfError::Bomb);
        }
        at += packed;
    }
    Ok(())
}

/// Whether a stream begins as what zlib packs does (RFC 1950, 2.2).
fn is_packed(body: &[u8]) -> bool {
    matches!(body, [head, check, ..]
        if head & 0x8F == 0x08 && (u16::from(*head) << 8 | u16::from(*check)).is_multiple_of(31))
}

/// Whether the dictionary at the end of these bytes is a picture's as the reader reads it, and nothing else's. One that
/// is not plain is none.
fn ends_in_picture(before: &[u8]) -> bool {
    let near = before.get(before.len().saturating_sub(MAX_DICTIONARY)..).unwrap_or_default();
    let Some(begins) = near.windows(3).rposition(|word| word == b"obj") else { return false };
    let line = near.get(..begins).unwrap_or_default().rsplit(|byte| matches!(byte, b'\n' | b'\r'));
    let is_object = line.take(1).flatten().all(|byte| byte.is_ascii_digit() || *byte == b' ');
    let dictionary = near.get(begins + 3..).unwrap_or_default().trim_ascii();
    let is_plain = !dictionary.iter().any(|byte| matches!(byte, b'(' | b')' | b'%' | b'#'));
    // Tables of objects, and streams of them, are read whatever they are called, and unpacked before it is seen that
    // they lack something.
    let is_typed = |own: &Dict<'_>| {
        let kind = own.get::<Name<'_>>("Type");
        !own.contains_key("Type") || kind.is_some_and(|kind| kind.as_ref() == b"XObject")
    };
    let is_nothing_else = |own: &Dict<'_>| {
        is_typed(own) && !["W", "First", "N"].iter().any(|key| own.contains_key(key))
    };
    is_object
        && is_plain
        && Dict::from_bytes(dictionary).is_some_and(|own| {
            own.data().len() == dictionary.len() && is_picture(&own) && is_nothing_else(&own)
        })
}

/// Unpacks to count.
struct Counter {
    inflate: Decompress,
    out: Vec<u8>,
}

impl Counter {
    fn new() -> Self {
        Counter { inflate: Decompress::new(true), out: vec![0; 64 * 1024] }
    }

    /// How many bytes a packed stream takes, and how many it gives, counted no further than the limit.
    fn count(&mut self, packed: &[u8]) -> (usize, u64) {
        let inflate = &mut self.inflate;
        inflate.reset(true);
        loop {
            let taken = usize::try_from(inflate.total_in()).unwrap_or(usize::MAX);
            let input = packed.get(taken..).unwrap_or_default();
            let before = inflate.total_out();
            match inflate.decompress(input, &mut self.out, FlushDecompress::None) {
                Ok(Status::Ok)
                    if inflate.total_out() > before && inflate.total_out() <= MAX_STREAM => {}
                _ => break,
            }
        }
        (usize::try_from(inflate.total_in()).unwrap_or(usize::MAX), inflate.total_out())
    }
}

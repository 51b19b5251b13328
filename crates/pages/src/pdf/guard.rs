//! What a small file can unpack to, before it is unpacked. Streams in wrappings that few files use
//! (encrypted, or packed twice) are not looked into: such a file can still take down the instance
//! that reads it, which the caller sees as a failed page and nobody else notices.

use super::PdfError;
use flate2::{Decompress, FlushDecompress, Status};

/// Bytes that one stream may unpack to.
const MAX_STREAM: u64 = 32 << 20;
/// Bytes that all streams may unpack to.
const MAX_ALL: u64 = 128 << 20;

/// Refuses a file with streams that unpack to too much.
pub fn check_streams(bytes: &[u8]) -> Result<(), PdfError> {
    const KEYWORD: &[u8] = b"stream";
    let mut all = 0;
    let mut rest = bytes;
    while let Some(at) = find(rest, KEYWORD) {
        rest = rest.get(at + KEYWORD.len()..).unwrap_or_default();
        let body = match rest {
            [b'\r', b'\n', body @ ..] | [b'\n' | b'\r', body @ ..] => body,
            _ => continue,
        };
        // The first byte of what zlib packs.
        if !matches!(body.first(), Some(0x08 | 0x18 | 0x28 | 0x38 | 0x48 | 0x58 | 0x68 | 0x78)) {
            continue;
        }
        let (packed, size) = inflated(body);
        all += size;
        if size > MAX_STREAM || all > MAX_ALL {
            return Err(PdfError::Bomb);
        }
        rest = body.get(packed..).unwrap_or_default();
    }
    Ok(())
}

fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|window| window == word)
}

/// How many bytes a packed stream takes, and how many it gives, counted no further than the limit.
fn inflated(packed: &[u8]) -> (usize, u64) {
    let mut inflate = Decompress::new(true);
    let mut out = vec![0; 64 * 1024];
    loop {
        let taken = usize::try_from(inflate.total_in()).unwrap_or(usize::MAX);
        let input = packed.get(taken..).unwrap_or_default();
        let before = inflate.total_out();
        match inflate.decompress(input, &mut out, FlushDecompress::None) {
            Ok(Status::Ok) if inflate.total_out() > before && inflate.total_out() <= MAX_STREAM => {
            }
            _ => break,
        }
    }
    (usize::try_from(inflate.total_in()).unwrap_or(usize::MAX), inflate.total_out())
}

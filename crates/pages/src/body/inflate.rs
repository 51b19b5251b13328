//! Content encodings, undone with a bound: a bomb yields its first bytes and the word that it was cut.

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::io::Read;

/// Bytes of a page that are looked at, after decompression.
pub const MAX_BYTES: usize = 2 * 1024 * 1024;

/// What is asked for in `Accept-Encoding`.
pub const ACCEPT_ENCODING: &str = "gzip, deflate";

/// A decoded body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The bytes, at most the limit.
    pub bytes: Vec<u8>,
    /// Whether there was more, or the stream broke off.
    pub truncated: bool,
}

/// Why a body cannot be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InflateError {
    /// An encoding that was not asked for.
    #[error("the content encoding `{0}` is not read")]
    Unsupported(String),
    /// Not what the header says, from the first byte.
    #[error("the body is not valid {0}")]
    Broken(&'static str),
    /// More than two encodings on top of one another.
    #[error("too many content encodings")]
    TooMany,
}

/// Undoes `content_encoding` (the header's value), giving at most `limit` bytes.
pub fn decode(
    body: Vec<u8>,
    content_encoding: &str,
    limit: usize,
) -> Result<Decoded, InflateError> {
    let names: Vec<String> = content_encoding
        .split(',')
        .map(|name| name.trim().to_ascii_lowercase())
        .filter(|name| !name.is_empty())
        .collect();
    if names.len() > 2 {
        return Err(InflateError::TooMany);
    }
    let mut decoded = Decoded { bytes: body, truncated: false };
    for name in names.iter().rev() {
        let bytes = decoded.bytes.as_slice();
        let (next, kind) = match name.as_str() {
            "identity" => continue,
            // A server that compresses twice by mistake, or not at all although it says so, is common.
            "gzip" | "x-gzip" if bytes.starts_with(&[0x1f, 0x8b]) => {
                (read(MultiGzDecoder::new(bytes), limit), "gzip")
            }
            "gzip" | "x-gzip" => continue,
            "deflate" if is_zlib(bytes) => (read(ZlibDecoder::new(bytes), limit), "deflate"),
            "deflate" => (read(DeflateDecoder::new(bytes), limit), "deflate"),
            other => return Err(InflateError::Unsupported(other.chars().take(40).collect())),
        };
        let next = next.ok_or(InflateError::Broken(kind))?;
        decoded = Decoded { truncated: decoded.truncated || next.truncated, bytes: next.bytes };
    }
    if decoded.bytes.len() > limit {
        decoded.bytes.truncate(limit);
        decoded.truncated = true;
    }
    Ok(decoded)
}

fn is_zlib(bytes: &[u8]) -> bool {
    match bytes {
        [first, second, ..] => {
            first & 0x0f == 8 && (u16::from(*first) << 8 | u16::from(*second)).is_multiple_of(31)
        }
        _ => false,
    }
}

/// Reads up to the limit. A stream that breaks after some bytes keeps them; one that never starts is broken.
fn read(mut source: impl Read, limit: usize) -> Option<Decoded> {
    let mut bytes = Vec::new();
    let mut block = vec![0; 16 * 1024];
    loop {
        match source.read(&mut block) {
            Ok(0) => return Some(Decoded { bytes, truncated: false }),
            Ok(count) => bytes.extend_from_slice(block.get(..count)?),
            Err(_) if bytes.is_empty() => return None,
            Err(_) => return Some(Decoded { bytes, truncated: true }),
        }
        if bytes.len() > limit {
            bytes.truncate(limit);
            return Some(Decoded { bytes, truncated: true });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use proptest::prelude::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn each_encoding_is_undone() {
        let text = b"hello hello hello".as_slice();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(text).unwrap();
        let mut raw = DeflateEncoder::new(Vec::new(), Compression::fast());
        raw.write_all(text).unwrap();
        let cases = [
            (gzip(text), "gzip"),
            (gzip(text), "X-GZIP"),
            (zlib.finish().unwrap(), "deflate"),
            (raw.finish().unwrap(), "deflate"),
            (gzip(&gzip(text)), "gzip, gzip"),
            (text.to_vec(), ""),
            (text.to_vec(), "identity"),
            (text.to_vec(), "gzip"),
        ];
        for (body, encoding) in cases {
            assert_eq!(
                decode(body, encoding, 100).unwrap(),
                Decoded { bytes: text.to_vec(), truncated: false },
                "{encoding}"
            );
        }
    }

    #[test]
    fn a_bomb_is_cut_at_the_limit() {
        let bomb = gzip(&vec![0; 64 << 20]);
        assert!(bomb.len() < 100_000);
        let decoded = decode(bomb, "gzip", 1000).unwrap();
        assert_eq!((decoded.bytes.len(), decoded.truncated), (1000, true));
    }

    #[test]
    fn a_stream_that_breaks_keeps_its_beginning() {
        let noise: Vec<u8> =
            (0..40_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let mut body = gzip(&noise);
        body.truncate(body.len() / 2);
        let decoded = decode(body, "gzip", MAX_BYTES).unwrap();
        assert!(
            decoded.truncated && !decoded.bytes.is_empty() && noise.starts_with(&decoded.bytes)
        );
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        assert_eq!(decode(vec![1], "br", 10), Err(InflateError::Unsupported("br".into())));
        assert_eq!(decode(vec![0x1f, 0x8b, 0xff], "gzip", 10), Err(InflateError::Broken("gzip")));
        assert_eq!(decode(vec![1], "gzip,gzip,gzip", 10), Err(InflateError::TooMany));
    }

    proptest! {
        #[test]
        fn any_bytes_end_within_the_limit(body in proptest::collection::vec(any::<u8>(), 0..400), which in 0..3usize) {
            let encoding = ["gzip", "deflate", ""][which];
            if let Ok(decoded) = decode(body, encoding, 100) {
                prop_assert!(decoded.bytes.len() <= 100);
            }
        }
    }
}

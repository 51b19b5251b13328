//! Content encodings, undone as the bytes arrive, with a bound: a bomb yields its first bytes and the
//! word that it was cut.

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use std::cell::RefCell;
use std::io::{ErrorKind, Read};
use std::rc::Rc;

/// Bytes of a page that are looked at, after decompression.
pub const MAX_BYTES: usize = 2 * 1024 * 1024;

/// What is asked for in `Accept-Encoding`.
pub const ACCEPT_ENCODING: &str = "gzip, deflate";

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

/// A body whose encodings are being undone.
#[derive(Default)]
pub struct Inflater {
    /// The outermost encoding first.
    stages: Vec<Stage>,
    left: usize,
    truncated: bool,
}

impl Inflater {
    /// For a body of this `Content-Encoding`, giving at most `limit` bytes.
    pub fn new(content_encoding: &str, limit: usize) -> Result<Self, InflateError> {
        let names: Vec<String> = content_encoding
            .split(',')
            .map(|name| name.trim().to_ascii_lowercase())
            .filter(|name| !name.is_empty())
            .collect();
        if names.len() > 2 {
            return Err(InflateError::TooMany);
        }
        let mut stages = Vec::new();
        for name in names.iter().rev() {
            match name.as_str() {
                "gzip" | "x-gzip" => stages.push(Stage::new(Coding::Gzip, limit)),
                "deflate" => stages.push(Stage::new(Coding::Deflate, limit)),
                "br" | "zstd" | "compress" | "x-compress" => {
                    return Err(InflateError::Unsupported(name.clone()));
                }
                // Names of character sets, of transfers, or none: the body is as it is.
                _ => {}
            }
        }
        Ok(Self { stages, left: limit, truncated: false })
    }

    /// Takes the next bytes of the body, and gives what they hold.
    pub fn write(&mut self, bytes: &[u8]) -> Result<Vec<u8>, InflateError> {
        self.pass(bytes, false)
    }

    /// The body is over: gives the rest of what it holds.
    pub fn end(&mut self) -> Result<Vec<u8>, InflateError> {
        self.pass(&[], true)
    }

    /// Whether there was more than the limit, or an encoding broke off.
    pub fn truncated(&self) -> bool {
        self.truncated || self.stages.iter().any(|stage| stage.truncated)
    }

    /// Whether nothing more will come out, whatever goes in.
    pub fn is_over(&self) -> bool {
        self.truncated || self.stages.iter().any(|stage| matches!(stage.state, State::Over))
    }

    fn pass(&mut self, bytes: &[u8], last: bool) -> Result<Vec<u8>, InflateError> {
        let mut bytes = bytes.to_vec();
        for stage in &mut self.stages {
            bytes = stage.pass(&bytes, last)?;
        }
        if bytes.len() > self.left {
            bytes.truncate(self.left);
            self.truncated = true;
        }
        self.left -= bytes.len();
        Ok(bytes)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Coding {
    Gzip,
    Deflate,
}

struct Stage {
    coding: Coding,
    input: Input,
    state: State,
    /// Bytes that may still come out.
    left: usize,
    begun: bool,
    truncated: bool,
}

enum State {
    /// Its first bytes tell how it is read.
    Waiting,
    /// It is not encoded, whatever was said.
    Plain,
    Open(Box<dyn Read>),
    Over,
}

impl Stage {
    fn new(coding: Coding, left: usize) -> Self {
        let (input, state) = (Input::default(), State::Waiting);
        Self { coding, input, state, left, begun: false, truncated: false }
    }

    fn pass(&mut self, bytes: &[u8], last: bool) -> Result<Vec<u8>, InflateError> {
        if matches!(self.state, State::Over) {
            return Ok(Vec::new());
        }
        self.input.push(bytes, last);
        if matches!(self.state, State::Waiting) {
            self.begin(last);
        }
        match &mut self.state {
            State::Waiting | State::Over => Ok(Vec::new()),
            State::Plain => Ok(self.input.all()),
            State::Open(_) => self.read(),
        }
    }

    fn begin(&mut self, last: bool) {
        let Some(first) = self.input.first_two().or(last.then_some([0, 0])) else { return };
        self.state = match self.coding {
            // A server that compresses twice by mistake, or not at all although it says so, is common.
            Coding::Gzip if first != [0x1f, 0x8b] => State::Plain,
            Coding::Gzip => State::Open(Box::new(MultiGzDecoder::new(self.input.clone()))),
            Coding::Deflate if is_zlib(first) => {
                State::Open(Box::new(ZlibDecoder::new(self.input.clone())))
            }
            Coding::Deflate => State::Open(Box::new(DeflateDecoder::new(self.input.clone()))),
        };
    }

    /// Reads what can be read. A stream that breaks after some bytes keeps them; one that never
    /// starts is broken.
    fn read(&mut self) -> Result<Vec<u8>, InflateError> {
        let mut bytes = Vec::new();
        let mut block = vec![0; 16 * 1024];
        while let State::Open(source) = &mut self.state {
            match source.read(&mut block) {
                Ok(0) => self.state = State::Over,
                Ok(count) => bytes.extend_from_slice(block.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) if bytes.is_empty() && !self.begun => {
                    let name = if self.coding == Coding::Gzip { "gzip" } else { "deflate" };
                    return Err(InflateError::Broken(name));
                }
                Err(_) => (self.state, self.truncated) = (State::Over, true),
            }
            if bytes.len() > self.left {
                bytes.truncate(self.left);
                (self.state, self.truncated) = (State::Over, true);
            }
        }
        self.begun |= !bytes.is_empty();
        self.left -= bytes.len();
        Ok(bytes)
    }
}

/// What a decoder reads from: says that it would block where more is to come.
#[derive(Clone, Default)]
struct Input(Rc<RefCell<Arrived>>);

#[derive(Default)]
struct Arrived {
    bytes: Vec<u8>,
    read: usize,
    last: bool,
}

impl Input {
    fn push(&self, bytes: &[u8], last: bool) {
        let mut arrived = self.0.borrow_mut();
        let read = std::mem::take(&mut arrived.read);
        arrived.bytes.drain(..read);
        arrived.bytes.extend_from_slice(bytes);
        arrived.last = last;
    }

    fn all(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.borrow_mut().bytes)
    }

    fn first_two(&self) -> Option<[u8; 2]> {
        self.0.borrow().bytes.first_chunk().copied()
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut arrived = self.0.borrow_mut();
        let mut waiting = arrived.bytes.get(arrived.read..).unwrap_or_default();
        let count = match waiting.read(buffer)? {
            0 if !arrived.last && !buffer.is_empty() => return Err(ErrorKind::WouldBlock.into()),
            count => count,
        };
        arrived.read += count;
        Ok(count)
    }
}

fn is_zlib([first, second]: [u8; 2]) -> bool {
    first & 0x0f == 8 && (u16::from(first) << 8 | u16::from(second)).is_multiple_of(31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use proptest::prelude::*;
    use std::io::Write;

    #[derive(Debug, PartialEq)]
    struct Decoded {
        bytes: Vec<u8>,
        truncated: bool,
    }

    fn decode_in(
        body: &[u8],
        coding: &str,
        limit: usize,
        size: usize,
    ) -> Result<Decoded, InflateError> {
        let mut inflater = Inflater::new(coding, limit)?;
        let mut bytes = Vec::new();
        for piece in body.chunks(size) {
            bytes.extend(inflater.write(piece)?);
        }
        bytes.extend(inflater.end()?);
        Ok(Decoded { bytes, truncated: inflater.truncated() })
    }

    fn decode(body: Vec<u8>, coding: &str, limit: usize) -> Result<Decoded, InflateError> {
        decode_in(&body, coding, limit, body.len().max(1))
    }

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
            (text.to_vec(), "none"),
            (text.to_vec(), "UTF-8"),
            (gzip(text), "aws-chunked, gzip"),
            (text.to_vec(), "gzip"),
        ];
        for (body, encoding) in cases {
            for size in [1, 2, 7, 1000] {
                assert_eq!(
                    decode_in(&body, encoding, 100, size).unwrap(),
                    Decoded { bytes: text.to_vec(), truncated: false },
                    "{encoding} {size}"
                );
            }
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
            for size in [1, 7, 1000] {
                if let Ok(decoded) = decode_in(&body, encoding, 100, size) {
                    prop_assert!(decoded.bytes.len() <= 100);
                }
            }
        }
    }
}

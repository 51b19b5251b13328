//! Lines for whoever runs Quarry, on standard error.
//!
//! `eprintln!` panics when its line cannot be written, as on a full disk; a panic is a trap, and a
//! trap ends every request of the instance. Here such a line is lost, and nothing else.

use std::fmt::Display;
use std::io::Write;

/// Writes a line. Never a secret: it ends in a file that nobody guards.
pub fn note(line: impl Display) {
    put(&mut std::io::stderr(), line);
}

/// In one piece, so that lines of several requests do not mix.
fn put(to: &mut impl Write, line: impl Display) {
    let line = format!("{line}\n");
    // There is nowhere left to say that it failed.
    _ = to.write_all(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

    /// A disk that takes some bytes and is full then.
    struct Disk {
        room: usize,
        held: Vec<u8>,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> Result<usize, Error> {
            let room = self.room - self.held.len();
            if room == 0 {
                return Err(Error::from(ErrorKind::StorageFull));
            }
            let taken = &bytes[..room.min(bytes.len())];
            self.held.extend_from_slice(taken);
            Ok(taken.len())
        }

        fn flush(&mut self) -> Result<(), Error> {
            Err(Error::from(ErrorKind::StorageFull))
        }
    }

    #[test]
    fn what_fits_is_written_and_what_does_not_harms_nothing() {
        let mut disk = Disk { room: 9, held: Vec::new() };
        put(&mut disk, format_args!("first {}", 1));
        put(&mut disk, "second");
        assert_eq!(disk.held, b"first 1\ns");
    }
}

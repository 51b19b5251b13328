//! JSON as people read it.

use std::io;

/// A value with a line for each part of it, and not much more than so many bytes of them: what lies deep becomes a hundred
/// times as long.
pub fn indented(value: &serde_json::Value, most: usize) -> Option<String> {
    let mut lines = Bounded { bytes: Vec::new(), most };
    let written = serde_json::to_writer_pretty(&mut lines, value);
    let Bounded { bytes, .. } = lines;
    if written.is_err() && bytes.len() <= most {
        return None;
    }
    // It may end within a character.
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Takes bytes until there is one too many.
struct Bounded {
    bytes: Vec<u8>,
    most: usize,
}

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() > self.most {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_not_indented_to_more_than_is_kept_of_it() {
        let deep = format!("{}{}1{}", "[".repeat(100), "1,".repeat(200_000), "]".repeat(100));
        let value: serde_json::Value = serde_json::from_str(&deep).unwrap();
        let lines = indented(&value, 1 << 20).unwrap();
        assert!((1 << 20..(1 << 20) + 300).contains(&lines.len()), "{}", lines.len());
        assert_eq!(indented(&value, usize::MAX), serde_json::to_string_pretty(&value).ok());
    }
}

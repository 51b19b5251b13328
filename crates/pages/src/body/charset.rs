//! Character sets: mark, header, meta tag, and the bytes themselves when those are wrong.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How far a meta tag is looked for; the standard says 1,024, real pages go further.
const META_WINDOW: usize = 4096;

/// Text and the name of the character set it was in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The decoded text.
    pub text: String,
    /// The name of the encoding, as the WHATWG spells it.
    pub charset: &'static str,
    /// Whether bytes had to be replaced.
    pub lossy: bool,
}

/// Decodes a body. `declared` is the `charset` parameter of its `Content-Type`.
pub fn decode(body: &[u8], declared: Option<&str>) -> Text {
    let encoding = choose(body, declared);
    let (text, used, lossy) = encoding.decode(body);
    Text { text: text.into_owned(), charset: used.name(), lossy }
}

fn choose(body: &[u8], declared: Option<&str>) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(body) {
        return encoding;
    }
    if let Some(encoding) = utf16(body) {
        return encoding;
    }
    // Text in another character set is practically never valid UTF-8 by chance.
    if !body.is_ascii() && valid_utf8(body) {
        return UTF_8;
    }
    let header = declared.and_then(label);
    let meta = meta_label(body).and_then(label).map(|found| {
        // A meta tag that could be read as ASCII is not in UTF-16.
        if found == UTF_16LE || found == UTF_16BE { UTF_8 } else { found }
    });
    let stated =
        [header, meta].into_iter().flatten().find(|encoding| *encoding != UTF_8 || body.is_ascii());
    stated.unwrap_or(if body.is_ascii() { UTF_8 } else { WINDOWS_1252 })
}

fn label(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label(name.trim().as_bytes())
}

/// Valid but for a character that the limit cut in two; the whole ones before it are the proof.
fn valid_utf8(body: &[u8]) -> bool {
    match std::str::from_utf8(body) {
        Ok(_) => true,
        Err(error) => {
            error.error_len().is_none()
                && body.get(..error.valid_up_to()).is_some_and(|whole| !whole.is_ascii())
        }
    }
}

/// Whether the bytes look like UTF-16 without its mark.
pub fn looks_utf16(body: &[u8]) -> bool {
    Encoding::for_bom(body).is_some_and(|(encoding, _)| encoding != UTF_8) || utf16(body).is_some()
}

/// Western text in UTF-16 has a NUL in every second place.
fn utf16(body: &[u8]) -> Option<&'static Encoding> {
    let head = body.get(..body.len().min(512))?;
    let pairs = head.len() / 2;
    if pairs < 8 {
        return None;
    }
    let nuls =
        |offset: usize| head.iter().skip(offset).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (nuls(0), nuls(1));
    if odd * 10 > pairs * 7 && even * 10 < pairs {
        Some(UTF_16LE)
    } else if even * 10 > pairs * 7 && odd * 10 < pairs {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// The name after `charset=` in a meta tag, or `encoding=` in an XML declaration, near the beginning.
fn meta_label(body: &[u8]) -> Option<&str> {
    let head = body.get(..body.len().min(META_WINDOW))?;
    let lower = head.to_ascii_lowercase();
    let after = |needle: &[u8], from: usize| {
        let rest = lower.get(from..)?;
        rest.windows(needle.len())
            .position(|window| window == needle)
            .map(|at| from + at + needle.len())
    };
    if lower.starts_with(b"<?xml") {
        let end = after(b"?>", 0).unwrap_or(lower.len());
        if let Some(found) =
            after(b"encoding", 0).filter(|at| *at < end).and_then(|at| value(head, at))
        {
            return Some(found);
        }
    }
    let mut from = 0;
    while let Some(tag) = after(b"<meta", from) {
        let end = after(b">", tag).unwrap_or(lower.len());
        if let Some(found) =
            after(b"charset", tag).filter(|at| *at < end).and_then(|at| value(head, at))
        {
            return Some(found);
        }
        from = end;
    }
    None
}

/// `= "name"`, with or without quotes and spaces.
fn value(head: &[u8], from: usize) -> Option<&str> {
    let rest = head.get(from..)?.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let end = rest
        .iter()
        .position(|byte| !byte.is_ascii_alphanumeric() && !b"-_:.".contains(byte))
        .unwrap_or(rest.len());
    std::str::from_utf8(rest.get(..end)?).ok().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn charset(body: &[u8], declared: Option<&str>) -> (String, &'static str) {
        let decoded = decode(body, declared);
        (decoded.text, decoded.charset)
    }

    #[test]
    fn marks_headers_and_meta_tags() {
        assert_eq!(charset(b"\xef\xbb\xbfa\xc3\xa9", Some("latin1")), ("aé".into(), "UTF-8"));
        assert_eq!(charset(b"\xff\xfea\0\xe9\0", None), ("aé".into(), "UTF-16LE"));
        assert_eq!(charset(b"caf\xe9", Some("iso-8859-1")), ("café".into(), "windows-1252"));
        assert_eq!(
            charset(b"<meta charset=windows-1251>\xcf\xf0\xe8", None).0,
            "<meta charset=windows-1251>При"
        );
        assert_eq!(
            charset(b"<META http-equiv=x content='text/html; charset=koi8-r'>\xf0", None).1,
            "KOI8-R"
        );
        assert_eq!(
            charset(b"<?xml version='1.0' encoding='Shift_JIS'?>\x83\x65", None).1,
            "Shift_JIS"
        );
        assert_eq!(charset(b"\x1b$B$3\x1b(B", Some("iso-2022-jp")), ("こ".into(), "ISO-2022-JP"));
    }

    #[test]
    fn a_wrong_name_does_not_garble() {
        assert_eq!(charset("né".as_bytes(), Some("iso-8859-1")), ("né".into(), "UTF-8"));
        assert_eq!(charset(b"n\xe9", Some("utf-8")), ("né".into(), "windows-1252"));
        assert_eq!(charset(b"n\xe9", Some("no-such-charset")), ("né".into(), "windows-1252"));
        assert_eq!(charset("é ab é".as_bytes().get(..7).unwrap(), None).1, "UTF-8");
    }

    #[test]
    fn utf16_without_a_mark() {
        let little: Vec<u8> =
            "<html>hello world".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "<html>hello world".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(charset(&little, None), ("<html>hello world".into(), "UTF-16LE"));
        assert_eq!(charset(&big, Some("utf-8")), ("<html>hello world".into(), "UTF-16BE"));
    }

    proptest! {
        #[test]
        fn any_bytes_decode(body in proptest::collection::vec(any::<u8>(), 0..300), declared in "[a-z0-9-]{0,12}") {
            let decoded = decode(&body, Some(&declared));
            prop_assert!(decoded.text.len() <= body.len() * 3);
        }
    }
}

//! Character sets: mark, header, meta tag, and the bytes themselves when those are wrong. Text is
//! decoded as its bytes arrive.

use super::media::Kind;
use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How far a meta tag is looked for; the standard says 1,024, real pages go further.
const META_WINDOW: usize = 4096;
/// Bytes that are decoded at once: room is made for three times as many.
const BLOCK: usize = 32 * 1024;
/// How many bytes, from the first that is no ASCII, tell UTF-8 from what is not.
const EVIDENCE: usize = 32 * 1024;

/// Text and the name of the character set it was in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The decoded text.
    pub text: String,
    /// The name of the encoding, as the WHATWG spells it.
    pub charset: &'static str,
    /// Whether bytes had to be replaced.
    pub lossy: bool,
    /// Whether nothing said so, and its bytes are no UTF-8.
    pub is_guessed: bool,
}

/// Decodes a body that is there as a whole. `declared` is the `charset` of its `Content-Type`.
pub fn decode(body: &[u8], declared: Option<&str>) -> Text {
    decode_by(Reader::new(declared), body)
}

/// The same for what is no HTML: a tag in it is a part of what it says, and says nothing of its bytes.
pub fn decode_plain(body: &[u8], declared: Option<&str>) -> Text {
    decode_by(Reader { has_tags: false, ..Reader::new(declared) }, body)
}

/// The one or the other.
pub fn decode_of(kind: Kind, body: &[u8], declared: Option<&str>) -> Text {
    match kind {
        Kind::Html | Kind::Feed => decode(body, declared),
        Kind::Text | Kind::Markdown | Kind::Json | Kind::Pdf | Kind::Docx => {
            decode_plain(body, declared)
        }
    }
}

fn decode_by(mut reader: Reader, body: &[u8]) -> Text {
    let mut text = String::new();
    body.chunks(BLOCK).for_each(|block| reader.write(block, false, &mut text));
    reader.write(&[], true, &mut text);
    let Reader { lossy, is_guessed, .. } = reader;
    Text { text, charset: reader.charset(), lossy, is_guessed }
}

/// A text that is being decoded.
pub struct Reader {
    declared: Option<&'static Encoding>,
    /// Whether its tags say what it is in.
    has_tags: bool,
    stated: Stated,
    /// Bytes that wait for the character set to be known.
    held: Vec<u8>,
    decoder: Option<Decoder>,
    /// Whether ASCII was let through, so that no mark can follow.
    begun: bool,
    lossy: bool,
    is_guessed: bool,
}

/// What header and meta tag say; known with the first bytes.
enum Stated {
    Unread,
    Encodings([Option<&'static Encoding>; 2]),
}

impl Reader {
    /// For a body whose `Content-Type` has this `charset`.
    pub fn new(declared: Option<&str>) -> Self {
        Self {
            declared: declared.and_then(label),
            has_tags: true,
            stated: Stated::Unread,
            held: Vec::new(),
            decoder: None,
            begun: false,
            lossy: false,
            is_guessed: false,
        }
    }

    /// Takes the next bytes; adds to `text` what is certain of them.
    pub fn write(&mut self, bytes: &[u8], last: bool, text: &mut String) {
        if self.decoder.is_some() {
            return self.decode(bytes, last, text);
        }
        self.held.extend_from_slice(bytes);
        if let Some(encoding) = self.choose(last, text) {
            self.decoder = Some(if self.begun {
                encoding.new_decoder_without_bom_handling()
            } else {
                encoding.new_decoder_with_bom_removal()
            });
            let held = std::mem::take(&mut self.held);
            self.decode(&held, last, text);
        }
    }

    /// The name of the character set as far as it is known.
    fn charset(&self) -> &'static str {
        self.decoder.as_ref().map_or(UTF_8, Decoder::encoding).name()
    }

    fn decode(&mut self, mut bytes: &[u8], last: bool, text: &mut String) {
        let Some(decoder) = &mut self.decoder else { return };
        loop {
            text.reserve(decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len()));
            let (result, read, lossy) = decoder.decode_to_string(bytes, text, last);
            self.lossy |= lossy;
            bytes = bytes.get(read..).unwrap_or_default();
            if result == CoderResult::InputEmpty {
                return;
            }
        }
    }

    /// The character set, once the bytes that are held tell. ASCII is the same in nearly all of
    /// them, so it is let through before.
    fn choose(&mut self, last: bool, text: &mut String) -> Option<&'static Encoding> {
        if matches!(self.stated, Stated::Unread) {
            if self.held.len() < META_WINDOW && !last {
                return None;
            }
            if let Some((encoding, _)) = Encoding::for_bom(&self.held) {
                return Some(encoding);
            }
            if let Some(encoding) = utf16(&self.held) {
                return Some(encoding);
            }
            let meta = self.has_tags.then(|| meta_label(&self.held)).flatten();
            let meta = meta.and_then(label).map(|found| {
                // A meta tag that could be read as ASCII is not in UTF-16.
                if found == UTF_16LE || found == UTF_16BE { UTF_8 } else { found }
            });
            self.stated = Stated::Encodings([self.declared, meta]);
        }
        let Stated::Encodings(stated) = self.stated else { return None };
        let first = stated.into_iter().flatten().next();
        if let Some(encoding) = first.filter(|first| !first.is_ascii_compatible()) {
            let evidence = self.evidence(last)?;
            let utf8 = !evidence.is_ascii() && valid_utf8(evidence);
            return Some(if utf8 { UTF_8 } else { encoding });
        }
        let ascii = Encoding::ascii_valid_up_to(&self.held);
        self.begun |= ascii > 0;
        let rest = self.held.split_off(ascii);
        let ascii = std::mem::replace(&mut self.held, rest);
        text.push_str(std::str::from_utf8(&ascii).unwrap_or_default());
        if self.held.is_empty() {
            return None;
        }
        let evidence = self.evidence(last)?;
        // Text in another character set is practically never valid UTF-8 by chance.
        if valid_utf8(evidence) {
            return Some(UTF_8);
        }
        // One bad byte, of a comment that was pasted in, does not garble all the others.
        let may_be = stated.contains(&Some(UTF_8)) || stated.iter().all(Option::is_none);
        if may_be && mostly_utf8(evidence) {
            return Some(UTF_8);
        }
        let other = stated.into_iter().flatten().find(|encoding| *encoding != UTF_8);
        self.is_guessed = other.is_none();
        Some(other.unwrap_or(WINDOWS_1252))
    }

    /// What of the bytes that are held is judged, however many came at once.
    fn evidence(&self, last: bool) -> Option<&[u8]> {
        self.held.get(..EVIDENCE).or(last.then_some(&self.held))
    }
}

/// Some names stand for what nothing is to be read in: it would be one replacement character, whatever the bytes say.
fn label(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(name.trim().as_bytes())
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

/// Letters of UTF-8 for each mistake. Real pages have 75 and more; those in other character sets have a
/// letter for 18 mistakes at best.
const LETTERS: usize = 4;

/// Whether most of what is no ASCII is UTF-8.
fn mostly_utf8(body: &[u8]) -> bool {
    let (mut good, mut bad) = (0, 0);
    for chunk in body.utf8_chunks() {
        good += chunk.valid().chars().filter(|char| !char.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good > LETTERS * bad
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
        let said = b"<meta charset=utf-16>plain";
        assert_eq!(charset(said, None).0.as_bytes(), said, "it could be read, so it is not");
        assert_eq!(charset(b"n\xe9", Some("no-such-charset")), ("né".into(), "windows-1252"));
        assert_eq!(charset("é ab é".as_bytes().get(..7).unwrap(), None).1, "UTF-8");
    }

    #[test]
    fn what_nothing_is_to_be_read_in_is_no_name() {
        for name in ["iso-2022-kr", "hz-gb-2312", "iso-2022-cn", "replacement"] {
            assert_eq!(charset("né".as_bytes(), Some(name)), ("né".into(), "UTF-8"), "{name}");
            let said = format!("<meta charset={name}>plain");
            assert_eq!(charset(said.as_bytes(), None), (said, "UTF-8"));
        }
    }

    #[test]
    fn what_is_no_html_says_nothing_of_its_bytes() {
        let text = format!("<meta charset=iso-2022-jp>{}é", "a".repeat(2 * EVIDENCE));
        assert_eq!(decode_plain(text.as_bytes(), None).text, text);
        let said = b"<meta charset=koi8-r>n\xe9";
        assert_eq!(decode_plain(said, None).charset, "windows-1252");
        assert_eq!(decode_plain(said, Some("koi8-r")).charset, "KOI8-R", "its sender knows");
        let read_as = |kind| decode_of(kind, said, None).charset;
        assert_eq!([Kind::Html, Kind::Markdown].map(read_as), ["KOI8-R", "windows-1252"]);
    }

    #[test]
    fn one_bad_byte_does_not_garble_a_page_of_utf8() {
        let body = [&b"n\xe9 "[..], &"né ".repeat(9).into_bytes()[..]].concat();
        let meta = [&b"<meta charset=utf-8>"[..], &body[..]].concat();
        for decoded in [decode(&body, None), decode(&body, Some("utf-8")), decode(&meta, None)] {
            assert_eq!((decoded.charset, decoded.lossy), ("UTF-8", true));
            assert!(decoded.text.ends_with("n\u{fffd} né né né né né né né né né "));
        }
        // Who says another, and has bytes that are no UTF-8, is believed.
        assert_eq!(charset(&body, Some("koi8-r")).1, "KOI8-R");
        let legacy = ["é".as_bytes(), &b"n\xe9 ".repeat(9)[..]].concat();
        assert_eq!(charset(&legacy, Some("utf-8")).1, "windows-1252");
    }

    #[test]
    fn utf16_without_a_mark() {
        let little: Vec<u8> =
            "<html>hello world".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "<html>hello world".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(charset(&little, None), ("<html>hello world".into(), "UTF-16LE"));
        assert_eq!(charset(&big, Some("utf-8")), ("<html>hello world".into(), "UTF-16BE"));
    }

    #[test]
    fn a_late_mistake_does_not_garble_what_was_utf8() {
        let body = [&"né ".repeat(EVIDENCE).into_bytes()[..], b"n\xe9"].concat();
        let decoded = decode(&body, None);
        assert_eq!((decoded.charset, decoded.lossy), ("UTF-8", true));
        assert!(decoded.text.ends_with("né n\u{fffd}"));
        // Long after the beginning, the first letters that are not English still tell.
        let late = [&vec![b'a'; 3 * EVIDENCE][..], b"n\xe9"].concat();
        assert_eq!(charset(&late, None).1, "windows-1252");
        assert_eq!(charset(&late, Some("koi8-r")).1, "KOI8-R");
    }

    proptest! {
        /// Bytes come from the network in pieces of any size.
        #[test]
        fn any_cutting_gives_the_same_text(
            parts in proptest::collection::vec(proptest::sample::select(vec![
                b"\xef\xbb\xbf".to_vec(), b"\xff\xfe".to_vec(), b"a\0b\0c\0d\0".repeat(4), b"plain ".to_vec(),
                b"\xe9".to_vec(), "é".as_bytes().to_vec(), b"\x1b$B$3\x1b(B".to_vec(), b"<meta charset=koi8-r>".to_vec(),
                vec![b'x'; 5000], "é".repeat(EVIDENCE).into_bytes(), b"\x83\x65".to_vec(),
            ]), 0..8),
            declared in proptest::sample::select(vec!["", "utf-8", "iso-2022-jp", "shift_jis", "utf-16", "latin1"]),
            size in 1..9000usize,
        ) {
            let body = parts.concat();
            let mut reader = Reader::new(Some(declared));
            let mut text = String::new();
            body.chunks(size).for_each(|piece| reader.write(piece, false, &mut text));
            reader.write(&[], true, &mut text);
            prop_assert!(text == decode(&body, Some(declared)).text);
        }

        #[test]
        fn any_bytes_decode(body in proptest::collection::vec(any::<u8>(), 0..300), declared in "[a-z0-9-]{0,12}") {
            let decoded = decode(&body, Some(&declared));
            prop_assert!(decoded.text.len() <= body.len() * 3);
        }
    }
}

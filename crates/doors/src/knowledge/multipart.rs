//! Files as browsers and curl send them: `multipart/form-data`.
//!
//! Border: bytes in, parts out; what they mean is decided beside it. Source: RFC 7578, RFC 2046 section 5.1.

use crate::Refusal;
use crate::nearest::shown;

/// Parts of a body, and bytes of the head of one.
const PARTS: usize = 1_000;
const HEAD: usize = 16 * 1024;

/// A part of a body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Part<'b> {
    /// The name of its field.
    pub name: String,
    /// The name of its file; none for a plain field.
    pub file: Option<String>,
    /// What its sender says that it is.
    pub media_type: Option<String>,
    pub bytes: &'b [u8],
}

/// The boundary that a content type names; none: it is of another type.
pub(super) fn boundary(content_type: Option<&str>) -> Option<Result<String, Refusal>> {
    let (essence, parameters) = content_type?.split_once(';').unwrap_or((content_type?, ""));
    if !essence.trim().eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let mut named = parameters.split(';').filter_map(|pair| pair.split_once('='));
    let boundary = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("boundary"));
    let boundary = boundary.map(|(_, value)| value.trim().trim_matches('"').to_owned());
    let fits = |text: &String| (1..=70).contains(&text.len());
    Some(boundary.filter(fits).ok_or_else(|| {
        wrong("names no boundary in Content-Type; let the client set that header by itself")
    }))
}

/// The parts of a body.
pub(super) fn parts<'b>(body: &'b [u8], boundary: &str) -> Result<Vec<Part<'b>>, Refusal> {
    let fence = format!("\r\n--{boundary}").into_bytes();
    // The first fence may stand at the very beginning.
    let opening = fence.get(2..).unwrap_or_default();
    let mut rest = match body.strip_prefix(opening) {
        Some(rest) => rest,
        None => {
            let at = find(body, &fence).ok_or_else(|| wrong("does not begin with its boundary"))?;
            body.get(at + fence.len()..).unwrap_or_default()
        }
    };
    let mut parts = Vec::new();
    loop {
        if rest.starts_with(b"--") {
            return Ok(parts);
        }
        if parts.len() == PARTS {
            return Err(wrong(&format!("has more than {PARTS} parts; send several requests")));
        }
        let cut_off = || cut_off(rest);
        let start = find(rest, b"\r\n").ok_or_else(cut_off)?;
        let part = rest.get(start + 2..).unwrap_or_default();
        let end = if part.starts_with(fence.get(2..).unwrap_or_default()) {
            // A part without a head and without a line break is none.
            return Err(wrong("has a part without a head"));
        } else {
            find(part, &fence).ok_or_else(cut_off)?
        };
        let (inside, after) = part.split_at_checked(end).ok_or_else(cut_off)?;
        parts.push(read(inside)?);
        rest = after.get(fence.len()..).unwrap_or_default();
    }
}

fn read(part: &[u8]) -> Result<Part<'_>, Refusal> {
    let nameless = || wrong("has a part without a name; each needs Content-Disposition with name=");
    let (head, bytes) = match part.strip_prefix(b"\r\n") {
        Some(_) => return Err(nameless()),
        None => {
            let window = part.get(..HEAD.min(part.len())).unwrap_or_default();
            let end = find(window, b"\r\n\r\n").ok_or_else(nameless)?;
            (part.get(..end).unwrap_or_default(), part.get(end + 4..).unwrap_or_default())
        }
    };
    let head = String::from_utf8_lossy(head);
    let mut read = Part { bytes, ..Part::default() };
    for line in head.split("\r\n") {
        let Some((name, value)) = line.split_once(':') else { continue };
        match name.trim().to_ascii_lowercase().as_str() {
            "content-disposition" => {
                read.name = parameter(value, "name").ok_or_else(nameless)?;
                read.file = parameter(value, "filename");
            }
            "content-type" => read.media_type = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    if read.name.is_empty() { Err(nameless()) } else { Ok(read) }
}

/// A parameter of a header, quoted or not. Browsers write a quotation mark in a name as %22.
fn parameter(value: &str, wanted: &str) -> Option<String> {
    let mut rest = value;
    while let Some((_, after)) = rest.split_once(';') {
        rest = after.trim_start();
        let (name, after) = rest.split_once('=')?;
        let (value, behind) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after.find(';').map_or((after, ""), |end| after.split_at(end)),
        };
        if name.trim().eq_ignore_ascii_case(wanted) {
            let plain = value.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n");
            return Some(plain);
        }
        rest = behind;
    }
    None
}

/// Where bytes stand in others.
fn find(within: &[u8], wanted: &[u8]) -> Option<usize> {
    let first = *wanted.first()?;
    let mut at = 0;
    loop {
        let rest = within.get(at..)?;
        at += rest.iter().position(|byte| *byte == first)?;
        if within.get(at..)?.starts_with(wanted) {
            return Some(at);
        }
        at += 1;
    }
}

/// What is said of a body whose last boundary is missing: the file, where it is in one that the rest breaks off.
fn cut_off(rest: &[u8]) -> Refusal {
    let part = rest.strip_prefix(b"\r\n").and_then(|part| read(part).ok());
    let within = match part.and_then(|part| part.file) {
        Some(file) => format!("in `{}`, ", shown(&file)),
        None => String::new(),
    };
    let why = format!(
        "breaks off {within}before its last boundary; nothing of it was loaded: send it again"
    );
    wrong(&why)
}

fn wrong(why: &str) -> Refusal {
    Refusal::NoDocument(format!("the multipart/form-data {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BODY: &str = "--x\r\nContent-Disposition: form-data; name=\"collection\"\r\n\r\nnotes\r\n--x\r\n\
        content-disposition: form-data; filename=\"a;%22b\\.md\"; name=file\r\nContent-Type: text/markdown\r\n\r\n\
        # A\r\n\r\n--y\r\n--x--\r\n";

    #[test]
    fn fields_and_files_are_told_apart() {
        let parts = parts(BODY.as_bytes(), "x").unwrap();
        assert_eq!(parts.len(), 2);
        let field = Part { name: "collection".into(), bytes: b"notes", ..Part::default() };
        assert_eq!(parts[0], field);
        assert_eq!(
            (parts[1].name.as_str(), parts[1].file.as_deref()),
            ("file", Some("a;\"b\\.md"))
        );
        assert_eq!(parts[1].media_type.as_deref(), Some("text/markdown"));
        assert_eq!(parts[1].bytes, b"# A\r\n\r\n--y");
        assert_eq!(super::parts(b"--x--", "x"), Ok(Vec::new()));
    }

    #[test]
    fn a_boundary_is_named_by_the_type() {
        assert!(boundary(None).is_none() && boundary(Some("application/json")).is_none());
        let named = |kind: &str| boundary(Some(kind)).unwrap();
        assert_eq!(named("multipart/form-data; boundary=\"a b\"").unwrap(), "a b");
        assert_eq!(named("Multipart/Form-Data; charset=utf-8; Boundary=x").unwrap(), "x");
        assert!(named("multipart/form-data").is_err());
    }

    #[test]
    fn what_breaks_off_is_refused_with_a_sentence() {
        for end in 0..BODY.len() - 4 {
            let refused = parts(&BODY.as_bytes()[..end], "x").unwrap_err().to_string();
            assert!(refused.starts_with("the multipart/form-data "), "{refused}");
        }
        let nameless = b"--x\r\nContent-Type: a/b\r\n\r\nx\r\n--x--";
        assert!(parts(nameless, "x").unwrap_err().to_string().contains("without a name"));
    }

    proptest! {
        #[test]
        fn any_bytes_travel(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let mut body = b"--3f9a\r\nContent-Disposition: form-data; name=\"f\"; filename=\"b\"\r\n\r\n".to_vec();
            body.extend_from_slice(&bytes);
            body.extend_from_slice(b"\r\n--3f9a--");
            prop_assert_eq!(parts(&body, "3f9a").unwrap()[0].bytes, bytes.as_slice());
            // And none of them brings the parser down.
            let _ = parts(&bytes, "3f9a");
        }
    }
}

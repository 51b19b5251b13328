//! Media types: what the header says, and what the bytes say when the header is missing or wrong.

/// A kind of body that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// HTML and XHTML.
    Html,
    /// Plain text, and other text that needs no understanding.
    Text,
    /// Markdown.
    Markdown,
    /// JSON, `+json` types included.
    Json,
    /// RSS, Atom, RDF and sitemaps.
    Feed,
    /// PDF.
    Pdf,
    /// Word documents.
    Docx,
}

/// A body's media type, as the header and its bytes together tell it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// How it is read.
    pub kind: Kind,
    /// Without parameters, lower case.
    pub essence: String,
}

/// The `Accept` header of a page request.
pub const ACCEPT: &str = "text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.8,text/plain;q=0.7,application/json;q=0.6,application/pdf;q=0.5,application/rss+xml;q=0.5,application/atom+xml;q=0.5,*/*;q=0.1";

/// The essence and the `charset` parameter of a `Content-Type`.
pub fn parse(content_type: &str) -> (String, Option<String>) {
    let mut parts = content_type.split(';');
    let essence = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    });
    let essence = if essence.contains('/') { essence } else { String::new() };
    (essence, charset.filter(|label| !label.is_empty()))
}

/// Decides how a body is read; `Err` carries the media type that is not.
pub fn classify(content_type: &str, body: &[u8]) -> Result<Media, String> {
    let (essence, _) = parse(content_type);
    if is_pdf(&essence, body) {
        return Ok(Media { kind: Kind::Pdf, essence: default_essence(Kind::Pdf).to_owned() });
    }
    if essence == crate::docx::MEDIA_TYPE {
        return Ok(Media { kind: Kind::Docx, essence });
    }
    if looks_feed(body) {
        let named = if essence.ends_with("xml") { essence } else { String::new() };
        let essence = if named.is_empty() { default_essence(Kind::Feed).to_owned() } else { named };
        return Ok(Media { kind: Kind::Feed, essence });
    }
    if let Some(binary) = binary(body) {
        return Err(binary.to_owned());
    }
    let declared = match essence.as_str() {
        "text/html" | "application/xhtml+xml" => Some(Kind::Html),
        "text/markdown" | "text/x-markdown" => Some(Kind::Markdown),
        "application/json" | "text/json" => Some(Kind::Json),
        other if other.ends_with("+json") => Some(Kind::Json),
        "text/css" | "text/javascript" | "text/xml" => None,
        other if other.starts_with("text/") => Some(Kind::Text),
        _ => None,
    };
    let guessable = matches!(essence.as_str(), "" | "text/plain" | "text/xml" | "application/xml")
        || may_be_pdf(&essence);
    let kind = match declared {
        // Some servers send everything as one type; the bytes know better.
        Some(Kind::Text | Kind::Json) | None
            if (guessable || declared.is_some()) && looks_html(body) =>
        {
            Some(Kind::Html)
        }
        Some(Kind::Html) if looks_json(body) => Some(Kind::Json),
        Some(kind) => Some(kind),
        None if essence.is_empty() || OCTETS.contains(&essence.as_str()) => guess(body),
        None => None,
    };
    match kind {
        Some(kind) if essence.is_empty() || (guessable && kind == Kind::Html) => {
            Ok(Media { kind, essence: default_essence(kind).to_owned() })
        }
        Some(kind) => Ok(Media { kind, essence }),
        None if essence.is_empty() => Err("unknown".to_owned()),
        None => Err(essence),
    }
}

/// What is sent as a file to be saved, of whatever type.
const OCTETS: &[&str] = &["application/octet-stream", "binary/octet-stream"];

/// Whether a body of this type may be a PDF file, which is read at more length than a page.
pub fn may_be_pdf(essence: &str) -> bool {
    matches!(essence, "application/pdf" | "application/x-pdf") || OCTETS.contains(&essence)
}

/// Bytes in which readers of PDF files look for the mark that begins them.
const PDF_MARK: usize = 1024;

/// Where a PDF file begins; something stands before it now and then.
pub fn pdf_begins(body: &[u8]) -> Option<usize> {
    let head = body.get(..body.len().min(PDF_MARK))?;
    head.windows(5).position(|window| window == b"%PDF-")
}

fn is_pdf(essence: &str, body: &[u8]) -> bool {
    let Some(at) = pdf_begins(body) else { return false };
    // Of a text that names the mark, only the mark is a PDF file's.
    let alone = body.get(..at).is_some_and(|before| start(before).is_empty());
    alone || may_be_pdf(essence) && !looks_html(body)
}

fn default_essence(kind: Kind) -> &'static str {
    match kind {
        Kind::Html => "text/html",
        Kind::Text => "text/plain",
        Kind::Markdown => "text/markdown",
        Kind::Json => "application/json",
        Kind::Feed => "application/xml",
        Kind::Pdf => "application/pdf",
        Kind::Docx => crate::docx::MEDIA_TYPE,
    }
}

fn guess(body: &[u8]) -> Option<Kind> {
    if looks_json(body) {
        return Some(Kind::Json);
    }
    let head = body.get(..body.len().min(1024)).unwrap_or_default();
    let strange = head.iter().filter(|byte| **byte < 0x20 && !byte.is_ascii_whitespace()).count();
    (!head.is_empty() && strange == 0).then_some(Kind::Text)
}

fn start(body: &[u8]) -> &[u8] {
    let body = body.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(body).trim_ascii_start();
    body.get(..body.len().min(512)).unwrap_or(body)
}

fn looks_html(body: &[u8]) -> bool {
    let head = start(body).to_ascii_lowercase();
    let tags: [&[u8]; 6] = [b"<!doctype html", b"<html", b"<head", b"<body", b"<title", b"<meta"];
    tags.iter().any(|tag| head.starts_with(tag))
        || (head.starts_with(b"<?xml") || head.starts_with(b"<!--"))
            && head.windows(5).any(|window| window == b"<html")
}

/// Feeds are sent as almost any type; their root element tells. UTF-16 is let pass: feeds in it are
/// sent as XML and read as text.
fn looks_feed(body: &[u8]) -> bool {
    let begin = body.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(body).trim_ascii_start();
    let head = begin.get(..begin.len().min(4096)).unwrap_or_default();
    head.starts_with(b"<") && crate::feed::is_feed(&String::from_utf8_lossy(head))
}

fn looks_json(body: &[u8]) -> bool {
    matches!(start(body).first(), Some(b'{' | b'['))
        && serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok()
}

/// Formats that begin with a signature of their own, and anything full of NULs that is not UTF-16.
fn binary(body: &[u8]) -> Option<&'static str> {
    const SIGNATURES: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"PK\x03\x04", "application/zip"),
        (b"\x1f\x8b", "application/gzip"),
        (b"RIFF", "audio, video or image (RIFF)"),
        (b"\x00\x00\x00\x18ftyp", "video/mp4"),
        (b"\x00\x00\x00\x20ftyp", "video/mp4"),
        (b"ID3", "audio/mpeg"),
        (b"OggS", "audio/ogg"),
        (b"\x7fELF", "application/x-executable"),
        (b"\x00asm", "application/wasm"),
        (b"\xd0\xcf\x11\xe0", "application/msword"),
    ];
    if let Some((_, name)) = SIGNATURES.iter().find(|(signature, _)| body.starts_with(signature)) {
        return Some(name);
    }
    let head = body.get(..body.len().min(1024)).unwrap_or_default();
    let nuls = head.iter().filter(|byte| **byte == 0).count();
    (nuls > 8 && nuls * 10 > head.len() && !super::charset::looks_utf16(body))
        .then_some("application/octet-stream")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(content_type: &str, body: &str) -> Result<Kind, String> {
        classify(content_type, body.as_bytes()).map(|media| media.kind)
    }

    #[test]
    fn headers_are_believed_when_the_bytes_agree() {
        assert_eq!(kind("text/html; charset=utf-8", "<p>x"), Ok(Kind::Html));
        assert_eq!(kind("Application/XHTML+xml", "<p>x"), Ok(Kind::Html));
        assert_eq!(kind("text/plain", "# not html"), Ok(Kind::Text));
        assert_eq!(kind("text/markdown", "# x"), Ok(Kind::Markdown));
        assert_eq!(kind("application/ld+json", "{}"), Ok(Kind::Json));
        assert_eq!(kind("text/csv", "a,b"), Ok(Kind::Text));
    }

    #[test]
    fn bytes_win_over_a_header_that_lies() {
        assert_eq!(kind("text/plain", " <!DOCTYPE HTML><p>x"), Ok(Kind::Html));
        assert_eq!(kind("", "<html><p>x"), Ok(Kind::Html));
        assert_eq!(kind("application/octet-stream", "<html>"), Ok(Kind::Html));
        assert_eq!(kind("text/xml", "<?xml version='1.0'?><html>"), Ok(Kind::Html));
        assert_eq!(kind("application/json", "<!doctype html><p>error"), Ok(Kind::Html));
        assert_eq!(kind("text/html", "{\"a\": [1, 2]}"), Ok(Kind::Json));
        assert_eq!(kind("text/html", "%PDF-1.7"), Ok(Kind::Pdf));
        assert_eq!(kind("text/html", "\n%PDF-1.7"), Ok(Kind::Pdf));
        assert_eq!(kind("application/pdf", "x\r\n%PDF-1.7"), Ok(Kind::Pdf));
        assert_eq!(kind("text/plain", "It begins with %PDF-1.7."), Ok(Kind::Text));
        assert_eq!(kind("application/pdf", "<!doctype html><p>%PDF-"), Ok(Kind::Html));
        assert_eq!(kind("binary/octet-stream", "<html>"), Ok(Kind::Html));
        assert_eq!(kind("text/html", "<?xml version='1.0'?>\n<rss version='2.0'>"), Ok(Kind::Feed));
        assert_eq!(kind("garbage", "plain words"), Ok(Kind::Text));
        assert_eq!(classify("text/html", &[0; 64]), Err("application/octet-stream".into()));
    }

    #[test]
    fn other_types_are_named() {
        assert_eq!(kind("image/png", "x"), Err("image/png".into()));
        assert_eq!(kind("application/pdf", "x"), Err("application/pdf".into()));
        assert_eq!(kind("text/css", "a{}"), Err("text/css".into()));
        assert_eq!(kind("application/zip", "PK\x03\x04"), Err("application/zip".into()));
        assert_eq!(kind(crate::docx::MEDIA_TYPE, "PK\x03\x04"), Ok(Kind::Docx));
        assert_eq!(kind("application/rss+xml", "no feed"), Err("application/rss+xml".into()));
        assert_eq!(kind("application/xml", "<svg/>"), Err("application/xml".into()));
    }

    #[test]
    fn the_charset_parameter_is_found() {
        let charset = |text: &str| parse(text).1;
        assert_eq!(charset("text/html; x=y; Charset=\"ISO-8859-1\""), Some("ISO-8859-1".into()));
        assert_eq!(charset("text/html;charset="), None);
        assert_eq!(charset("text/html"), None);
    }
}

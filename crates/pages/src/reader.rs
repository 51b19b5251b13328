//! Reads a body as it arrives: undoes its encodings, tells what it is, decodes its text, and hands
//! HTML on piece by piece; what is no HTML is kept until it is whole.
//! Border: bytes and headers in, a [`Page`] out; fetching is the component's.

use crate::body::{charset, inflate, media};
use crate::docx::DocxError;
use crate::pace::{self, Alone, Pace};
use crate::page::{self, Headers, Page, PageError, Wanted};
use crate::pdf::PdfError;
use crate::{html, metadata};
use url::Url;

/// Bytes from the first that is no white space that tell HTML from all else.
const BEGIN: usize = 4 * 1024;
/// Bytes of white space after which a body is told by what there is.
const MAX_BLANK: usize = 64 * 1024;
/// Bytes that go the whole way at once.
const BLOCK: usize = 32 * 1024;

/// A page that is arriving.
pub struct Reader {
    url: Url,
    wanted: Wanted,
    content_type: String,
    content_language: String,
    inflater: inflate::Inflater,
    state: State,
    /// Bytes that may come, and those that still may.
    limit: usize,
    left: usize,
    /// Whether a byte came.
    begun: bool,
    /// Whether more came than may.
    cut: bool,
    /// Why the body cannot be read.
    error: Option<PageError>,
    /// Bytes after decompression.
    bytes: u64,
}

enum State {
    /// Not told yet, or no HTML.
    Held {
        body: Vec<u8>,
        other: bool,
    },
    Html(Box<Html>),
}

struct Html {
    media: media::Media,
    charset: charset::Reader,
    parser: html::Parser,
    /// Decoded text on its way to the parser.
    text: String,
}

impl Reader {
    /// For a response with these headers, that came from `url`.
    pub fn new(headers: &Headers<'_>, url: &Url, wanted: Wanted) -> Self {
        let limit = wanted.extent.body(headers.content_type);
        let (inflater, error) = match inflate::Inflater::new(headers.content_encoding, limit) {
            Ok(inflater) => (inflater, None),
            Err(error) => (inflate::Inflater::default(), Some(error.into())),
        };
        Self {
            url: url.clone(),
            wanted,
            content_type: headers.content_type.to_owned(),
            content_language: headers.content_language.to_owned(),
            inflater,
            state: State::Held { body: Vec::new(), other: false },
            limit,
            left: limit,
            begun: false,
            cut: false,
            error,
            bytes: 0,
        }
    }

    /// Takes the next bytes of the body as they came.
    pub fn write(&mut self, bytes: &[u8]) {
        self.begun |= !bytes.is_empty();
        self.cut |= bytes.len() > self.left;
        let taken = bytes.get(..self.left).unwrap_or(bytes);
        self.left -= taken.len();
        for block in taken.chunks(BLOCK) {
            if self.error.is_some() {
                return;
            }
            match self.inflater.write(block) {
                Ok(inflated) => self.take(&inflated),
                Err(error) => self.error = Some(error.into()),
            }
        }
    }

    /// Whether anything of the body came.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Whether more bytes would change nothing.
    pub fn is_over(&self) -> bool {
        self.cut || self.error.is_some() || self.inflater.is_over()
    }

    /// The body is over, or breaks off here: `cut`.
    pub fn end(self, cut: bool) -> Result<Page, PageError> {
        pace::at_once(self.end_beside(cut, &mut Alone))
    }

    /// Ends as [`Reader::end`] does, beside others: what takes long pauses now and then.
    pub async fn end_beside(mut self, cut: bool, pace: &mut impl Pace) -> Result<Page, PageError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let rest = self.inflater.end()?;
        self.take(&rest);
        if self.bytes == 0 {
            return Err(PageError::NoText);
        }
        let (mut page, media) = match self.state {
            State::Html(html) => {
                let (media, tree) = html.end();
                (page::read_html(&tree, &self.url, self.wanted), media)
            }
            State::Held { body, .. } => {
                let media = media::classify(&self.content_type, &body)
                    .map_err(PageError::UnsupportedType)?;
                let (url, wanted) = (&self.url, self.wanted);
                let kind = self.content_type.as_str();
                let read = page::read_other(body, media.kind, kind, url, wanted, pace).await;
                // What was cut off here is not damaged.
                let too_long = |error| match error {
                    PageError::Pdf(PdfError::Damaged) | PageError::Docx(DocxError::Damaged)
                        if self.cut =>
                    {
                        PageError::TooLong(self.limit)
                    }
                    other => other,
                };
                (read.map_err(too_long)?, media)
            }
        };
        if page.metadata.language.is_none() {
            page.metadata.language =
                metadata::tag(&self.content_language).map(|tag| (tag, metadata::Source::Header));
        }
        page.truncated |= self.inflater.truncated() || self.cut || cut;
        page.media_type = media.essence;
        page.bytes = self.bytes;
        if page.leads_to().is_some() { Ok(page) } else { page.if_any() }
    }

    fn take(&mut self, bytes: &[u8]) {
        let room = self.limit.saturating_sub(usize::try_from(self.bytes).unwrap_or(usize::MAX));
        self.cut |= bytes.len() > room;
        let bytes = bytes.get(..room).unwrap_or(bytes);
        self.bytes += bytes.len() as u64;
        match &mut self.state {
            State::Html(html) => html.write(bytes),
            State::Held { body, other } => {
                body.extend_from_slice(bytes);
                if *other || !tells(body) {
                    return;
                }
                let media = media::classify(&self.content_type, body);
                // Of what might have been a file and is none, no more is read than of a page.
                let kind = media.as_ref().ok().map(|media| media.kind);
                self.limit = self.limit.min(self.wanted.extent.of(kind));
                match media {
                    Ok(media) if media.kind == media::Kind::Html && !is_json(body) => {
                        let mut html = Box::new(Html::new(media, &self.content_type));
                        html.write(body);
                        self.state = State::Html(html);
                    }
                    _ => *other = true,
                }
            }
        }
    }
}

/// Whether the beginning of a body is long enough to tell what it is.
fn tells(body: &[u8]) -> bool {
    body.len() >= MAX_BLANK || words(body).len() >= BEGIN
}

/// Whether a body can be JSON, which only its end tells.
fn is_json(body: &[u8]) -> bool {
    matches!(words(body).first(), Some(b'{' | b'['))
}

/// A body without its mark and the white space before its first word.
fn words(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start()
}

impl Html {
    fn new(media: media::Media, content_type: &str) -> Self {
        let (_, declared) = media::parse(content_type);
        Self {
            media,
            charset: charset::Reader::new(declared.as_deref()),
            parser: html::Parser::default(),
            text: String::new(),
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        self.decode(bytes, false);
    }

    fn decode(&mut self, bytes: &[u8], last: bool) {
        self.charset.write(bytes, last, &mut self.text);
        self.parser.write(self.text.as_bytes());
        self.text.clear();
    }

    fn end(mut self) -> (media::Media, html::Tree) {
        self.decode(&[], true);
        (self.media, self.parser.end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn read(headers: &Headers<'_>, body: &[u8], size: usize) -> Result<Page, PageError> {
        let url = Url::parse("https://example.com/").unwrap();
        let mut reader =
            Reader::new(headers, &url, Wanted { text: true, passages: true, ..Wanted::default() });
        for piece in body.chunks(size) {
            reader.write(piece);
        }
        reader.end(false)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn any_cutting_gives_the_same_page() {
        let article = "<p>Un café, s'il vous plaît &amp; merci.</p>\r\n".repeat(400);
        let html = format!("<html lang=fr><title>T</title><main><h1>Titre</h1>{article}</main>");
        let latin: Vec<u8> = html.chars().map(|char| char as u8).collect();
        let json = format!("{{\"a\":[{}1]}}", "1,".repeat(9000));
        let feed = "<rss><channel><title>News</title><item><title>One</title><link>/1</link></item></channel></rss>";
        let bodies: [(&str, &[u8]); 7] = [
            ("text/html", html.as_bytes()),
            ("text/html; charset=latin1", &latin),
            ("", html.as_bytes()),
            ("text/html", json.as_bytes()),
            ("application/json", html.as_bytes()),
            ("text/html", feed.as_bytes()),
            ("text/plain", article.as_bytes()),
        ];
        for (content_type, body) in bodies {
            let plain = Headers { content_type, ..Headers::default() };
            let packed = Headers { content_encoding: "gzip", ..plain };
            let whole = read(&plain, body, body.len()).unwrap();
            assert!(!whole.text.is_empty());
            for size in [1, 1000, 4096, 50_000] {
                assert!(read(&plain, body, size).unwrap() == whole, "{content_type} by {size}");
                assert!(
                    read(&packed, &gzip(body), size).unwrap() == whole,
                    "{content_type} packed"
                );
            }
        }
    }

    #[test]
    fn text_is_read_before_the_body_is_whole() {
        let url = Url::parse("https://example.com/").unwrap();
        let headers = Headers { content_type: "text/html", ..Headers::default() };
        let mut reader = Reader::new(&headers, &url, Wanted::default());
        reader.write("<p>some words</p>".repeat(1000).as_bytes());
        let State::Html(html) = &reader.state else { panic!("held back") };
        assert!(html.text.is_empty());
        let page = reader.end(true).unwrap();
        assert!(page.truncated && page.markdown.contains("some words"));
    }

    #[test]
    fn a_page_beyond_the_limit_needs_no_more() {
        let url = Url::parse("https://example.com/").unwrap();
        let headers = Headers { content_encoding: "gzip", ..Headers::default() };
        let mut reader = Reader::new(&headers, &url, Wanted::default());
        let body = gzip(&"<p>some words</p>".repeat(300_000).into_bytes());
        let mut pieces = body.chunks(1000);
        while !reader.is_over() {
            reader.write(pieces.next().unwrap());
        }
        assert!(pieces.next().is_some());
        let page = reader.end(false).unwrap();
        assert_eq!((page.bytes, page.truncated), (inflate::MAX_BYTES as u64, true));
    }

    #[test]
    fn what_cannot_be_read_needs_no_more_and_says_why() {
        let url = Url::parse("https://example.com/").unwrap();
        for (content_encoding, body) in
            [("br", &b"x"[..]), ("gzip", b"\x1f\x8b\xff no such method")]
        {
            let headers = Headers { content_encoding, ..Headers::default() };
            let mut reader = Reader::new(&headers, &url, Wanted::default());
            assert!(!reader.has_begun());
            reader.write(body);
            assert!(reader.has_begun() && reader.is_over(), "{content_encoding}");
            assert!(matches!(reader.end(false), Err(PageError::Inflate(_))));
        }
    }

    #[test]
    fn a_header_names_the_language_where_the_page_does_not() {
        for (html, language, source) in [
            ("<p>Ein Wort.", "de-AT", metadata::Source::Header),
            ("<html lang=fr><p>Un mot.", "fr", metadata::Source::Document),
        ] {
            let headers = Headers { content_language: "de-at", ..Headers::default() };
            let page = read(&headers, format!("<!doctype html>{html}").as_bytes(), 9).unwrap();
            assert_eq!(page.metadata.language, Some((language.to_owned(), source)));
        }
    }

    #[test]
    fn a_file_without_a_name_is_read_as_far_as_a_file_and_a_page_as_far_as_a_page() {
        let url = Url::parse("https://example.com/").unwrap();
        for content_type in ["application/octet-stream", "binary/octet-stream", "application/x-pdf"]
        {
            let headers = Headers { content_type, ..Headers::default() };
            for (begin, is_file) in [("\n%PDF-1.7 ", true), ("<!doctype html><p>", false)] {
                let mut reader = Reader::new(&headers, &url, Wanted::default());
                reader.write(begin.as_bytes());
                reader.write(&b"some words ".repeat(inflate::MAX_BYTES / 10));
                assert_eq!(reader.is_over(), !is_file, "{content_type} {begin}");
                let page = reader.end(false);
                let is_page =
                    |page: &Page| page.truncated && page.bytes == inflate::MAX_BYTES as u64;
                assert_eq!(page.is_ok_and(|page| is_page(&page)), !is_file, "{content_type}");
            }
        }
    }

    #[test]
    fn no_more_is_taken_than_may_come() {
        let url = Url::parse("https://example.com/").unwrap();
        let mut reader = Reader::new(&Headers::default(), &url, Wanted::default());
        reader.write(&"<p>some words</p>".repeat(inflate::MAX_BYTES / 17).into_bytes());
        assert!(!reader.is_over());
        reader.write(&b"x".repeat(50));
        assert!(reader.is_over() && reader.end(false).unwrap().truncated);
    }
}

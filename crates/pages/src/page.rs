//! What a page is as text, and how it is made of a parsed body.
//! Border: how a body arrives and is told apart is [`crate::reader`]'s.

use crate::body::{charset, inflate, media};
use crate::extent::Extent;
use crate::extract::{self, Said};
use crate::pace::Pace;
use crate::passages::{self, Passage};
use crate::reader::Reader;
use crate::{docx, feed, html, json, metadata, pdf, render, scripted};
use url::Url;

/// What the headers of a response say of its body.
#[derive(Debug, Clone, Copy, Default)]
pub struct Headers<'a> {
    /// `Content-Type`, empty when missing.
    pub content_type: &'a str,
    /// `Content-Encoding`, empty when missing.
    pub content_encoding: &'a str,
    /// `Content-Language`, empty when missing.
    pub content_language: &'a str,
}

/// A page as text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// What the page says of itself.
    pub metadata: metadata::Metadata,
    /// Without parameters.
    pub media_type: String,
    /// The main text as Markdown.
    pub markdown: String,
    /// The main text without marks, and without its title where it is an article or a thread; empty
    /// unless it was wanted.
    pub text: String,
    /// The main text in pieces; empty unless they were wanted.
    pub passages: Vec<Passage>,
    /// Bytes of the Markdown at which the pages of a PDF file begin; empty for all else.
    pub pages: Vec<usize>,
    /// Bytes of the body after decompression.
    pub bytes: u64,
    /// Whether text is missing: cut off at a limit, or shown to those who pay.
    pub truncated: bool,
    /// Whether the main text was told apart from what stands around it.
    pub extracted: bool,
    /// Whether the page's text is made by script; what is here is what it gives without.
    pub needs_script: bool,
}

/// What of a page is wanted beside its Markdown and its fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Its text without marks.
    pub text: bool,
    /// Its passages.
    pub passages: bool,
    /// How much of it.
    pub extent: Extent,
}

/// Why a response gives no text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// A media type that is not read.
    #[error("{0} is not read; HTML, plain text, Markdown, JSON, PDF, DOCX, feeds and sitemaps are")]
    UnsupportedType(String),
    /// The body cannot be decoded.
    #[error(transparent)]
    Inflate(#[from] inflate::InflateError),
    /// A PDF file that gives no text.
    #[error(transparent)]
    Pdf(#[from] pdf::PdfError),
    /// A Word document that gives no text.
    #[error(transparent)]
    Docx(#[from] docx::DocxError),
    /// Too large a file, of which a part alone cannot be read.
    #[error("the file has more than {} MiB, and its beginning alone cannot be read; part it", .0 >> 20)]
    TooLong(usize),
    /// The body is empty, or nothing in it is text.
    #[error("the page has no text")]
    NoText,
}

impl PageError {
    /// Whether the same file may be read another time: its reader had too little time.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(self, PageError::Pdf(error) if error.may_pass())
    }
}

/// How requests for pages are signed. `contact` is an address for people whose pages are read; empty for none.
pub fn user_agent(version: &str, contact: &str) -> String {
    let contact: String = contact
        .chars()
        .filter(|char| char.is_ascii_graphic() && !matches!(char, '(' | ')'))
        .take(200)
        .collect();
    if contact.is_empty() {
        format!("Quarry/{version}")
    } else {
        format!("Quarry/{version} (+{contact})")
    }
}

/// Reads a body that came from `url` and is there as a whole.
pub fn read(
    headers: &Headers<'_>,
    body: &[u8],
    url: &Url,
    wanted: Wanted,
) -> Result<Page, PageError> {
    let mut reader = Reader::new(headers, url, wanted);
    reader.write(body);
    reader.end(false)
}

/// Reads a body as [`read`] does, beside others.
pub async fn read_beside(
    headers: &Headers<'_>,
    body: &[u8],
    url: &Url,
    wanted: Wanted,
    pace: &mut impl Pace,
) -> Result<Page, PageError> {
    let mut reader = Reader::new(headers, url, wanted);
    reader.write(body);
    reader.end_beside(false, pace).await
}

/// Makes a page of a body that was kept until it was whole. `content_type` names its character set.
pub(crate) async fn read_other(
    body: Vec<u8>,
    kind: media::Kind,
    content_type: &str,
    url: &Url,
    wanted: Wanted,
    pace: &mut impl Pace,
) -> Result<Page, PageError> {
    if kind == media::Kind::Pdf {
        return read_pdf(body, url, wanted, pace).await;
    }
    if kind == media::Kind::Docx {
        return read_docx(&body, url, wanted);
    }
    let (_, declared) = media::parse(content_type);
    let text = charset::decode_of(kind, &body, declared.as_deref()).text;
    drop(body);
    Ok(match kind {
        media::Kind::Feed => match feed::read(&text) {
            Some(feed) => read_feed(&feed, url, wanted),
            None => plain(&text, false, wanted.extent).with(wanted, false, url),
        },
        media::Kind::Html => read_html(&html::parse(&text), url, wanted),
        media::Kind::Json => json(&text, wanted.extent).with(wanted, false, url),
        media::Kind::Markdown => plain(&text, true, wanted.extent).with(wanted, true, url),
        media::Kind::Text | media::Kind::Pdf | media::Kind::Docx => {
            plain(&text, false, wanted.extent).with(wanted, false, url)
        }
    })
}

async fn read_pdf(
    mut bytes: Vec<u8>,
    url: &Url,
    wanted: Wanted,
    pace: &mut impl Pace,
) -> Result<Page, PageError> {
    bytes.drain(..media::pdf_begins(&bytes).unwrap_or_default());
    let document = pdf::read_beside(bytes, wanted.extent.of_pdf(), pace).await?;
    let mut page = cut(document.text, document.metadata, wanted.extent);
    page.truncated |= document.truncated;
    page.extracted = true;
    page.pages = document.pages;
    page.pages.retain(|start| *start < page.markdown.len());
    Ok(page.with(wanted, false, url))
}

fn read_docx(bytes: &[u8], url: &Url, wanted: Wanted) -> Result<Page, PageError> {
    let document = docx::read(bytes, wanted.extent.markdown())?;
    let mut page = cut(document.text, document.metadata, wanted.extent);
    page.truncated |= document.truncated;
    page.extracted = true;
    Ok(page.with(wanted, true, url))
}

fn read_feed(feed: &feed::Feed, url: &Url, wanted: Wanted) -> Page {
    let tree = html::parse(&feed.as_html());
    let whole = extract::Content::whole(&tree);
    let mut page = MainText::of(&whole, &tree, url, url, wanted).page;
    page.metadata = feed.metadata();
    page.truncated |= feed.truncated;
    page
}

/// Makes a page of a tree.
pub(crate) fn read_html(tree: &html::Tree, url: &Url, wanted: Wanted) -> Page {
    let mut metadata = metadata::read(tree, url);
    if wanted.extent == Extent::AtHand {
        metadata = metadata.at_hand();
    }
    let base = metadata.base.clone().unwrap_or_else(|| url.clone());
    let mut main = MainText::new(tree, metadata.said(), url, &base, wanted);
    let rescue = scripted::rescue(tree, &metadata, main.length);
    if let Some(html) = rescue.as_ref().and_then(|rescue| rescue.html.as_deref()) {
        main = MainText::new(&html::parse(html), Said::default(), url, &base, wanted);
    }
    Page {
        needs_script: rescue.is_some(),
        truncated: main.page.truncated || tree.truncated || metadata.is_teaser(main.length),
        metadata,
        ..main.page
    }
}

/// The main text of a tree.
struct MainText {
    page: Page,
    /// Bytes of the text without marks and addresses; where that was not made, those of the Markdown.
    length: usize,
}

impl MainText {
    /// Markdown of this length holds enough text, whatever else it holds.
    const LONG: usize = 16 * 1024;

    fn new(tree: &html::Tree, said: Said<'_>, url: &Url, base: &Url, wanted: Wanted) -> Self {
        Self::of(&extract::main_content(tree, said), tree, url, base, wanted)
    }

    fn of(
        content: &extract::Content,
        tree: &html::Tree,
        url: &Url,
        base: &Url,
        wanted: Wanted,
    ) -> Self {
        let input = render::Input {
            tree,
            roots: &content.roots,
            skip: &content.skip,
            base,
            title: content.title,
            limit: wanted.extent.markdown(),
        };
        let markdown = render::render(&input, render::Style::Markdown);
        let mut page = Page {
            markdown: markdown.text,
            truncated: markdown.truncated,
            extracted: content.extracted,
            ..Page::default()
        };
        if !(wanted.text || wanted.passages) && page.markdown.len() >= Self::LONG {
            return Self { length: page.markdown.len(), page };
        }
        let plain = render::render(&input, render::Style::Plain);
        let length = plain.text.len();
        if wanted.passages {
            page.passages = passages::of_blocks(&plain.text, &plain.blocks, url);
        }
        if wanted.text {
            page.text = plain.without_title();
        }
        Self { page, length }
    }
}

impl Page {
    /// Adds what is wanted to a page whose Markdown is its text as it came.
    fn with(mut self, wanted: Wanted, markdown: bool, url: &Url) -> Self {
        if wanted.passages {
            self.passages = passages::of_text(&self.markdown, markdown, url);
        }
        if wanted.text {
            self.text = self.markdown.clone();
        }
        self
    }
}

/// Text that needs no extraction; of Markdown the first heading is the title.
fn plain(text: &str, markdown: bool, extent: Extent) -> Page {
    let clean: String = text
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .chars()
        .filter(|char| !char.is_control() || matches!(char, '\n' | '\t'))
        .collect();
    let title = clean
        .lines()
        .find_map(|line| line.strip_prefix("# "))
        .map(str::trim)
        .filter(|title| markdown && !title.is_empty());
    let mut metadata = metadata::Metadata::default();
    metadata.title = title.map(|title| (metadata::shorten(title, 500), metadata::Source::Document));
    cut(clean.trim().to_owned(), metadata, extent)
}

/// JSON, indented where it parses, in a fence.
fn json(text: &str, extent: Extent) -> Page {
    let text = text.trim_start_matches('\u{feff}').trim();
    let value: Result<serde_json::Value, _> = serde_json::from_str(text);
    let pretty = value.ok().and_then(|value| json::indented(&value, extent.markdown()));
    let pretty = pretty.unwrap_or_else(|| text.to_owned());
    let mut page = cut(pretty, metadata::Metadata::default(), extent);
    if !page.markdown.is_empty() {
        page.markdown = format!("```json\n{}\n```", page.markdown);
    }
    page
}

fn cut(mut text: String, metadata: metadata::Metadata, extent: Extent) -> Page {
    let truncated = text.len() > extent.markdown();
    text.truncate(text.floor_char_boundary(extent.markdown()));
    Page { metadata, markdown: text, truncated, ..Page::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn get(content_type: &str, body: &[u8]) -> Result<Page, PageError> {
        read(
            &Headers { content_type, ..Headers::default() },
            body,
            &Url::parse("https://example.com/").unwrap(),
            Wanted { text: true, passages: true, extent: Extent::AtHand },
        )
    }

    #[test]
    fn html_in_a_legacy_charset() {
        let page = get(
            "text/html; charset=windows-1252",
            b"<html lang=fr><title>Caf\xe9</title><p>Un caf\xe9, s'il vous pla\xeet.",
        )
        .unwrap();
        assert_eq!(page.markdown, "Un café, s'il vous plaît.");
        assert_eq!(page.metadata.title.unwrap().0, "Café");
        assert_eq!(page.metadata.language.unwrap().0, "fr");
        assert_eq!(
            (page.media_type.as_str(), page.bytes, page.truncated),
            ("text/html", 61, false)
        );
    }

    #[test]
    fn the_title_of_an_article_is_no_part_of_its_plain_text() {
        let text = "<p>A sentence that is long enough to count as prose, with a second half that goes on.</p>";
        let first = format!("<title>T</title><main><h1>The <i>headline</i></h1>{}", text.repeat(5));
        let second = first.replace("h1>", "h2>").replace("<title>T", "<title>The headline - Daily");
        for (html, begins) in
            [(first, "# The *headline*\n\nA "), (second, "## The *headline*\n\nA ")]
        {
            let page = get("text/html", html.as_bytes()).unwrap();
            assert!(page.text.starts_with("A sentence"), "{}", page.text);
            assert!(page.markdown.starts_with(begins), "{}", page.markdown);
            assert_eq!(page.passages[0].headings, ["The headline"]);
        }
        let list = get("text/html", b"<h1>Orders</h1><ul><li>One lamp, to be sent<li>Two chairs, sent</ul><p>Nothing else was ordered.").unwrap();
        assert!(list.text.starts_with("Orders"), "what is no article: {}", list.text);
    }

    #[test]
    fn marks_for_line_breaks_are_no_text() {
        let page = get("text/html", "<p>can\u{ad}di\u{ad}da\u{200b}ture".as_bytes()).unwrap();
        assert_eq!((page.text.as_str(), page.markdown.as_str()), ("candidature", "candidature"));
    }

    #[test]
    fn a_page_made_by_script_gives_its_noscript() {
        let inner =
            "<p>The text for readers without scripts, a whole paragraph of it.</p>".repeat(8);
        let page = get(
            "text/html",
            format!("<title>T</title><div id=app></div><noscript>{inner}</noscript>").as_bytes(),
        )
        .unwrap();
        assert_eq!(page.markdown.matches("readers without scripts").count(), 8);
        assert_eq!(page.metadata.title.unwrap().0, "T");
    }

    #[test]
    fn json_text_and_markdown() {
        assert_eq!(
            get("application/json", b"{\"a\":[1]}").unwrap().markdown,
            "```json\n{\n  \"a\": [\n    1\n  ]\n}\n```"
        );
        assert_eq!(get("text/plain", b"a\r\nb\rc\x00").unwrap().markdown, "a\nb\nc");
        let page = get("text/markdown", b"intro\n# Title\ntext").unwrap();
        assert_eq!(
            (page.metadata.title.unwrap().0.as_str(), page.markdown.as_str()),
            ("Title", "intro\n# Title\ntext")
        );
    }

    #[test]
    fn a_feed_is_its_entries() {
        let page = get(
            "application/rss+xml",
            b"<rss><channel><title>News</title><item><title>One</title><link>/1</link><description>&lt;p&gt;Text.&lt;/p&gt;</description></item></channel></rss>",
        )
        .unwrap();
        assert_eq!(page.markdown, "# News\n\n## [One](https://example.com/1)\n\nText.");
        assert_eq!(page.passages[0].headings, ["News", "One"]);
        assert_eq!(page.media_type, "application/rss+xml");
    }

    #[test]
    fn what_gives_no_text_says_why() {
        assert_eq!(
            get("application/pdf", b"%PDF-1.4"),
            Err(PageError::Pdf(pdf::PdfError::Damaged))
        );
        assert_eq!(get("text/html", b""), Err(PageError::NoText));
        assert_eq!(get("text/html", b"<script>x</script>"), Err(PageError::NoText));
    }

    #[test]
    fn hostile_pages_end_in_a_bounded_text_or_an_error() {
        let pages = [
            "<ul><li>".repeat(64 * 1024),
            "<div>".repeat(200 * 1024) + "deep",
            format!("{}{}", "<div>".repeat(100_000), "</p></b>".repeat(100_000)),
            "<a href=x>".repeat(200_000),
            "<a href=x>y".repeat(190_000),
            format!("<main>{}<div>{}", "<p>words</p>".repeat(99), "<a href=x>y</a>".repeat(60_000)),
            format!(
                "<main>{}{}",
                "<div hidden>".repeat(60_000),
                "<p>a sentence of words.</p>".repeat(9_000)
            ),
            format!("<main>{}", "<div class=post><blockquote>x y z a b.".repeat(30_000)),
            "<table><tr><td>x".repeat(130_000),
            "<aside class=nav><form>".repeat(90_000),
            "<b><i>x".repeat(300_000),
            format!("<p>x<a href=\"{}\">y</a>", "a".repeat(10 << 20)),
            "<!--".repeat(500_000),
            "<p \"".repeat(500_000),
            "&".repeat(2 << 20),
        ];
        for html in pages {
            if let Ok(page) = get("text/html", html.as_bytes()) {
                assert!(page.markdown.len() <= Extent::AtHand.markdown());
                assert!(page.truncated || html.len() <= Extent::AtHand.html());
            }
        }
    }

    #[test]
    fn what_is_not_wanted_is_not_made() {
        let url = Url::parse("https://example.com/").unwrap();
        for content_type in ["text/html", "text/plain", "text/markdown", "application/json"] {
            let headers = Headers { content_type, ..Headers::default() };
            let page = read(&headers, b"[\"some words\"]", &url, Wanted::default()).unwrap();
            assert!(page.text.is_empty() && page.passages.is_empty(), "{content_type}");
            assert!(page.markdown.contains("some words"));
        }
    }

    #[test]
    fn of_what_is_at_hand_more_is_read_than_of_what_is_fetched() {
        let url = Url::parse("https://example.com/").unwrap();
        let headers = Headers { content_type: "text/html", ..Headers::default() };
        let html = format!("<main>{}<p>the end", "<p>A sentence of some words.</p>".repeat(90_000));
        for (extent, whole) in [(Extent::Fetched, false), (Extent::AtHand, true)] {
            let wanted = Wanted { extent, ..Wanted::default() };
            let page = read(&headers, html.as_bytes(), &url, wanted).unwrap();
            let ends = page.markdown.ends_with("the end");
            assert_eq!((ends, page.truncated), (whole, !whole), "{extent:?}");
        }
    }

    #[test]
    fn a_long_text_is_cut() {
        let page =
            get("text/plain", "é".repeat(Extent::AtHand.markdown() / 2 + 1).as_bytes()).unwrap();
        assert!(page.truncated && page.markdown.len() <= Extent::AtHand.markdown());
    }

    #[test]
    fn requests_are_signed() {
        assert_eq!(user_agent("1.0", ""), "Quarry/1.0");
        assert_eq!(
            user_agent("1.0", "https://q.example/bot (x)\r\nEvil: 1"),
            "Quarry/1.0 (+https://q.example/botxEvil:1)"
        );
    }

    proptest! {
        #[test]
        fn any_body_is_a_page_or_an_error(body in proptest::collection::vec(any::<u8>(), 0..600), kind in 0..4usize) {
            let content_type = ["text/html", "", "application/json", "text/markdown"][kind];
            if let Ok(page) = get(content_type, &body) {
                prop_assert!(page.markdown.len() <= Extent::AtHand.markdown() + 16);
            }
        }
    }
}

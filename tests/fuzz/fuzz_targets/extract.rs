//! Any bytes as a page of HTML: there is an end, and what comes out keeps to the limit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarry_pages::extent::MAX_MARKDOWN;
use quarry_pages::page::{self, Headers, Wanted};
use quarry_pages::reader::Reader;
use url::Url;

fuzz_target!(|data: &[u8]| {
    let Ok(url) = Url::parse("https://example.com/a/page?q=1") else { return };
    let headers = Headers { content_type: "text/html", ..Headers::default() };
    let wanted = Wanted { text: true, passages: true, ..Wanted::default() };
    let whole = page::read(&headers, data, &url, wanted);
    // However the bytes are cut on their way, the page is the same.
    assert!(in_pieces(&headers, data, &url, wanted) == whole);
    let Ok(page) = whole else { return };
    assert!(page.markdown.len() <= MAX_MARKDOWN, "{} bytes of Markdown", page.markdown.len());
    assert!(page.text.len() <= MAX_MARKDOWN, "{} bytes of text", page.text.len());
    assert_eq!(page.bytes, data.len() as u64);
});

fn in_pieces(
    headers: &Headers<'_>,
    data: &[u8],
    url: &Url,
    wanted: Wanted,
) -> Result<page::Page, page::PageError> {
    let mut reader = Reader::new(headers, url, wanted);
    for piece in data.chunks(7) {
        reader.write(piece);
    }
    reader.end(false)
}

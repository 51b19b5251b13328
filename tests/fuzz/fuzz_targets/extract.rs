//! Any bytes as a page of HTML: there is an end, and what comes out keeps to the limit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarry_pages::page::{self, MAX_MARKDOWN, Response, Wanted};
use url::Url;

fuzz_target!(|data: &[u8]| {
    let Ok(url) = Url::parse("https://example.com/a/page?q=1") else { return };
    let response =
        Response { content_type: "text/html", body: data.to_vec(), ..Response::default() };
    let Ok(page) = page::read(response, &url, Wanted { text: true, passages: true }) else {
        return;
    };
    assert!(page.markdown.len() <= MAX_MARKDOWN, "{} bytes of Markdown", page.markdown.len());
    assert!(page.text.len() <= MAX_MARKDOWN, "{} bytes of text", page.text.len());
    assert_eq!(page.bytes, data.len() as u64);
});

//! Any bytes as a PDF file, and any text as a feed: there is an end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarry_pages::extent::Extent;
use quarry_pages::{feed, pdf};

/// Bytes of text that are asked for.
const LIMIT: usize = 64 * 1024;

fuzz_target!(|data: &[u8]| {
    if data.starts_with(b"%PDF-") {
        if let Ok(document) =
            pdf::read(data.to_vec(), pdf::Limits { text: LIMIT, ..Extent::Fetched.of_pdf() })
        {
            assert!(!document.text.trim().is_empty());
        }
        return;
    }
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(feed) = feed::read(text) {
        assert!(feed.items.len() <= 5_000);
        assert!(feed.as_html().starts_with("<main>"));
        _ = feed.metadata();
    }
});

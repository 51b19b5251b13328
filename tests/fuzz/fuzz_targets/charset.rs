//! A `Content-Type` up to the first line break, then a body: its media type and its text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarry_pages::body::{charset, media};

fuzz_target!(|data: &[u8]| {
    let line = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (header, body) = data.split_at(line);
    let body = body.strip_prefix(b"\n").unwrap_or(body);
    let header = String::from_utf8_lossy(header);
    let (_, label) = media::parse(&header);
    // A label alone will do, so that little is needed to reach every character set.
    let label = label.unwrap_or_else(|| header.to_string());
    let decoded = charset::decode(body, Some(&label));
    assert!(decoded.text.len() <= body.len() * 3, "{} bytes", decoded.text.len());
    assert!(!decoded.charset.is_empty());
    if !decoded.lossy && decoded.charset == "UTF-8" {
        let bare = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        assert_eq!(decoded.text.as_bytes(), bare);
    }
    // Read once more it is the same: nothing depends on anything but the bytes.
    assert_eq!(charset::decode(body, Some(&label)), decoded);
    if let Ok(found) = media::classify(&header, body) {
        assert!(!found.essence.is_empty());
    }
});

//! Any bytes as a Word document, and any text as the words of one: there is an end, and no more text than was wanted.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarry_pages::docx;

/// Bytes of text that are asked for.
const LIMIT: usize = 64 * 1024;

fuzz_target!(|data: &[u8]| {
    let read = if data.starts_with(b"PK") { docx::read(data, LIMIT) } else { words(data) };
    let Ok(document) = read else { return };
    assert!(!document.text.trim().is_empty());
    assert!(document.text.len() <= 2 * LIMIT, "{} bytes of text", document.text.len());
});

/// In an archive of nothing else, not packed: mutations would seldom make one.
fn words(xml: &[u8]) -> Result<docx::Document, docx::DocxError> {
    const NAME: &[u8] = b"word/document.xml";
    let small = |value: usize| u16::try_from(value).unwrap_or(u16::MAX).to_le_bytes();
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes();
    let mut common = vec![20, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    common.extend(number(xml.len()).into_iter().chain(number(xml.len())));
    common.extend(small(NAME.len()).into_iter().chain([0, 0]));
    let mut file = [b"PK\x03\x04", common.as_slice(), NAME, xml].concat();
    let at = file.len();
    file.extend([b"PK\x01\x02\x14\x00", common.as_slice(), &[0; 14], NAME].concat());
    let length = file.len() - at;
    file.extend_from_slice(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    file.extend(number(length).into_iter().chain(number(at)).chain([0, 0]));
    docx::read(&file, LIMIT)
}

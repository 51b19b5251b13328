//! Files as people have them, and as nobody should.

use super::*;
use proptest::prelude::*;

fn read(name: &str, bytes: &[u8]) -> Result<Document, DocumentError> {
    Document::read(name, Format::of_name(name).unwrap(), None, bytes)
}

#[test]
fn a_title_is_its_own_or_its_first_heading_or_its_name() {
    let title = |name: &str, text: &str| read(name, text.as_bytes()).unwrap().title().to_owned();
    assert_eq!(title("x/fees.md", "---\ntitle: All fees\n---\n# Fees\n"), "All fees");
    assert_eq!(title("x/fees.md", "intro\n\n# Fees #\n"), "Fees");
    assert_eq!(title("x\\fees.2024.md", "no heading"), "fees.2024");
    assert_eq!(title("fees.txt", "# no heading in a text"), "fees");
}

#[test]
fn broken_bytes_are_replaced_and_told() {
    let document = read("a.txt", b"\xef\xbb\xbfcaf\xc3\xa9\r\nx\x00y\x07\n").unwrap();
    assert_eq!((document.text.as_str(), document.issues.as_slice()), ("café\nxy\n", [].as_slice()));
    let mut late = "é".as_bytes().to_vec();
    late.extend([b'a'; 40_000]);
    late.extend(b" caf\xe9");
    let document = read("a.txt", &late).unwrap();
    assert!(document.text.ends_with(" caf�"));
    assert_eq!(
        document.issues,
        ["bytes of a.txt are of no known character set: � stands for them"]
    );
    let western = read("a.txt", b"caf\xe9").unwrap();
    assert_eq!(western.text, "café", "another character set");
    assert!(western.issues[0].contains("read as windows-1252"), "{:?}", western.issues);
    assert_eq!(
        read(
            "a.txt",
            "light"
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<u8>>()
                .repeat(9)
                .as_slice()
        )
        .unwrap()
        .text,
        "light".repeat(9)
    );
    let cut = "a text that ends within a letter é".as_bytes();
    assert!(read("a.txt", &cut[..cut.len() - 1]).unwrap().text.starts_with("a text that ends"));
}

#[test]
fn places_are_those_of_the_text_that_is_kept() {
    let text = "a\r\nb\u{7}é";
    assert_eq!(clean(text), "a\nbé");
    assert_eq!(cleaned_places(text, &[0, 2, 3, 3, 5, 7]), [0, 2, 2, 2, 3, 5]);
    assert_eq!(cleaned_places(text, &[]), [0; 0]);
    assert_eq!(cleaned_places(text, &[0, 6]), [0; 0], "within a letter");
    assert_eq!(cleaned_places(text, &[3, 0]), [0; 0], "in no order");
}

#[test]
fn what_is_no_document_is_told_with_its_name_and_what_to_do() {
    let told = |name: &str, bytes: &[u8]| read(name, bytes).unwrap_err().to_string();
    assert_eq!(told("a.md", b"---\ntitle: A\n---\n \n"), "a.md has no text");
    assert_eq!(
        told("big.txt", &vec![b'x'; MAX_BYTES + 1]),
        "big.txt has 20971521 bytes, 20971520 are the most; part it into several documents"
    );
    assert!(read("big.txt", &vec![b'x'; MAX_BYTES]).is_ok());
    let binary: Vec<u8> = (0..2_000_u32).map(|at| (at * 7 % 32) as u8).collect();
    assert!(told("a.txt", &binary).starts_with("a.txt is not text"));
    assert!(
        told("a.json", b"{\"a\": }").starts_with("a.json is not JSON: expected value at line 1")
    );
    assert_eq!(Format::of_name("a.docx"), None);
    assert_eq!(Format::of_name("README"), None);
}

proptest! {
    #[test]
    fn any_bytes_are_a_document_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300), at in 0usize..4) {
        let name = ["a.md", "a.txt", "a.csv", "a.json"][at];
        if let Ok(document) = read(name, &bytes) {
            prop_assert!(!document.text.trim().is_empty() && !document.title().is_empty());
            prop_assert!(!document.text.contains(['\r', '\0']));
        }
    }

    #[test]
    fn no_text_has_a_control_character_however_it_is_escaped(
        pieces in prop::collection::vec("[a-c:#, ]|\\\\u00[0189][0-9a-f]|[\u{0}-\u{9f}\u{feff}]", 1..20), at in 0usize..4,
    ) {
        let (name, text) = (["a.md", "a.txt", "a.csv", "a.json"][at], pieces.concat());
        let quoted = text.replace(['"', '\n', '\r', '\t'], "").replace(char::is_control, "");
        let written = match at {
            0 => format!("---\nk: {text}\ntitle: {text}\n---\n{text} x"),
            3 => format!("[{{\"title\": \"{quoted}\", \"{quoted}\": \"{quoted} x\"}}]"),
            _ => format!("a,{text},b\n{text} x\n"),
        };
        if let Ok(Document { text, metadata, issues, .. }) = read(name, written.as_bytes()) {
            let others = metadata.other.into_iter().flat_map(|(key, value)| [key, value]);
            let said = [text].into_iter().chain(metadata.title).chain(issues).chain(others);
            let kept: String = said.collect();
            prop_assert!(!kept.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t')), "{kept:?}");
        }
    }
}

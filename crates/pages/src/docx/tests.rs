//! Word documents, made here by hand.

use super::*;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write as _;

/// An archive of these parts, deflated.
pub fn package(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut packed_parts = Vec::new();
    for (name, content) in parts {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        let packed = encoder.finish().unwrap();
        packed_parts.push((*name, packed, content.len()));
    }
    archive(&packed_parts)
}

/// An archive of parts that are deflated, with the lengths that they say.
fn archive(parts: &[(&str, Vec<u8>, usize)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, packed, length) in parts {
        let number = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
        let mut common = vec![20, 0, 0, 8, 8, 0, 0, 0, 0, 0];
        common.extend_from_slice(&[0; 4]);
        common.extend(number(packed.len()).into_iter().chain(number(*length)));
        common.extend_from_slice(&u16::try_from(name.len()).unwrap().to_le_bytes());
        common.extend_from_slice(&[0, 0]);
        let at = out.len();
        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&common);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(packed);
        directory.extend_from_slice(b"PK\x01\x02\x14\x00");
        directory.extend_from_slice(&common);
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&number(at));
        directory.extend_from_slice(name.as_bytes());
    }
    let (at, length) = (out.len(), directory.len());
    out.extend_from_slice(&directory);
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    let count = u16::try_from(parts.len()).unwrap().to_le_bytes();
    out.extend(count.into_iter().chain(count));
    out.extend(u32::try_from(length).unwrap().to_le_bytes());
    out.extend(u32::try_from(at).unwrap().to_le_bytes());
    out.extend_from_slice(&[0, 0]);
    out
}

fn document(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><w:document xmlns:w=\"w\" xmlns:mc=\"mc\"><w:body>{body}</w:body></w:document>"
    )
}

fn paragraph(words: &str) -> String {
    format!("<w:p><w:r><w:t>{words}</w:t></w:r></w:p>")
}

fn text(body: &str) -> String {
    read(&package(&[("word/document.xml", document(body).as_bytes())]), 1 << 20).unwrap().text
}

#[test]
fn headings_paragraphs_lists_and_tables_become_markdown() {
    let styles = "<w:styles xmlns:w='w'><w:style w:styleId='berschrift2'><w:name w:val='heading 2'/></w:style></w:styles>";
    let core = "<c:coreProperties xmlns:c='c' xmlns:dc='d'><dc:title>Tides &amp; lamps</dc:title>\
        <dc:creator>Ada</dc:creator><x:created xmlns:x='x'>2024-05-01T12:00:00Z</x:created></c:coreProperties>";
    let body = [
        "<w:p><w:pPr><w:pStyle w:val=\"Title\"/></w:pPr><w:r><w:t>Guide</w:t></w:r></w:p>".to_owned(),
        "<w:p><w:pPr><w:pStyle w:val=\"berschrift2\"/><w:tabs><w:tab w:pos=\"9\"/></w:tabs></w:pPr>\
            <w:r><w:t>Lamps</w:t></w:r></w:p>"
            .to_owned(),
        "<w:p><w:r><w:t xml:space=\"preserve\">Oil &lt;</w:t></w:r><w:r><w:t>&#228;</w:t><w:br/><w:t>next</w:t></w:r></w:p>"
            .to_owned(),
        "<w:p/>".to_owned(),
        "<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>one</w:t></w:r></w:p>".repeat(2),
        format!("<w:tbl><w:tr><w:tc>{0}</w:tc><w:tc>{0}{0}</w:tc></w:tr><w:tr><w:tc>{0}</w:tc></w:tr></w:tbl>", paragraph("c")),
        paragraph("End."),
    ]
    .concat();
    let bytes = package(&[
        ("word/styles.xml", styles.as_bytes()),
        ("docProps/core.xml", core.as_bytes()),
        ("word/document.xml", document(&body).as_bytes()),
        ("word/footnotes.xml", document(&paragraph("A note.")).as_bytes()),
    ]);
    let read = read(&bytes, 1 << 20).unwrap();
    assert_eq!(
        read.text,
        "# Guide\n\n## Lamps\n\nOil <ä\nnext\n\n- one\n- one\n\n| c | c c |\n| c |\n\nEnd.\n\nA note."
    );
    assert!(!read.truncated);
    let value = |field: crate::metadata::Field| field.unwrap().0;
    assert_eq!(value(read.metadata.title), "Tides & lamps");
    assert_eq!(value(read.metadata.author), "Ada");
    assert_eq!(value(read.metadata.published), "2024-05-01");
}

#[test]
fn what_is_deleted_or_said_twice_is_said_once_or_not() {
    let twice = format!(
        "<mc:AlternateContent><mc:Choice>{}</mc:Choice><mc:Fallback>{}</mc:Fallback></mc:AlternateContent>",
        paragraph("once"),
        paragraph("again")
    );
    let gone = "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText><w:t>here</w:t></w:r></w:p>";
    assert_eq!(text(&format!("{twice}{gone}")), "once\n\nhere");
}

#[test]
fn the_document_may_have_another_name() {
    let relations = "<Relationships><Relationship Type='http://x/extended-properties' Target='a.xml'/>\
        <Relationship Type='http://x/officeDocument' Target='/word/document2.xml'/></Relationships>";
    let bytes = package(&[
        ("_rels/.rels", relations.as_bytes()),
        ("word/document2.xml", document(&paragraph("words")).as_bytes()),
    ]);
    assert_eq!(read(&bytes, 99).unwrap().text, "words");
}

#[test]
fn what_cannot_be_read_says_why() {
    let whole = package(&[("word/document.xml", document(&paragraph("words")).as_bytes())]);
    for end in [0, 1, 30, 100, whole.len() - 30] {
        assert_eq!(read(&whole[..end], 99), Err(DocxError::Damaged), "{end}");
    }
    assert_eq!(read(b"\xd0\xcf\x11\xe0 encrypted", 99), Err(DocxError::Password));
    assert_eq!(read(&package(&[("xl/workbook.xml", b"<x/>")]), 99), Err(DocxError::NoDocument));
    let empty = package(&[("word/document.xml", document("<w:p/>").as_bytes())]);
    assert_eq!(read(&empty, 99), Err(DocxError::NoText));
    let bomb = package(&[("word/document.xml", &vec![b' '; 33 << 20])]);
    assert!(bomb.len() < 1 << 20);
    assert_eq!(read(&bomb, 99), Err(DocxError::Bomb));
    let words = document(&paragraph("words"));
    let blank = |length: usize| vec![b' '; length];
    for (name, other, length) in [
        ("_rels/.rels", "word/styles.xml", 2 << 20),
        ("docProps/core.xml", "word/styles.xml", 2 << 20),
        ("word/styles.xml", "word/footnotes.xml", 17 << 20),
    ] {
        let (one, other) = ((name, blank(length)), (other, blank(length)));
        let parts = [("word/document.xml", words.as_bytes()), (one.0, &one.1), (other.0, &other.1)];
        assert_eq!(read(&package(&parts), 99), Err(DocxError::Bomb), "{name}");
    }
    let broken = package(&[("word/document.xml", b"<w:p><w:r><w:t>words</w:t></w:r></w:p><w:p x")]);
    let read = read(&broken, 99).unwrap();
    assert_eq!((read.text.as_str(), read.truncated), ("words", true));
}

#[test]
fn what_is_packed_in_blocks_that_hold_nothing_is_not_unpacked() {
    let words = document(&paragraph("words"));
    let body = words.as_bytes();
    let stored = [&[1][..], &u16::try_from(body.len()).unwrap().to_le_bytes(), &[0, 0], body];
    let mut stored = stored.concat();
    let complement = !u16::from_le_bytes([stored[1], stored[2]]);
    stored[3..5].copy_from_slice(&complement.to_le_bytes());
    let of = |blocks: usize| {
        let packed = [[2, 8, 32, 128, 0].repeat(blocks), stored.clone()].concat();
        archive(&[("word/document.xml", packed, body.len())])
    };
    assert_eq!(read(&of(1 << 20), 99), Err(DocxError::Damaged));
    assert_eq!(read(&of(9), 99).unwrap().text, "words");
    // A large one that a packer wrote has its blocks as they should be.
    let noise: String =
        (0_u32..60_000).map(|at| format!("{} ", at.wrapping_mul(2_654_435_761))).collect();
    let large = package(&[("word/document.xml", document(&paragraph(&noise)).as_bytes())]);
    assert!(large.len() > 1 << 18, "{}", large.len());
    assert_eq!(read(&large, 1 << 20).unwrap().text, noise.trim());
}

#[test]
fn hostile_documents_end_in_a_bounded_text() {
    let bodies = [
        "<w:tbl>".repeat(100_000),
        "<w:tbl><w:tr><w:tc><w:p><w:t>x".repeat(100_000),
        "<mc:Fallback>".repeat(100_000),
        paragraph("&a;&#0;&#x110000;").repeat(20_000),
        paragraph("words").repeat(200_000),
        format!("<w:p><w:t>{}", "x".repeat(4 << 20)),
        "</w:p></w:tbl></w:tr>".repeat(100_000),
    ];
    let given = bodies.map(|body| {
        let bytes = package(&[("word/document.xml", document(&body).as_bytes())]);
        read(&bytes, 1 << 20).map(|read| {
            assert!(read.text.len() <= 1 << 20);
            read.truncated
        })
    });
    assert!(given.iter().any(Result::is_ok), "all are refused: {given:?}");
}

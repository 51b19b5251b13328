//! PDF files, made here by hand.

use super::*;

pub(super) const LIMITS: Limits = Limits {
    pages: 300,
    text: 1 << 20,
    steps: 4_000_000,
    unpacked: 128 << 20,
    time: Duration::MAX,
};

/// A file of these objects, numbered from 1; the first is the catalogue.
pub(super) fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(out.len());
        out.extend_from_slice(format!("{} 0 obj\n", at + 1).as_bytes());
        out.extend_from_slice(object);
        out.extend_from_slice(b"\nendobj\n");
    }
    let table = out.len();
    out.extend_from_slice(
        format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).as_bytes(),
    );
    for place in places {
        out.extend_from_slice(format!("{place:010} 00000 n \n").as_bytes());
    }
    let trailer = format!(
        "trailer\n<< /Size {} /Root 1 0 R /Info << /Title (On \\(some\\) caf\\351s) /Author <FEFF004100640061> /CreationDate (D:20240501120000Z) >> >>\nstartxref\n{table}\n%%EOF",
        objects.len() + 1
    );
    out.extend_from_slice(trailer.as_bytes());
    out
}

pub(super) fn stream(extra: &str, content: &[u8]) -> Vec<u8> {
    let mut out = format!("<< /Length {} {extra} >>\nstream\n", content.len()).into_bytes();
    out.extend_from_slice(content);
    out.extend_from_slice(b"\nendstream");
    out
}

pub(super) fn one_page(content: &[u8], more: &[Vec<u8>]) -> Vec<u8> {
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
          /Resources << /Font << /F1 5 0 R >> /XObject << /X0 6 0 R >> >> >>"
            .to_vec(),
        stream("", content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_vec(),
    ];
    objects.extend_from_slice(more);
    file(&objects)
}

#[test]
fn lines_become_paragraphs() {
    let content =
        b"BT /F1 12 Tf 72 720 Td (The first line of a para-) Tj 0 -14 Td (graph goes on) Tj \
        0 -14 Td [(to) -600 (the) -600 (third.)] TJ 0 -40 Td (Another para\\351.) Tj ET";
    let document = read(one_page(content, &[]), LIMITS).unwrap();
    assert_eq!(
        document.text,
        "The first line of a paragraph goes on to the third.\n\nAnother paraé."
    );
    assert_eq!(document.metadata.title.unwrap().0, "On (some) cafés");
    assert_eq!(document.metadata.author.unwrap().0, "Ada");
    assert_eq!(document.metadata.published.unwrap().0, "2024-05-01");
}

/// A file with a page for each content.
pub(super) fn pages(contents: &[&[u8]]) -> Vec<u8> {
    let first = 4;
    let kids: String = (0..contents.len()).map(|at| format!("{} 0 R ", first + 2 * at)).collect();
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", contents.len()).into_bytes(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_vec(),
    ];
    for (at, content) in contents.iter().enumerate() {
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            first + 2 * at + 1
        );
        objects.extend([page.into_bytes(), stream("", content)]);
    }
    file(&objects)
}

#[test]
fn a_page_begins_where_its_first_word_stands() {
    let file = pages(&[
        b"BT /F1 12 Tf 72 720 Td (One is over.) Tj ET",
        b"BT /F1 12 Tf 72 720 Td (Two goes on into) Tj ET",
        b"BT /F1 12 Tf 72 720 Td (three, and is para-) Tj ET",
        b"BT /F1 12 Tf 72 720 Td (Four.) Tj ET",
        b"",
        b"BT /F1 12 Tf 72 720 Td (Six.) Tj ET",
        b"",
    ]);
    let document = read(file, LIMITS).unwrap();
    let text = document.text.as_str();
    assert_eq!(text, "One is over.\n\nTwo goes on into three, and is para-\n\nFour.\n\nSix.");
    let begin: Vec<&str> = document.pages.iter().map(|start| &text[*start..]).collect();
    let words = ["One", "Two", "three", "Four", "Six", "Six", ""];
    for (page, word) in words.iter().enumerate() {
        assert!(begin[page].starts_with(word), "{page}: {:?}", begin[page]);
    }
    assert_eq!((document.pages.len(), begin[6]), (7, ""));
}

#[test]
fn forms_and_matrices_place_text() {
    let form = stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Matrix [1 0 0 1 0 -14] /Resources << /Font << /F1 5 0 R >> >>",
        b"BT /F1 12 Tf 72 720 Td (two) Tj ET",
    );
    let content =
        b"q 2 0 0 2 0 0 cm BT /F1 6 Tf 1 0 0 1 36 360 Tm 14 TL (on) Tj 10 Tc (e) ' ET Q /X0 Do";
    assert_eq!(read(one_page(content, &[form]), LIMITS).unwrap().text, "on\n\ne two");
}

/// A page of two fonts, the first with this table for its codes.
fn in_two_fonts(encoding: &str, content: &[u8]) -> Vec<u8> {
    let font = format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding {encoding} /DescendantFonts [<< /Type /Font \
         /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>] >>"
    );
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>".to_vec(),
        stream("", content),
        font.into_bytes(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
    ];
    file(&objects)
}

#[test]
fn codes_of_a_character_set_are_read_without_its_table() {
    let tail = " Tj /F2 12 Tf 0 -40 Td (end) Tj ET";
    for (encoding, codes, text) in [
        ("/UniGB-UCS2-H", "<4E2D6587>", "中文"),
        ("/GBK-EUC-H", "<D6D0CEC42041>", "中文 A"),
        ("/90ms-RKSJ-V", "<93FA967B>", "日本"),
    ] {
        let content = format!("BT /F1 12 Tf 72 720 Td {codes}{tail}");
        let document = read(in_two_fonts(encoding, content.as_bytes()), LIMITS).unwrap();
        assert_eq!((document.text, document.truncated), (format!("{text}\n\nend"), false));
    }
}

#[test]
fn letters_of_a_font_that_cannot_be_read_are_said_to_be_missing() {
    let content = b"BT /F1 12 Tf 72 720 Td [<4E2D>] TJ /F2 12 Tf (end) Tj ET";
    let document = read(in_two_fonts("/CNS-EUC-H", content), LIMITS).unwrap();
    assert_eq!((document.text.as_str(), document.truncated), ("end", true));
    let only = b"BT /F1 12 Tf 72 720 Td <4E2D> Tj ET";
    assert_eq!(read(in_two_fonts("/CNS-EUC-H", only), LIMITS), Err(PdfError::Unread));
    let nothing = b"BT /F1 12 Tf 72 720 Td () Tj ET";
    assert_eq!(read(in_two_fonts("/CNS-EUC-H", nothing), LIMITS), Err(PdfError::NoText));
}

#[test]
fn what_is_turned_on_its_side_is_read_as_it_is_written() {
    let words = |matrix: &str, x: i32, y: i32| {
        format!(
            "BT /F1 10 Tf 1 0 0 1 {x} {y} Tm {matrix} Tm [(Ta) 20 (ble) -600 (four)] TJ 0 -12 Td (goes on.) Tj 0 -40 Td \
             (And ends.) Tj ET "
        )
    };
    let text = "Table four goes on.\n\nAnd ends.";
    for matrix in ["1 0 0 1 72 600", "0 1 -1 0 72 100", "0 -1 1 0 72 600", "-1 0 0 -1 400 100"] {
        let document = read(one_page(words(matrix, 0, 0).as_bytes(), &[]), LIMITS).unwrap();
        assert_eq!(document.text, text, "{matrix}");
    }
    // What was scanned lies a little aslant, each word in its way.
    let scanned = b"BT /F1 10 Tf 0.9999 0.014 -0.014 0.9999 72 700 Tm (One) Tj 0.9999 0.011 -0.011 0.9999 300 703 Tm (line) Tj ET";
    assert_eq!(read(one_page(scanned, &[]), LIMITS).unwrap().text, "One line");
    // Where a note stands on its side beside a line, it is no part of it.
    let beside = b"BT /F1 10 Tf 72 700 Td (Line) Tj 0 1 -1 0 96 700 Tm (Note) Tj ET";
    assert_eq!(read(one_page(beside, &[]), LIMITS).unwrap().text, "Line\n\nNote");
}

#[test]
fn what_cannot_be_read_says_why() {
    assert_eq!(read(b"%PDF-1.4".to_vec(), LIMITS), Err(PdfError::Damaged));
    assert_eq!(read(b"no pdf".to_vec(), LIMITS), Err(PdfError::Damaged));
    assert_eq!(read(one_page(b"0 0 10 10 re f", &[]), LIMITS), Err(PdfError::NoText));
}

#[test]
fn a_text_beyond_the_limit_ends_with_its_page() {
    let file = || one_page(b"BT /F1 12 Tf 72 720 Td (Some words) Tj ET", &[]);
    for (limit, truncated) in [(3, true), (99, false)] {
        let document = read(file(), Limits { text: limit, ..LIMITS }).unwrap();
        assert_eq!((document.text.as_str(), document.truncated), ("Some words", truncated));
    }
    // A hyphen that only shows where a word may be parted.
    let soft = one_page(b"BT /F1 12 Tf 72 720 Td (Le\\255ver) Tj ET", &[]);
    assert_eq!(read(soft, LIMITS).unwrap().text, "Lever");
}

#[test]
fn no_more_pages_are_read_than_may_be() {
    let page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R \
        /Resources << /Font << /F1 5 0 R >> >> >>";
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R 6 0 R 7 0 R] /Count 3 >>".to_vec(),
        page.to_vec(),
        stream("", b"BT /F1 12 Tf 72 720 Td (word) Tj ET"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
        page.to_vec(),
        page.to_vec(),
    ];
    for (pages, read_of, truncated) in [(2, 2, true), (3, 3, false)] {
        let document = read(file(&objects), Limits { pages, ..LIMITS }).unwrap();
        assert_eq!((document.pages.len(), document.truncated), (read_of, truncated), "{pages}");
    }
}

#[test]
fn a_file_that_lost_its_end_gives_what_it_has() {
    let mut bytes = one_page(b"BT /F1 12 Tf 72 720 Td (Still here) Tj ET", &[]);
    bytes.truncate(bytes.len() - 200);
    assert_eq!(read(bytes, LIMITS).unwrap().text, "Still here");
}

#[test]
fn a_stream_that_unpacks_to_too_much_is_refused() {
    use std::io::Write as _;
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&vec![b' '; 40 << 20]).unwrap();
    let bomb = stream("/Filter /FlateDecode", &packer.finish().unwrap());
    assert_eq!(read(one_page(b"", &[bomb]), LIMITS), Err(PdfError::Bomb));
}

#[test]
fn forms_within_forms_come_to_an_end() {
    let form = |at: usize| {
        let extra = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X0 {} 0 R >> >>",
            at + 1
        );
        stream(&extra, &b"/X0 Do ".repeat(10))
    };
    let forms: Vec<_> = (6..30).map(form).collect();
    assert_eq!(read(one_page(b"/X0 Do", &forms), LIMITS), Err(PdfError::Endless));
    // One that draws itself, too.
    let own = stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X0 6 0 R >> >>",
        b"/X0 Do",
    );
    assert_eq!(read(one_page(b"/X0 Do", &[own]), LIMITS), Err(PdfError::NoText));
}

#[test]
fn who_had_too_little_time_is_told_to_try_again_and_nobody_else() {
    let others = [
        PdfError::Password,
        PdfError::Damaged,
        PdfError::Bomb,
        PdfError::Endless,
        PdfError::Tangled,
        PdfError::Crowded,
        PdfError::Hidden,
        PdfError::Unread,
        PdfError::NoText,
    ];
    for error in others.into_iter().chain([PdfError::Slow]) {
        let says = error.to_string();
        assert_eq!(error.may_pass(), says.contains("try again"), "{says}");
        assert_eq!(crate::page::PageError::from(error).may_pass(), error.may_pass());
    }
    assert!(PdfError::Slow.may_pass());
}

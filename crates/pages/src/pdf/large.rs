//! Large files, and small ones that would be large: what is read of them is bounded, and the rest of a file is read.

use super::tests::{LIMITS, file, one_page, pages, stream};
use super::*;
use crate::extent::Extent;
use hayro_font::hayro_syntax::object::Name;
use std::io::Write as _;

pub(super) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// Bytes in which nothing can be packed.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_u32;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_be_bytes()[0]
    };
    (0..length).map(next).collect()
}

pub(super) fn picture(extra: &str, content: &[u8]) -> Vec<u8> {
    stream(&format!("/Type /XObject /Subtype /Image /Width 9 /Height 9 {extra}"), content)
}

pub(super) const FLATE: &str = "/Filter /FlateDecode";

/// As word processors write: a word at a time, each at its place.
pub(super) fn prose(page: usize) -> Vec<u8> {
    let mut content = format!("BT /F1 11 Tf 72 760 Td (Page {page} begins here.) Tj\n");
    for line in 0..54 {
        content += "1 0 0 1 72 700 Tm ";
        for word in ["every", "word", "of", "this", "line", "stands", "somewhere"] {
            content += &format!("[({word}) -250] TJ 0.0001 Tc ");
        }
        content += &format!("({line}.) Tj 0 -14 Td\n");
    }
    (content + "ET").into_bytes()
}

#[test]
fn a_file_of_nineteen_mebibytes_is_read_to_its_end() {
    let contents: Vec<Vec<u8>> = (0..1_500).map(prose).collect();
    let contents: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
    let bytes = pages(&contents);
    assert!((18 << 20..MAX_WHOLE).contains(&bytes.len()), "{}", bytes.len());
    let document = read(bytes, Extent::AtHand.of_pdf()).unwrap();
    assert_eq!((document.pages.len(), document.truncated), (1_500, false));
    assert!(document.text.contains("Page 1499 begins here."));
    assert_eq!(document.text.matches("stands somewhere").count(), 81_000);
}

#[test]
fn pictures_are_passed_over_however_large_they_are() {
    let objects = [
        picture("/Filter /DCTDecode", &noise(9 << 20)),
        picture(FLATE, &packed(&noise(9 << 20))),
        // More than any other stream may have, and together more than all others.
        picture(FLATE, &packed(&vec![b'w'; 300 << 20])),
    ];
    let bytes = one_page(b"/X0 Do BT /F1 12 Tf 72 720 Td (Beside it) Tj ET", &objects);
    assert_eq!(read(bytes, Extent::AtHand.of_pdf()).unwrap().text, "Beside it");
}

#[test]
fn what_is_called_a_picture_is_unpacked_nowhere() {
    let bomb = packed(&vec![b' '; 300 << 20]);
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>".to_vec(),
        picture(FLATE, &bomb),
    ];
    assert_eq!(read(file(&objects), LIMITS), Err(PdfError::NoText));
    // Whatever else is said of it.
    for hides in [
        "/First 9",
        "/W [1 4 2]",
        "/X (obj <<)",
        "/X /#46irst",
        "%5 0 obj <<\n/Subtype /Image",
        "/N 9",
        "/Type /ObjStm",
        "/Type 9 0 R",
    ] {
        let hidden = picture(&format!("{FLATE} {hides}"), &bomb);
        assert_eq!(read(one_page(b"", &[hidden]), LIMITS), Err(PdfError::NoText), "{hides}");
    }
    let form = picture(&format!("{FLATE} /Subtype /Form"), &bomb);
    assert_eq!(read(one_page(b"", &[form]), LIMITS), Err(PdfError::Bomb));
}

#[test]
fn what_only_speaks_of_pictures_is_none() {
    let bomb = packed(&vec![b' '; 300 << 20]);
    for speaks in [
        "/PieceInfo << /Subtype /Image >>",
        "/PieceInfo [/Subtype /Image]",
        "/X /Subtype /Image /Form",
        "/Subtype /ImageMask",
    ] {
        let stream = stream(&format!("{speaks} {FLATE}"), &bomb);
        assert_eq!(read(one_page(b"", &[stream]), LIMITS), Err(PdfError::Bomb), "{speaks}");
    }
    // And a picture may speak of others.
    let parameters = "/DecodeParms << /Predictor 15 /Colors 3 >> /ColorSpace [/Indexed /DeviceRGB 1 <000000FFFFFF>]";
    let shown = picture(&format!("{FLATE} {parameters}"), &bomb);
    let bytes = one_page(b"/X0 Do BT /F1 12 Tf 72 720 Td (Beside it) Tj ET", &[shown]);
    assert_eq!(read(bytes, LIMITS).unwrap().text, "Beside it");
}

#[test]
fn no_font_has_a_picture_unpacked() {
    let bomb = picture(FLATE, &packed(&vec![b' '; 300 << 20]));
    let simple = |of: &str| format!("<< /Type /Font /Subtype /TrueType /BaseFont /F {of} >>");
    let made_of = |of: &str| {
        format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /Identity-H /DescendantFonts \
             [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /F {of} >>] >>"
        )
    };
    for (font, of) in [
        (simple("/ToUnicode 6 0 R"), "names"),
        (simple("/FontDescriptor << /FontFile2 6 0 R >>"), "a file"),
        (made_of("/CIDToGIDMap 6 0 R"), "places"),
        (made_of("/FontDescriptor << /FontFile3 6 0 R >>"), "a file within"),
        (made_of("").replace("/Identity-H", "6 0 R"), "codes"),
    ] {
        let objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
            b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 7 0 R >> >> >>"
                .to_vec(),
            stream("", b"BT /F1 12 Tf 72 720 Td (no) Tj /F2 12 Tf 0 -40 Td (At the end) Tj ET"),
            font.into_bytes(),
            bomb.clone(),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
        ];
        let bytes = file(&objects);
        let pdf = Pdf::new(bytes.clone()).unwrap();
        let resources = pdf.pages()[0].resources();
        let font = resources.get_font(&Name::new_unescaped(b"F1")).unwrap();
        assert!(fonts::Fonts::new().open(&font).0.is_none(), "{of}");
        assert!(read(bytes, LIMITS).unwrap().text.ends_with("At the end"), "{of}");
    }
}

#[test]
fn a_form_without_letters_is_read_once_however_often_it_is_drawn() {
    let drawn = "0 0 9 9 re f ".repeat(200_000).into_bytes();
    let form = stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << >>", &drawn);
    let mut content = b"/X0 Do ".repeat(10_000);
    content.extend_from_slice(b"BT /F1 12 Tf 72 720 Td (At the end) Tj ET");
    let document = read(one_page(&content, &[form]), LIMITS).unwrap();
    assert_eq!((document.text.as_str(), document.truncated), ("At the end", false));
}

#[test]
fn a_form_with_letters_is_drawn_until_enough_was_unpacked() {
    let mut blank = vec![b' '; 16 << 20];
    blank.extend_from_slice(b"BT /F1 12 Tf 72 720 Td (again) Tj ET");
    let extra = format!("/Type /XObject /Subtype /Form /BBox [0 0 9 9] {FLATE}");
    let form = stream(&extra, &packed(&blank));
    let document = read(one_page(&b"/X0 Do ".repeat(100_000), &[form]), LIMITS).unwrap();
    assert!(document.truncated);
    assert_eq!(document.text.matches("again").count(), 8, "128 MiB by 16");
}

#[test]
fn pages_that_share_their_instructions_are_read_until_enough_was_unpacked() {
    let mut blank = vec![b' '; 16 << 20];
    blank.extend_from_slice(b"BT /F1 12 Tf 72 720 Td (Page.) Tj ET");
    let kids: String = (6..66).map(|number| format!("{number} 0 R ")).collect();
    let objects = |contents: &str| {
        let fonts = "/Resources << /Font << /F1 5 0 R >> >>";
        let page = format!("<< /Type /Page /Parent 2 0 R /Contents {contents} {fonts} >>");
        let mut objects = vec![
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            format!("<< /Type /Pages /Kids [{kids}] /Count 60 >>").into_bytes(),
            b"null".to_vec(),
            stream(FLATE, &packed(&blank)),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
        ];
        objects.extend((0..60).map(|_| page.clone().into_bytes()));
        file(&objects)
    };
    let limits = Limits { unpacked: 40 << 20, ..LIMITS };
    let document = read(objects("4 0 R"), limits).unwrap();
    assert_eq!((document.text.matches("Page.").count(), document.truncated), (3, true));
    // One stream many times within a page, too.
    let document = read(objects(&format!("[{}]", "4 0 R ".repeat(100_000))), limits).unwrap();
    assert_eq!((document.text.matches("Page.").count(), document.truncated), (2, true));
}

//! Files that were made to take long, or much: small ones that would be large, and such in which the reader would go over
//! the same bytes again and again.

use super::large::{FLATE, packed, picture, prose};
use super::tests::{LIMITS, file, one_page, pages, stream};
use super::*;
use hayro_font::hayro_syntax::object::{ObjectIdentifier, Stream};
use std::cell::Cell;
use std::io::Write as _;
use std::sync::OnceLock;
use std::time::Instant;

const SOME: &[u8] = b"BT /F1 12 Tf 72 720 Td (Still here) Tj ET";

/// A file whose table is a stream that says of its catalogue and of its pages that the fourth object holds them.
fn held(holder: &[u8]) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in [(4, holder.to_vec()), (5, stream("", SOME))] {
        places.push(out.len());
        out.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        out.extend_from_slice(&object);
        out.extend_from_slice(b"\nendobj\n");
    }
    let table = out.len();
    let mut rows = vec![0_u8; 6];
    for (at, index) in [(4_u32, 0), (4, 1), (4, 2)] {
        rows.push(2);
        rows.extend_from_slice(&at.to_be_bytes());
        rows.push(index);
    }
    for place in places.iter().chain([&table]) {
        rows.push(1);
        rows.extend_from_slice(&u32::try_from(*place).unwrap().to_be_bytes());
        rows.push(0);
    }
    out.extend_from_slice(b"6 0 obj\n");
    out.extend_from_slice(&stream("/Type /XRef /W [1 4 1] /Size 7 /Root 1 0 R", &rows));
    out.extend_from_slice(format!("\nendobj\nstartxref\n{table}\n%%EOF").as_bytes());
    out
}

const MEMBERS: [&str; 3] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 \
     /BaseFont /Helvetica >> >> >> >>",
];

/// What a holder of objects has, with blanks behind it.
fn members(blanks: usize) -> (String, Vec<u8>) {
    let mut heads = String::new();
    let mut at = 0;
    for (number, member) in MEMBERS.iter().enumerate() {
        heads += &format!("{} {at} ", number + 1);
        at += member.len() + 1;
    }
    let extra = format!("/N 3 /First {}", heads.len());
    let mut body = (heads + &MEMBERS.join(" ")).into_bytes();
    body.resize(body.len() + blanks, b' ');
    (extra, body)
}

/// Bytes that hayro would unpack of an object.
fn unpacked(bytes: Vec<u8>, number: u32) -> Option<usize> {
    let pdf = Pdf::new(bytes).ok()?;
    let stream = pdf.xref().get::<Stream<'_>>(ObjectIdentifier::new(number, 0))?;
    Some(stream.decoded_data().ok()?.len())
}

#[test]
fn a_picture_that_a_table_names_as_what_holds_objects_is_not_unpacked() {
    let (extra, body) = members(300 << 20);
    for extra in [extra.as_str(), ""] {
        let mut bytes = held(&picture(&format!("{extra} {FLATE}"), &packed(&body)));
        assert_eq!(read(bytes.clone(), LIMITS), Err(PdfError::Damaged), "{extra}");
        guard::check(&mut bytes).unwrap();
        assert_eq!(unpacked(bytes, 4), None, "{extra}");
    }
    // What is no picture holds them, if it is not too much.
    let (extra, body) = members(0);
    let holder = stream(&format!("/Type /ObjStm {extra} {FLATE}"), &packed(&body));
    assert_eq!(read(held(&holder), LIMITS).unwrap().text, "Still here");
    let (extra, body) = members(33 << 20);
    let holder = stream(&format!("/Type /ObjStm {extra} {FLATE}"), &packed(&body));
    assert_eq!(read(held(&holder), LIMITS), Err(PdfError::Bomb));
}

/// A picture within what is packed: its keyword begins with what is the length of a run there, and a shorter one when the
/// picture is taken out.
#[test]
fn what_is_taken_out_makes_no_bomb_of_what_was_counted() {
    let picture = b"9 0 obj << /Subtype /Image >> ";
    let first = [u8::try_from(picture.len() - 1).unwrap()];
    // Behind the longer run all is over, and the shorter one leads over that.
    let longer = [&b"stream\n"[..], &[b'-'; 78], &[31], &[b'-'; 31], &[128]].concat();
    let blanks = [129, b' '].repeat(300 << 10);
    let body = [&first[..], picture, &longer, &blanks, &[128]].concat();
    let (extra, _) = members(0);
    let holder = stream(&format!("/Type /ObjStm {extra} /Filter /RunLengthDecode"), &body);
    assert_eq!(read(held(&holder), LIMITS), Err(PdfError::Bomb));
}

#[test]
fn only_what_is_packed_once_is_known_wherever_it_ends() {
    let once = stream(FLATE, &packed(SOME));
    let twice = stream("/Filter [/Fl /Fl]", &packed(&packed(SOME)));
    let plain = stream("", SOME);
    let mut bytes = Vec::new();
    let mut begins = Vec::new();
    for object in [&once, &twice, &plain, &picture(FLATE, &packed(SOME))] {
        bytes.extend_from_slice(b"7 0 obj\n");
        begins.push(bytes.len());
        bytes.extend_from_slice(object);
        bytes.extend_from_slice(b"\nendobj\n");
    }
    let body = |at: usize| {
        begins[at] + memchr::memmem::find(&bytes[begins[at]..], b"stream\n").unwrap() + 7
    };
    let known = [(begins[0], body(0)), (begins[2], body(2))];
    let checked = guard::check(&mut bytes.clone()).unwrap();
    assert_eq!(checked, guard::Checked { is_cut: false, bodies: known.into() });
}

/// DEFLATE without a head.
fn bare(bytes: &[u8]) -> Vec<u8> {
    let packed = packed(bytes);
    packed[2..packed.len() - 4].to_vec()
}

/// Blocks that are stored as they are, with a complement that is none.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let block = |bytes: &[u8]| {
        let length = u16::try_from(bytes.len()).unwrap().to_le_bytes();
        [&[0][..], &length, &[7, 7], bytes].concat()
    };
    bytes.chunks(60_000).flat_map(block).collect()
}

#[test]
fn what_unpacks_to_too_much_is_refused_however_it_is_packed() {
    let blanks = vec![b' '; 40 << 20];
    let mut small = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    small.write_all(&blanks).unwrap();
    let bomb = stream(FLATE, &small.finish().unwrap());
    let twice = packed(&packed(&blanks));
    let hex: String = twice.iter().map(|byte| format!("{byte:02X}")).collect();
    for (filter, body) in [
        (FLATE, bare(&blanks)),
        (FLATE, [stored(b"x"), bare(&blanks)].concat()),
        ("/Filter [/FlateDecode /FlateDecode]", twice),
        ("/Filter [/AHx /Fl /Fl]", (hex + ">").into_bytes()),
        ("/Filter /RunLengthDecode", [129, b' '].repeat(300 << 10)),
        ("/#46ilter /Fl#61teDecode", packed(&blanks)),
        // A table may point into what another stream packs.
        (FLATE, [&[0x78, 0x01][..], &stored(&[b"9 0 obj\n", &bomb[..]].concat())].concat()),
    ] {
        let bytes = one_page(SOME, &[stream(filter, &body)]);
        assert_eq!(read(bytes, LIMITS), Err(PdfError::Bomb), "{filter}");
    }
}

#[test]
fn what_cannot_be_measured_is_left_out_and_told() {
    let bomb = packed(&vec![b' '; 300 << 20]);
    for filter in [
        "/Filter 7 0 R",
        "/Filter [7 0 R]",
        "/Filter /FlateDecode /DecodeParms << /Predictor 2 /Columns 0 >>",
        "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 5 /Columns 2000000000 >>",
    ] {
        let extra = format!("/Type /XObject /Subtype /Form /BBox [0 0 9 9] {filter}");
        let more = [stream(&extra, &bomb), b"/FlateDecode".to_vec()];
        let mut bytes = one_page(&[b"/X0 Do ", SOME].concat(), &more);
        let document = read(bytes.clone(), LIMITS).unwrap();
        assert_eq!((document.text.as_str(), document.truncated), ("Still here", true), "{filter}");
        guard::check(&mut bytes).unwrap();
        assert_eq!(unpacked(bytes, 6), None, "{filter}");
        assert_eq!(read(one_page(b"/X0 Do", &more), LIMITS), Err(PdfError::Hidden), "{filter}");
    }
    // A holder without a number, which only a search for lost objects finds.
    let lost = stream("/Type /ObjStm /N 1 /First 4 /Filter 7 0 R", &bomb);
    for between in ["", " % not the end\n"] {
        let lost =
            String::from_utf8_lossy(&lost[..80]).replace("\nstream", &format!("{between}\nstream"));
        let mut bytes = [b"%PDF-1.7\n1 0 obj null\n", lost.as_bytes(), SOME].concat();
        guard::check(&mut bytes).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("\nstream"), "{between}");
    }
}

/// A block of DEFLATE whose codes are too many for their lengths: each is written over half of its table.
fn crowded() -> Vec<u8> {
    let mut bits = vec![0, 0, 1];
    // 257 codes of letters, one of a distance, and all lengths of codes of lengths.
    bits.extend([0; 10].into_iter().chain([1; 4]));
    // Of the lengths of codes, only 1, 15 and 16 have codes themselves.
    for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] {
        bits.extend(match place {
            1 => [1, 0, 0],
            15 | 16 => [0, 1, 0],
            _ => [0; 3],
        });
    }
    let (one, fifteen, six_more) = ([0], [1, 0], [1, 1, 1, 1]);
    bits.extend(fifteen.into_iter().chain(one));
    bits.extend(six_more.repeat(42));
    bits.extend(one.repeat(4));
    // Letters up to the end of a byte, and the end.
    while bits.len() % 8 != 7 {
        bits.push(0);
    }
    bits.push(1);
    bits.chunks(8).map(|byte| byte.iter().rev().fold(0, |byte, bit| byte << 1 | bit)).collect()
}

#[test]
fn what_is_packed_in_pieces_that_hold_nothing_is_not_gone_over() {
    let empty = [2, 8, 32, 128, 0].repeat(1 << 20);
    let crowded = crowded().repeat(1_000);
    for body in [empty, crowded] {
        // What is counted ends where it is too much.
        assert!(crate::deflate::count(&body, usize::MAX).taken < body.len());
        let file = [b"1 0 obj<</Filter/FlateDecode>>stream\n", body.as_slice()].concat();
        assert_eq!(read(file, LIMITS), Err(PdfError::Tangled));
    }
    let few = [&[2, 8, 32, 128, 0].repeat(10)[..], &bare(SOME)].concat();
    let document = read(one_page(b"/X0 Do", &[form(FLATE, &few)]), LIMITS).unwrap();
    assert_eq!((document.text.as_str(), document.truncated), ("Still here", false));
}

fn form(extra: &str, content: &[u8]) -> Vec<u8> {
    stream(&format!("/Type /XObject /Subtype /Form /BBox [0 0 9 9] {extra}"), content)
}

#[test]
fn a_table_that_names_more_objects_than_there_can_be_is_refused() {
    let rows = packed(&vec![1; 20 << 20]);
    let table =
        stream(&format!("/Type /XRef /W [0 1 0] /Size 20000000 /Root 1 0 R {FLATE}"), &rows);
    assert_eq!(read(one_page(SOME, &[table]), LIMITS), Err(PdfError::Bomb));
}

/// A file whose font is this.
fn with_font(font: &str, content: &[u8]) -> Vec<u8> {
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>".to_vec(),
        stream("", content),
        font.as_bytes().to_vec(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
        stream("", format!("1 beginbfchar <41> <{}> endbfchar", "00620061".repeat(25_000)).as_bytes()),
    ];
    file(&objects)
}

fn of_two_bytes(extra: &str) -> String {
    format!(
        "<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /Identity-H /DescendantFonts [<< /Type /Font \
         /Subtype /CIDFontType2 /BaseFont /F {extra} >>] >>"
    )
}

#[test]
fn a_font_with_more_widths_than_codes_is_left_out_and_told() {
    let content = b"BT /F1 12 Tf 72 720 Td (no) Tj /F2 12 Tf 0 -40 Td (At the end) Tj ET";
    for font in [
        of_two_bytes("/W [0 4294967295 500]"),
        of_two_bytes(&format!("/W [{}]", "0 65535 500 ".repeat(9_000))),
        of_two_bytes("/W2 [1 2000000000 9 9 9]"),
        "<< /Type /Font /Subtype /TrueType /BaseFont /F /FirstChar 4000000000 /LastChar 4000000001 /Widths [1 2] >>"
            .to_owned(),
    ] {
        let document = read(with_font(&font, content), LIMITS).unwrap();
        assert_eq!((document.text.as_str(), document.truncated), ("At the end", true), "{font}");
    }
    let some = of_two_bytes("/W [0 65535 500 7 [250 500] 9 9 100] /W2 [0 65535 9 9 9]");
    assert!(!read(with_font(&some, content), LIMITS).unwrap().truncated);
}

#[test]
fn a_letter_that_is_a_book_is_written_until_it_is_enough() {
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >>";
    let content = format!("BT /F1 12 Tf 72 720 Td ({}) Tj ET", "A".repeat(100_000));
    let document = read(with_font(font, content.as_bytes()), LIMITS).unwrap();
    assert!(document.truncated);
    assert!(document.text.len() <= LIMITS.steps + 50_000, "{}", document.text.len());
}

type Made = fn(usize) -> Vec<u8>;
type AnyMade = Box<dyn Fn(usize) -> Vec<u8>>;

/// Files in which a search for lost objects goes over the rest of the file again and again.
const SEARCHED: [(&str, Made); 7] = [
    ("strings without an end", |size| b"1 0 obj ( ".repeat(size / 10)),
    ("dictionaries with them", |size| b"<</A(\n".repeat(size / 6)),
    ("objects that are such", |size| b"1 0 obj <</A( ".repeat(size / 14)),
    ("comments without an end", |size| b"1 % ".repeat(size / 4)),
    ("dictionaries within others", |size| b"<< ".repeat(size / 3)),
    ("arrays within others", |size| b"1 0 obj [ ".repeat(size / 10)),
    ("streams without an end", |size| b"<</Type/ObjStm>>stream\n".repeat(size / 23)),
];

/// Instructions in which pictures begin again and again.
const DRAWN: [(&str, Made); 3] = [
    ("pictures with many ends", |size| [b"BI ID ".to_vec(), b" EI \x80".repeat(size / 5)].concat()),
    ("pictures without an end", |size| b"BI ID \x80".repeat(size / 7)),
    ("pictures that end each other", |size| b"BI ID EI \x80".repeat(size / 10)),
];

#[test]
fn a_search_that_would_not_end_is_not_begun() {
    for (what, make) in SEARCHED {
        let bytes = [b"%PDF-1.7\n", make(64 << 10).as_slice()].concat();
        let read = read(bytes, LIMITS);
        let is_refused = matches!(read, Err(PdfError::Tangled | PdfError::Damaged));
        assert!(is_refused, "{what}: {read:?}");
    }
    for (what, make) in &SEARCHED[..4] {
        let bytes = [b"%PDF-1.7\n", make(4 << 20).as_slice()].concat();
        assert_eq!(read(bytes, LIMITS), Err(PdfError::Tangled), "{what}");
    }
}

#[test]
fn many_keywords_in_one_line_are_passed_over() {
    let bytes = [b"%PDF-1.7\n", b"stream ".repeat(1 << 18).as_slice()].concat();
    assert_eq!(read(bytes, LIMITS), Err(PdfError::Damaged));
}

#[test]
fn letters_behind_pictures_within_instructions_are_read() {
    for (what, make) in DRAWN {
        let content = [make(1 << 20).as_slice(), b" EI ", SOME].concat();
        let document = read(one_page(&content, &[]), LIMITS).unwrap();
        assert!(document.text.contains("Still here"), "{what}");
    }
}

/// Pages that all refer to the same long dictionary.
fn referring(size: usize) -> Vec<u8> {
    let page = "<< /Type /Page /Parent 2 0 R /Resources 3 0 R >>".to_owned();
    let count = size / 2 / 90;
    let long = "/A 1 ".repeat(size / 2 / 5);
    let kids: String = (0..count).map(|page| format!("{} 0 R ", page + 4)).collect();
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>").into_bytes(),
        format!("<< {long} >>").into_bytes(),
    ];
    objects.extend((0..count).map(|_| page.clone().into_bytes()));
    file(&objects)
}

/// For which each look at the clock takes a second.
pub(super) struct Seconds(pub usize);

thread_local! {
    static LOOKS: Cell<u64> = const { Cell::new(0) };
}

impl Pace for Seconds {
    fn clock(&self) -> pace::Clock {
        || {
            LOOKS.set(LOOKS.get() + 1);
            Duration::from_secs(LOOKS.get())
        }
    }

    fn pause(&mut self) -> impl Future<Output = ()> {
        self.0 += 1;
        std::future::ready(())
    }
}

#[test]
fn who_looks_up_too_long_is_left_off() {
    let within = |seconds, bytes| {
        let limits = Limits { time: Duration::from_secs(seconds), ..LIMITS };
        let mut pace = Seconds(0);
        (pace::at_once(read_beside(bytes, limits, &mut pace)), pace.0)
    };
    let (read, _) = within(60, referring(20_000));
    assert_eq!(read, Err(PdfError::Slow));
    // Of what was read before, nothing is lost.
    let contents: Vec<Vec<u8>> = (0..100).map(prose).collect();
    let contents: Vec<&[u8]> = contents.iter().map(Vec::as_slice).collect();
    let (read, pauses) = within(110, pages(&contents));
    let document = read.unwrap();
    let count = document.pages.len();
    assert!((2..100).contains(&count) && document.truncated, "{count}");
    // Others have a turn between two pages.
    assert!(pauses > count, "{pauses}");
    let (read, pauses) = within(100_000, pages(&contents));
    assert!(!read.unwrap().truncated && pauses > 100, "{pauses}");
}

/// With the time as it is.
struct AsItIs;

impl Pace for AsItIs {
    fn clock(&self) -> pace::Clock {
        static BEGUN: OnceLock<Instant> = OnceLock::new();
        || BEGUN.get_or_init(Instant::now).elapsed()
    }

    fn pause(&mut self) -> impl Future<Output = ()> {
        std::future::ready(())
    }
}

/// For people: `cargo test --release -p quarry-pages hostile -- --ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn how_long_hostile_files_take() {
    let drawn =
        |make: Made| move |size: usize| one_page(&[make(size).as_slice(), SOME].concat(), &[]);
    let mut made: Vec<(&str, AnyMade)> = Vec::new();
    for (what, make) in SEARCHED {
        made.push((what, Box::new(make)));
    }
    for (what, make) in DRAWN {
        made.push((what, Box::new(drawn(make))));
    }
    made.push(("pages that refer to the same", Box::new(referring)));
    for (what, make) in made {
        let mut took = Vec::new();
        for size in [1 << 20, 2 << 20, 4 << 20, 19 << 20] {
            let bytes = [b"%PDF-1.7\n", make(size).as_slice()].concat();
            let begun = Instant::now();
            let limits = crate::extent::Extent::AtHand.of_pdf();
            let read = pace::at_once(read_beside(bytes, limits, &mut AsItIs));
            let told = read.map_or_else(
                |error| format!("{error:?}"),
                |read| format!("{} bytes", read.text.len()),
            );
            took.push(format!("{:>5} ms {told}", begun.elapsed().as_millis()));
        }
        println!("{what:<32} {}", took.join(" | "));
    }
}

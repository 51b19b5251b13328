//! Files with more names, pages or references than anybody reads: small ones that take long, or much memory.

use super::hostile::Seconds;
use super::large::{FLATE, packed};
use super::tests::{LIMITS, file, one_page, stream};
use super::*;

const SOME: &[u8] = b"BT /F1 12 Tf 72 720 Td (Still here) Tj ET";
const HELVETICA: &str = "<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";

fn names(count: usize) -> String {
    (0..count).map(|at| format!("/{at} 1")).collect()
}

/// A file whose objects, numbered from 1, all lie packed in one stream, but for the instructions, which come next.
fn in_one_stream(members: &[String]) -> Vec<u8> {
    let count = u32::try_from(members.len()).unwrap();
    let (mut heads, mut at) = (String::new(), 0);
    for (number, member) in (1..).zip(members) {
        heads += &format!("{number} {at} ");
        at += member.len() + 1;
    }
    let extra = format!("/Type /ObjStm /N {count} /First {} {FLATE}", heads.len());
    let holder = stream(&extra, &packed((heads + &members.join(" ")).as_bytes()));
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut rows = vec![0_u8; 7];
    for index in 0..count {
        rows.push(2);
        rows.extend_from_slice(&(count + 2).to_be_bytes());
        rows.extend_from_slice(&u16::try_from(index).unwrap().to_be_bytes());
    }
    for (number, object) in [(count + 1, stream("", SOME)), (count + 2, holder)] {
        rows.push(1);
        rows.extend_from_slice(&u32::try_from(out.len()).unwrap().to_be_bytes());
        rows.extend_from_slice(&[0, 0]);
        out.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        out.extend_from_slice(&object);
        out.extend_from_slice(b"\nendobj\n");
    }
    let table = out.len();
    let extra = format!("/Type /XRef /W [1 4 2] /Size {} /Root 1 0 R", count + 3);
    out.extend_from_slice(format!("{} 0 obj\n", count + 3).as_bytes());
    out.extend_from_slice(&stream(&extra, &rows));
    out.extend_from_slice(format!("\nendobj\nstartxref\n{table}\n%%EOF").as_bytes());
    out
}

/// Objects of a file of so many pages, of which each has this, the tree above has that, and the fourth object is another.
fn members(count: usize, page: &str, above: &str, fourth: &str) -> Vec<String> {
    let kids: String = (0..count).map(|at| format!("{} 0 R ", at + 6)).collect();
    let mut members = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {count} {above} >>"),
        HELVETICA.to_owned(),
        fourth.to_owned(),
        "<< /Font 3 0 R /XObject 4 0 R /Pattern 4 0 R >>".to_owned(),
    ];
    let content = count + 6;
    members
        .extend((0..count).map(|_| format!("<< /Parent 2 0 R /Contents {content} 0 R {page} >>")));
    members
}

#[test]
fn a_dictionary_of_more_names_than_anybody_writes_is_refused_wherever_it_stands() {
    let most = guard::MAX_NAMES;
    let wide = format!("<<{}>>", names(most + 1));
    for (what, object) in [
        ("one", wide.clone()),
        ("within another", format!("<< /A << /B {wide} >> >>")),
        ("in a list", format!("[1 [{wide}]]")),
        ("one that nowhere ends", wide.replace(">>", "")),
        ("behind a comment", format!("% <<>>\n{wide}")),
        ("of a stream", format!("{wide}\nstream\nx\nendstream")),
        ("a trailer", format!("null\ntrailer{wide}")),
        (
            "within a stream",
            String::from_utf8(stream("", format!("9 0 obj {wide}").as_bytes())).unwrap(),
        ),
    ] {
        let bytes = one_page(SOME, &[object.into_bytes()]);
        assert_eq!(read(bytes, LIMITS), Err(PdfError::Crowded), "{what}");
    }
    let packed = members(1, "/Resources << /Font 3 0 R >>", "", &wide);
    assert_eq!(read(in_one_stream(&packed), LIMITS), Err(PdfError::Crowded));
    // As many as programs write are read, and more in several.
    let some = format!("<<{} /B <<{}>> >>", names(4_000), names(4_000));
    let document = read(one_page(SOME, &[some.clone().into_bytes()]), LIMITS).unwrap();
    assert_eq!((document.text.as_str(), document.truncated), ("Still here", false));
    let packed = members(1, "/Resources << /Font 3 0 R >>", "", &some);
    assert_eq!(read(in_one_stream(&packed), LIMITS).unwrap().text, "Still here");
}

#[test]
fn a_dictionary_within_instructions_is_not_read_where_it_has_too_many_names() {
    let wide = format!("/P <<{}>> BDC ", names(guard::MAX_NAMES + 1));
    let form = format!("/Type /XObject /Subtype /Form /BBox [0 0 9 9] {FLATE}");
    let form = stream(&form, &packed(&[wide.as_bytes(), SOME].concat()));
    assert_eq!(read(one_page(b"/X0 Do", &[form]), LIMITS), Err(PdfError::Hidden));
    let some = format!("/P <<{}>> BDC ", names(9)).repeat(3_000);
    let content = [some.as_bytes(), SOME].concat();
    let document = read(one_page(&content, &[]), LIMITS).unwrap();
    assert_eq!((document.text.as_str(), document.truncated), ("Still here", false));
}

#[test]
fn what_all_pages_would_read_is_counted_for_each_of_them() {
    let long = format!("<< /A ({}) >>", "a".repeat(640_000));
    let wide = format!("<<{}>>", names(9_000));
    let own = "/Resources << /Font 3 0 R >>";
    for (what, page, above, fourth) in [
        ("what pages draw with", "/Resources 4 0 R", "", &long),
        ("as it may be written, too", "/R#65sources 4.0 0.0 R", "", &long),
        ("one kind of it", "/Resources << /Font 3 0 R /XObject 4 0 R >>", "", &long),
        ("one kind of what they refer to", "/Resources 5 0 R", "", &long),
        ("names, for which there is a table each", "/Resources 5 0 R", "", &wide),
        ("what the tree gives them", "", "/Resources 4 0 R", &long),
        ("one kind of what it gives them", "", "/Resources << /XObject 4 0 R >>", &long),
        ("their measures", "/MediaBox 4 0 R", own, &long),
    ] {
        let bytes = in_one_stream(&members(900, page, above, fourth));
        assert_eq!(read(bytes, LIMITS), Err(PdfError::Tangled), "{what}");
    }
    // As files have it: what is long is nobody's, and what all have is short.
    for (page, above) in [(own, ""), ("/Resources 5 0 R", ""), ("", own), ("", "/Resources 5 0 R")]
    {
        let fourth = if page == own || above == own { long.as_str() } else { "<< /A 1 >>" };
        let document = read(in_one_stream(&members(300, page, above, fourth)), LIMITS).unwrap();
        assert_eq!(document.text.matches("Still here").count(), 300, "{page}{above}");
        assert!(!document.truncated);
    }
}

#[test]
fn what_the_file_itself_refers_to_counts_whatever_its_number_seems_to_be() {
    let pages = |head: &str| {
        let kids: String = (0..5_000).map(|at| format!("{} 0 R ", at + 7)).collect();
        let mut bytes = format!(
            "%PDF-1.7\n1 0 obj<</Pages 2 0 R>> 2 0 obj<</Kids[{kids}]>> {head} obj<<{}>> ",
            names(9_000)
        );
        for number in 7..5_007 {
            bytes += &format!("{number} 0 obj<</Resources 3 0 R>> ");
        }
        read(bytes.into_bytes(), LIMITS)
    };
    for head in ["3 0", "13 0", "003\n0\n", "3 0 %\n"] {
        assert_eq!(pages(head), Err(PdfError::Tangled), "{head}");
    }
    assert_eq!(pages("4 0"), Err(PdfError::Damaged));
}

#[test]
fn a_tree_without_an_end_is_not_followed() {
    let of = |kids: &str, fourth: &str| {
        let objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
            format!("<< /Type /Pages /Kids {kids} /Count 1 >>").into_bytes(),
            b"<< >>".to_vec(),
            fourth.as_bytes().to_vec(),
        ];
        read(file(&objects), LIMITS)
    };
    let many = "[".to_owned() + &"<<>>".repeat(100_001) + "]";
    assert_eq!(of(&many, "null"), Err(PdfError::Tangled));
    assert_eq!(of("4 0 R", &many), Err(PdfError::Tangled));
    assert_eq!(of("4 0 R", "[<</Type/Pages/Kids 4 0 R>>]"), Err(PdfError::Tangled));
    let some = "[<</Type/Pages/Kids[<</Type/Pages/Kids 4 0 R>>]>>]";
    assert_eq!(of(some, "[".repeat(2).as_str()), Err(PdfError::NoText));
    assert_eq!(of(some, "[3 0 R]"), Err(PdfError::NoText));
}

#[test]
fn a_page_that_takes_long_gives_others_their_turns_and_is_left_off() {
    let content = [&b"BT 72 720 Td "[..], &b"/F1 12 Tf (a) Tj ".repeat(2_000)].concat();
    let within = |seconds| {
        let limits = Limits { time: Duration::from_secs(seconds), ..LIMITS };
        let mut pace = Seconds(0);
        (pace::at_once(read_beside(one_page(&content, &[]), limits, &mut pace)).unwrap(), pace.0)
    };
    let (document, pauses) = within(100_000);
    assert_eq!((document.text.len(), document.truncated), (2_000, false));
    assert!(pauses > 1_000, "{pauses}");
    let (document, _) = within(300);
    assert!(document.text.len() < 300 && document.truncated, "{}", document.text.len());
}

//! What is counted is what hayro unpacks, of whole streams and of damaged ones.

use super::*;
use proptest::prelude::*;
use std::io::Write as _;

fn stream(filter: &str, body: &[u8]) -> Vec<u8> {
    let mut file = format!("<< /Length {} /Filter {filter} >>\nstream\n", body.len()).into_bytes();
    file.extend_from_slice(body);
    file.extend_from_slice(b"\nendstream");
    file
}

fn counted(filter: &str, body: &[u8]) -> usize {
    let file = stream(filter, body);
    match size(Stream::from_bytes(&file).unwrap().dict(), body, usize::MAX) {
        Size::Is { given, .. } => given,
        other => panic!("{other:?}"),
    }
}

fn theirs(filter: &str, body: &[u8]) -> Option<usize> {
    let file = stream(filter, body);
    Stream::from_bytes(&file).unwrap().decoded_data().ok().map(|data| data.len())
}

fn packed(bytes: &[u8], level: u32, has_head: bool) -> Vec<u8> {
    if has_head {
        let mut packer =
            flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(level));
        packer.write_all(bytes).unwrap();
        return packer.finish().unwrap();
    }
    let mut packer =
        flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(level));
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// As LZW without a table: each byte is its code.
fn plain_lzw(bytes: &[u8]) -> Vec<u8> {
    let codes = std::iter::once(CLEAR).chain(bytes.iter().map(|byte| usize::from(*byte)));
    let (mut out, mut bits, mut held, mut known) = (Vec::new(), 0_usize, 0, 256);
    for code in codes.chain([END]) {
        let wide = match known + 1 {
            2_048.. => 12,
            1_024.. => 11,
            512.. => 10,
            _ => 9,
        };
        (bits, held) = (bits << wide | code, held + wide);
        while held >= 8 {
            held -= 8;
            out.push(u8::try_from(bits >> held & 0xFF).unwrap());
        }
        bits &= (1 << held) - 1;
        known = (known + 1).min(ENTRIES);
    }
    out.push(u8::try_from(bits << (8 - held) & 0xFF).unwrap());
    out
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let few = proptest::collection::vec(0_u8..4, 0..3_000);
    let many = proptest::collection::vec(any::<u8>(), 0..3_000);
    prop_oneof![few, many]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn deflate_is_counted_as_it_is_read_damaged_or_not(
        bytes in bytes(), level in 0_u32..10, has_head: bool,
        damage in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut body = packed(&bytes, level, has_head);
        if damage.is_empty() {
            prop_assert_eq!(counted("/FlateDecode", &body), bytes.len());
        }
        for (at, byte) in damage {
            let at = at.index(body.len());
            body[at] = byte;
        }
        prop_assert_eq!(Some(counted("/FlateDecode", &body)), theirs("/FlateDecode", &body));
    }

    #[test]
    fn no_filter_gives_more_than_is_counted(
        body in proptest::collection::vec(any::<u8>(), 0..2_000),
        filters in proptest::collection::vec(0_usize..5, 1..3),
    ) {
        let names = ["/FlateDecode", "/LZW", "/RL", "/A85", "/AHx"];
        let filter = format!("[{}]", filters.iter().map(|at| names[*at]).collect::<String>());
        prop_assert!(theirs(&filter, &body).unwrap_or_default() <= counted(&filter, &body), "{}", filter);
    }
}

#[test]
fn each_filter_is_counted() {
    let letters = b"abcabcabcabd".repeat(300);
    let hex: String = letters.iter().map(|byte| format!("{byte:02x}")).collect();
    let lzw = plain_lzw(&letters);
    let runs = [[200, b'x'].repeat(50), vec![3, 1, 2, 3, 4, 128]].concat();
    let twice = packed(&packed(&vec![0; 1 << 20], 9, true), 9, true);
    for (filter, body, given) in [
        ("/ASCIIHexDecode", format!("{hex}>").into_bytes(), letters.len()),
        ("/ASCII85Decode", b"zzzz~>".to_vec(), 16),
        ("/LZWDecode", lzw, letters.len()),
        ("/RunLengthDecode", runs, 50 * 57 + 4),
        ("[/FlateDecode /Fl]", twice, 1 << 20),
        ("[/AHx /Fl]", b"789c4bcc4c04000258012b>".to_vec(), 3),
        ("/DCTDecode", letters.clone(), 0),
    ] {
        let theirs = theirs(filter, &body).unwrap_or_default();
        assert_eq!(theirs, given, "{filter}");
        let counted = counted(filter, &body);
        assert!(counted >= given && counted <= given.max(16) * 4, "{filter}: {counted}");
    }
}

#[test]
fn what_is_unpacked_before_a_filter_that_is_refused_counts() {
    let body = packed(&vec![0; 1 << 20], 9, true);
    let file = stream("[/Fl /Crypt /Fl]", &body);
    let stream = Stream::from_bytes(&file).unwrap();
    let counted = size(stream.dict(), &body, 1 << 20);
    assert!(matches!(counted, Size::Is { given: 0x10_0000, taken: 1.., .. }), "{counted:?}");
    assert_eq!(size(stream.dict(), &body, 1 << 19), Size::Beyond);
}

#[test]
fn what_cannot_be_known_is_not_unpacked() {
    let body = packed(&vec![0; 1 << 20], 9, true);
    for (filter, is) in [
        ("/Filter 9 0 R", Size::Unknown),
        ("/Filter [/FlateDecode 9 0 R]", Size::Unknown),
        ("/Filter /FlateDecode /DecodeParms 9 0 R", Size::Unknown),
        ("/Filter /FlateDecode /DecodeParms << /Predictor 2 /Columns 0 >>", Size::Unknown),
        (
            "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 2000000000 >>",
            Size::Unknown,
        ),
        (
            "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Colors 64 /BitsPerComponent 4 >>",
            Size::Unknown,
        ),
        ("/Filter [/Fl /Fl /Fl /Fl /Fl]", Size::Unknown),
        ("/Filter /FlateDecode", Size::Beyond),
        ("/F#69lter /Fl", Size::Beyond),
        ("/Filter [/Fl /DCTDecode]", Size::NOTHING),
        ("/Filter /DCTDecode", Size::NOTHING),
        ("/Filter /Unheard", Size::NOTHING),
    ] {
        let mut file = format!("<< /Length {} {filter} >>\nstream\n", body.len()).into_bytes();
        file.extend_from_slice(&body);
        file.extend_from_slice(b"\nendstream");
        let stream = Stream::from_bytes(&file).unwrap();
        assert_eq!(size(stream.dict(), &body, 1 << 19), is, "{filter}");
    }
}

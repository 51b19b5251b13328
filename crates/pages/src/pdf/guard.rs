//! What a file costs its reader, before it is read: what its streams unpack to, and what it takes to look for its objects
//! where its table of them is wrong. hayro bounds neither.
//!
//! Nothing in a file is taken at its word: whatever stands where an object may stand is looked at, because the table may
//! name any of it as what holds other objects. What is no use to anybody who reads text is taken out of the bytes: pictures,
//! and streams of which it cannot be known what they unpack to. Bodies that are encrypted are noise here; a holder of
//! objects in such a file is the one thing that can yet take down the instance that reads it, which the caller sees as
//! a failed page and nobody else notices.

use super::PdfError;
use super::census::Census;
use super::kind::is_picture;
use super::unpack::{self, Size};
use super::walk::{Walk, is_blank};
use hayro_font::hayro_syntax::object::{Array, Dict, FromBytes};
use memchr::memmem;
use std::collections::BTreeMap;
use std::ops::Range;

/// Bytes that one stream may unpack to.
pub const MAX_STREAM: usize = 32 << 20;
/// Bytes that all streams may unpack to.
const MAX_ALL: usize = 256 << 20;
/// Objects that tables in streams may name: each takes some 50 bytes of memory, and may have taken one in the file.
const MAX_NAMED: usize = 2_000_000;
/// How often a file may be gone over.
const MAX_WALKS: u64 = 8;
/// How often a file is looked through: what is taken out of it may lie in what was counted, and change that.
const MAX_LOOKS: u32 = 4;

/// Names of one dictionary: programs write no more than 4,095, which was a limit of the format, but for lists of places to
/// go to. As many that look alike to hayro's table are some 200 million comparisons, and some seconds are not far.
pub const MAX_NAMES: usize = 20_000;
/// Digits of a number.
const DIGITS: usize = 10;

const KEYWORD: &[u8] = b"stream";

/// What is known of a file that does not cost too much.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Whether more than pictures was taken out.
    pub is_cut: bool,
    /// Where bodies of streams begin, by where their dictionaries do: of those that pack no more than [`MAX_STREAM`],
    /// wherever they are said to end. Where one filter feeds another, an end in between may change what comes of it.
    pub bodies: BTreeMap<usize, usize>,
}

/// Refuses a file that costs too much, and takes out of it what is not to be unpacked.
pub fn check(bytes: &mut [u8]) -> Result<Checked, PdfError> {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let budget = (length + (1 << 20)).saturating_mul(MAX_WALKS);
    check_search(bytes, budget)?;
    check_trailers(bytes, budget)?;
    let (mut is_cut, mut budget, mut steps, mut all) = (false, budget, 0, 0);
    for _ in 0..MAX_LOOKS {
        let mut guard = Guard { bytes, budget, steps, all, ..Guard::default() };
        guard.objects()?;
        // What is looked through again counts again: no file takes longer than its bounds for it.
        (budget, steps, all) = (guard.budget, guard.steps, guard.all);
        let Guard { mut out, mut streams, counted, bodies, is_cut: takes_text, .. } = guard;
        is_cut |= takes_text;
        streams.sort_unstable();
        out.extend(strays(bytes, &streams));
        out.sort_unstable();
        for at in &out {
            // What follows a dictionary is then no stream.
            if let Some(letter) = bytes.get_mut(*at) {
                *letter = b'S';
            }
        }
        if !counted.iter().any(|range| is_within(&out, range)) {
            return Ok(Checked { is_cut, bodies });
        }
    }
    Err(PdfError::Tangled)
}

/// Whether one of some places, which are in their order, lies within a range.
fn is_within(places: &[usize], range: &Range<usize>) -> bool {
    let first = places.partition_point(|place| *place < range.start);
    places.get(first).is_some_and(|place| *place < range.end)
}

#[derive(Default)]
struct Guard<'b> {
    bytes: &'b [u8],
    /// Bytes that may be looked at, and those that were.
    budget: u64,
    steps: u64,
    /// Bytes that all streams so far unpack to, and objects that they name.
    all: usize,
    named: usize,
    /// Keywords of streams, and those to be taken out.
    streams: Vec<usize>,
    out: Vec<usize>,
    /// What was read to count streams: their dictionaries, and as much of their bodies as packs something.
    counted: Vec<Range<usize>>,
    bodies: BTreeMap<usize, usize>,
    is_cut: bool,
    /// Whether the file may be encrypted.
    is_encrypted: bool,
}

impl Guard<'_> {
    fn objects(&mut self) -> Result<(), PdfError> {
        let bytes = self.bytes;
        self.is_encrypted = memmem::find(bytes, b"/Encrypt").is_some();
        let mut walk = Walk::going_on(bytes, self.steps, Some(Census::default()));
        for found in memmem::find_iter(bytes, b"obj") {
            let before = found.checked_sub(1).and_then(|before| bytes.get(before));
            if !before.is_some_and(|byte| byte.is_ascii_digit() || is_blank(*byte)) {
                continue;
            }
            walk.at = found + 3;
            walk.trivia();
            let begins = walk.at;
            let is_dictionary = walk.rest().starts_with(b"<<");
            if !is_dictionary && walk.byte() != Some(b'[') {
                continue;
            }
            let is_object = is_noted(&mut walk, &numbers(bytes, found))?;
            if is_dictionary && is_object {
                let ends = walk.at;
                walk.trivia();
                let keyword = walk.at;
                if let Some(body) = body_at(bytes, keyword) {
                    let dict = bytes.get(begins..ends).and_then(Dict::from_bytes);
                    let steps = self.stream((begins, keyword), dict.as_ref(), body)?;
                    walk.steps += u64::try_from(steps).unwrap_or(u64::MAX);
                    if let Some(dict) = dict.filter(is_holder) {
                        self.held(&dict, body, &mut walk)?;
                    }
                }
            }
            within(walk.steps, self.budget)?;
        }
        self.steps = walk.steps;
        if walk.census.is_some_and(|census| census.is_within_bounds()) {
            Ok(())
        } else {
            Err(PdfError::Tangled)
        }
    }

    /// Looks at the objects that a stream holds.
    fn held(&mut self, dict: &Dict<'_>, body: &[u8], outer: &mut Walk<'_>) -> Result<(), PdfError> {
        let Some(bytes) = unpack::whole(dict, body, MAX_STREAM) else { return Ok(()) };
        self.budget += u64::try_from(bytes.len()).unwrap_or(u64::MAX).saturating_mul(MAX_WALKS);
        let mut heads = Walk::new(&bytes);
        let mut walk = Walk::going_on(&bytes, outer.steps, outer.census.take());
        // Where it says elsewhere how many they are, as many as there are.
        let count = dict.get::<usize>("N").unwrap_or(usize::MAX);
        let first = dict.get::<usize>("First").unwrap_or_default();
        for _ in 0..count {
            let (Some(number), Some(at)) = (heads.count(), heads.count()) else {
                // hayro reads numbers that are none of objects; what is encrypted has any here.
                let is_number = matches!(heads.byte(), Some(b'.' | b'+' | b'-' | b'0'..=b'9'));
                if is_number && !self.is_encrypted {
                    return Err(PdfError::Tangled);
                }
                break;
            };
            walk.at = first.saturating_add(usize::try_from(at).unwrap_or(usize::MAX));
            if walk.at < bytes.len() {
                walk.trivia();
                is_noted(&mut walk, &[number])?;
            }
            within(walk.steps + heads.steps, self.budget)?;
        }
        (outer.steps, outer.census) = (walk.steps + heads.steps, walk.census);
        Ok(())
    }

    /// Looks at a stream, whose dictionary and whose keyword stand at these places; how many steps that takes.
    fn stream(
        &mut self,
        (begins, keyword): (usize, usize),
        dict: Option<&Dict<'_>>,
        body: &[u8],
    ) -> Result<usize, PdfError> {
        self.streams.push(keyword);
        let size = match dict {
            Some(dict) if is_picture(dict) => {
                self.out.push(keyword);
                return Ok(0);
            }
            // Where what it holds begins is not known yet.
            Some(dict) if is_holder(dict) && dict.get_ref("First").is_some() => Size::Unknown,
            Some(dict) => unpack::size(dict, body, MAX_STREAM),
            None => Size::Unknown,
        };
        match size {
            Size::Is { given, taken, steps } => {
                let from = self.bytes.len() - body.len();
                self.counted.push(begins..from + taken);
                if dict.is_some_and(unpack::is_packed_once) {
                    self.bodies.insert(begins, from);
                }
                self.all += given;
                self.named += dict.map_or(0, |dict| names(dict, given));
                let is_bomb = self.all > MAX_ALL || self.named > MAX_NAMED;
                if is_bomb { Err(PdfError::Bomb) } else { Ok(steps) }
            }
            Size::Beyond => Err(PdfError::Bomb),
            Size::Endless => Err(PdfError::Tangled),
            Size::Unknown => {
                self.out.push(keyword);
                self.is_cut = true;
                Ok(0)
            }
        }
    }
}

/// Refuses what has a dictionary of too many names.
const fn narrow(walk: &Walk<'_>) -> Result<(), PdfError> {
    if walk.widest > MAX_NAMES { Err(PdfError::Crowded) } else { Ok(()) }
}

/// Refuses what takes more steps than there are for it.
const fn within(steps: u64, budget: u64) -> Result<(), PdfError> {
    if steps > budget { Err(PdfError::Tangled) } else { Ok(()) }
}

/// Goes over an object and notes what it refers to; whether it is one.
fn is_noted(walk: &mut Walk<'_>, numbers: &[u32]) -> Result<bool, PdfError> {
    let steps = walk.steps;
    let mark = walk.census.as_ref().map(|census| census.mark(steps));
    let is_list = walk.byte() == Some(b'[');
    let is_object = walk.object().is_some();
    let (steps, items) = (walk.steps, if is_list { walk.items } else { 0 });
    narrow(walk)?;
    if let (Some(census), Some(mark)) = (&mut walk.census, mark) {
        census.object(numbers, mark, steps, items);
        if census.is_full() {
            return Err(PdfError::Tangled);
        }
    }
    Ok(is_object)
}

/// The numbers that an object has whose keyword stands here: a table may point between digits.
fn numbers(bytes: &[u8], keyword: usize) -> Vec<u32> {
    let mut before = bytes.get(..keyword).unwrap_or_default().iter().rev().copied().peekable();
    while before.next_if(|byte| is_blank(*byte)).is_some() {}
    while before.next_if(u8::is_ascii_digit).is_some() {}
    while before.next_if(|byte| is_blank(*byte)).is_some() {}
    let (mut numbers, mut number, mut place) = (Vec::new(), 0_u64, 1_u64);
    for digit in before.take(DIGITS).take_while(u8::is_ascii_digit) {
        number += u64::from(digit - b'0') * place;
        place *= 10;
        if let Ok(number) = u32::try_from(number) {
            numbers.push(number);
        }
    }
    numbers
}

/// Whether a stream may be taken for one that holds objects.
fn is_holder(dict: &Dict<'_>) -> bool {
    !is_picture(dict) && dict.contains_key("N") && dict.contains_key("First")
}

/// How many objects a stream names where it is taken for a table of them.
fn names(dict: &Dict<'_>, bytes: usize) -> usize {
    let Some(widths) = dict.get::<Array<'_>>("W") else { return 0 };
    let row: usize = widths.iter::<u8>().map(usize::from).sum();
    bytes / row.max(1)
}

/// What follows the keyword of a stream, where one stands here.
fn body_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    match bytes.get(at..)?.strip_prefix(KEYWORD)? {
        [b'\r', b'\n', body @ ..] | [b'\n' | b'\r', body @ ..] => Some(body),
        _ => None,
    }
}

/// Keywords of streams that are no object's, behind dictionaries. A search for lost objects would take some of them for
/// what holds objects.
fn strays(bytes: &[u8], known: &[usize]) -> Vec<usize> {
    let is_one = |at: &usize| {
        // First of all: what ends its line is alone in it, so no line is looked back over twice.
        if body_at(bytes, *at).is_none() {
            return false;
        }
        let before = bytes.get(..*at).unwrap_or_default();
        let ends = before.iter().rposition(|byte| !is_blank(*byte)).map_or(0, |last| last + 1);
        let own = before.get(..ends).unwrap_or_default();
        let mut line = own.iter().rev().take_while(|byte| !matches!(byte, b'\n' | b'\r'));
        let is_apart = ends < before.len() || own.ends_with(b">>");
        let follows = own.ends_with(b">>") || line.any(|byte| *byte == b'%');
        is_apart && follows && known.binary_search(at).is_err()
    };
    memmem::find_iter(bytes, KEYWORD).filter(is_one).collect()
}

/// Refuses a file in which a search for lost objects would not end soon: strings and comments that never end, begun again
/// and again, and streams without ends. The way is the one that hayro goes.
fn check_search(bytes: &[u8], budget: u64) -> Result<(), PdfError> {
    let mut walk = Walk::new(bytes);
    while let Some(byte) = walk.byte() {
        if byte.is_ascii_digit() {
            if walk.head().is_some() {
                let behind = walk.at;
                walk.trivia();
                _ = walk.object();
                walk.at = behind;
            } else {
                walk.while_is(|byte| !is_blank(byte));
            }
        } else if byte == b'<' && walk.dictionary().is_some() {
            let behind = walk.at;
            walk.trivia();
            if walk.takes(KEYWORD).is_some() {
                let rest = walk.rest();
                let far = memmem::find(rest, b"endstream").unwrap_or(rest.len());
                walk.steps += u64::try_from(far).unwrap_or(u64::MAX);
            }
            walk.at = behind;
        } else if walk.while_is(|byte| !is_blank(byte)) == 0 {
            walk.at += 1;
        }
        narrow(&walk)?;
        within(walk.steps, budget)?;
    }
    Ok(())
}

/// Refuses a file with a trailer that is too much: a table may be followed by one wherever it stands.
fn check_trailers(bytes: &[u8], budget: u64) -> Result<(), PdfError> {
    let mut walk = Walk::new(bytes);
    for found in memmem::find_iter(bytes, b"trailer") {
        walk.at = found + b"trailer".len();
        walk.trivia();
        _ = walk.dictionary();
        narrow(&walk)?;
        within(walk.steps, budget)?;
    }
    Ok(())
}

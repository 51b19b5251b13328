//! How much a stream unpacks to, before it is unpacked: hayro's decoders bound nothing. The same steps are taken as they
//! take, on damaged streams too, and nothing is written.
//!
//! Source: ISO 32000-1, 7.4; RFC 1951. What breaks their rules is read as hayro reads it; a test compares both.

use super::source::Source;
use crate::deflate;
use hayro_font::hayro_syntax::object::{Array, Dict, FromBytes, MaybeRef, Name, Object, Stream};
use std::borrow::Cow;

/// Filters of one stream.
const MAX_FILTERS: usize = 4;
/// Bytes of a row that a predictor puts together.
const MAX_ROW: usize = 1 << 20;
/// Entries of tables that take as long to write as to go over a byte.
const ENTRIES_A_STEP: usize = 4;

/// How much a stream unpacks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// To so many bytes at most, for which so many were read, in so many steps.
    Is { given: usize, taken: usize, steps: usize },
    /// To more than may be.
    Beyond,
    /// Within so many steps that it is not waited for: of pieces that hold nearly nothing.
    Endless,
    /// That cannot be known, and it is not to be unpacked: its filters stand elsewhere, or want what no file needs.
    Unknown,
}

impl Size {
    const NOTHING: Size = Size::Is { given: 0, taken: 0, steps: 0 };
}

/// What a stream of a file packs, where that is no more than `most` bytes: those for which the file was checked.
pub fn unpacked<'a>(
    stream: &Stream<'a>,
    most: usize,
    file: &Source,
) -> Result<Cow<'a, [u8]>, Size> {
    let own = match stream.raw_data() {
        // To count it once more would take as long as to unpack it.
        Cow::Borrowed(body) if file.has_counted(stream.dict(), body) => Size::NOTHING,
        body => size(stream.dict(), &body, most),
    };
    match own {
        Size::Is { .. } => stream.decoded_data().map_err(|_| Size::NOTHING),
        other => Err(other),
    }
}

/// Whether what a stream packs is what one filter makes of its body, or is its body as it stands.
pub fn is_packed_once(dict: &Dict<'_>) -> bool {
    filters(dict).is_some_and(|filters| filters.len() <= 1)
}

/// How much what begins at a place unpacks to, with the dictionary of its stream. It may have more bytes behind it than
/// are its own.
pub fn size(dict: &Dict<'_>, body: &[u8], most: usize) -> Size {
    let Some(filters) = filters(dict) else { return Size::Unknown };
    if filters.len() > MAX_FILTERS {
        return Size::Unknown;
    }
    if filters.iter().any(|(filter, _)| *filter == Filter::Picture) {
        return Size::NOTHING;
    }
    let mut body = Cow::Borrowed(body);
    let (mut all, mut read, mut steps) = (0, 0, 0);
    for (at, (filter, parameters)) in filters.iter().enumerate() {
        let counted = match filter {
            // The first is undone with the encryption of the file.
            Filter::Crypt if at == 0 => continue,
            // What comes before it is unpacked all the same.
            Filter::Crypt | Filter::Picture => break,
            Filter::Packed(packed) => packed.count(&body, most),
        };
        let Some((given, taken, more)) = counted else { return Size::Endless };
        (read, steps) = (read + taken, steps + more);
        all = given.max(all);
        if given > most {
            return Size::Beyond;
        }
        if at + 1 == filters.len() {
            break;
        }
        // The next filter reads what this one gives.
        let own = body.get(..taken).unwrap_or_default();
        let Filter::Packed(packed) = filter else { continue };
        match packed.unpack(*parameters, own) {
            Some(next) => body = Cow::Owned(next),
            None => break,
        }
    }
    Size::Is { given: all, taken: read, steps }
}

/// What a stream of a file packs that was counted, wherever it is said to end; none for what hayro does not unpack.
pub fn whole(dict: &Dict<'_>, body: &[u8], most: usize) -> Option<Vec<u8>> {
    let mut body = Cow::Borrowed(body);
    for (at, (filter, parameters)) in filters(dict)?.iter().enumerate() {
        let packed = match filter {
            Filter::Crypt if at == 0 => continue,
            Filter::Crypt | Filter::Picture => return None,
            Filter::Packed(packed) => packed,
        };
        let (_, taken, _) = packed.count(&body, most)?;
        body = Cow::Owned(packed.unpack(*parameters, body.get(..taken)?)?);
    }
    Some(body.into_owned())
}

/// A filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filter {
    Packed(Packed),
    /// Of pictures, which nobody unpacks.
    Picture,
    Crypt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packed {
    Hex,
    Base85,
    Lzw,
    Flate,
    RunLength,
}

impl Filter {
    fn of(name: &[u8]) -> Option<Filter> {
        Some(match name {
            b"ASCIIHexDecode" | b"AHx" => Filter::Packed(Packed::Hex),
            b"ASCII85Decode" | b"A85" => Filter::Packed(Packed::Base85),
            b"LZWDecode" | b"LZW" => Filter::Packed(Packed::Lzw),
            b"FlateDecode" | b"Fl" => Filter::Packed(Packed::Flate),
            b"RunLengthDecode" | b"RL" => Filter::Packed(Packed::RunLength),
            b"CCITTFaxDecode" | b"CCF" | b"JBIG2Decode" | b"DCTDecode" | b"DCT" | b"JPXDecode" => {
                Filter::Picture
            }
            b"Crypt" => Filter::Crypt,
            _ => return None,
        })
    }
}

/// What a filter is told.
#[derive(Debug, Clone, Copy)]
struct Parameters {
    predictor: u8,
    colors: u8,
    bits: u8,
    columns: usize,
    early: u8,
}

/// The filters of a stream in their order; none where they cannot be known.
fn filters(dict: &Dict<'_>) -> Option<Vec<(Filter, Parameters)>> {
    let none = Dict::empty();
    for key in ["F", "Filter"] {
        if let Some(filter) = value::<Name<'_>>(dict, key)?.and_then(|name| Filter::of(&name)) {
            let parameters = match value::<Dict<'_>>(dict, "DP")? {
                None => value::<Dict<'_>>(dict, "DecodeParms")?,
                own => own,
            };
            return Some(vec![(filter, parameters_of(parameters.as_ref().unwrap_or(&none))?)]);
        }
    }
    let array = |keys: [&str; 2]| {
        Some(match value::<Array<'_>>(dict, keys[0])? {
            None => value::<Array<'_>>(dict, keys[1])?,
            own => own,
        })
    };
    let Some(names) = array(["F", "Filter"])? else { return Some(Vec::new()) };
    let mut parameters = array(["DP", "DecodeParms"])?.map(|all| all.raw_iter());
    let mut filters = Vec::new();
    for name in names.raw_iter() {
        let own = match parameters.as_mut().and_then(Iterator::next) {
            Some(MaybeRef::NotRef(own)) => own.into_dict(),
            Some(MaybeRef::Ref(_)) => return None,
            None => None,
        };
        let MaybeRef::NotRef(name) = name else { return None };
        // hayro takes the rest for none.
        let Some(name) = name.into_name() else { break };
        if let Some(filter) = Filter::of(&name) {
            filters.push((filter, parameters_of(own.as_ref().unwrap_or(&none))?));
        }
    }
    Some(filters)
}

/// What a dictionary says of a key; none where it refers to what is not there.
fn value<'a, T>(dict: &Dict<'a>, key: &str) -> Option<Option<T>>
where
    T: TryFrom<Object<'a>>,
{
    match dict.get_raw::<Object<'_>>(key) {
        None => Some(None),
        Some(MaybeRef::NotRef(object)) => Some(object.try_into().ok()),
        Some(MaybeRef::Ref(_)) => dict.get::<Object<'_>>(key).map(|object| object.try_into().ok()),
    }
}

/// None for parameters with which no row can be put together.
fn parameters_of(dict: &Dict<'_>) -> Option<Parameters> {
    let own = Parameters {
        predictor: value(dict, "Predictor")?.unwrap_or(1),
        colors: value(dict, "Colors")?.unwrap_or(1),
        bits: value(dict, "BitsPerComponent")?.unwrap_or(8),
        columns: value(dict, "Columns")?.unwrap_or(1),
        early: value(dict, "EarlyChange")?.unwrap_or(1),
    };
    let bits = usize::from(own.colors) * usize::from(own.bits);
    let row = own.columns.checked_mul(bits)? / 8;
    let has_rows = own.columns > 0 && (1..=usize::from(u8::MAX)).contains(&bits) && row <= MAX_ROW;
    (own.predictor == 1 || has_rows).then_some(own)
}

impl Packed {
    /// How many bytes are given for how many, no further than beyond `most`, and in how many steps; none: in too many.
    fn count(self, body: &[u8], most: usize) -> Option<(usize, usize, usize)> {
        let (given, taken) = match self {
            Packed::Hex => {
                let taken = body.iter().position(|byte| *byte == b'>').unwrap_or(body.len());
                (taken.div_ceil(2), taken)
            }
            Packed::Base85 => {
                let taken = body.iter().position(|byte| *byte == b'~').unwrap_or(body.len());
                let own = body.get(..taken).unwrap_or_default();
                let zeros = own.iter().filter(|byte| **byte == b'z').count();
                (taken.div_ceil(5) * 4 + zeros * 4, taken)
            }
            // How far apart two lengths of codes begin is told in its parameters, or not: whatever is more.
            Packed::Lzw => lzw(body, most, true).max(lzw(body, most, false)),
            Packed::Flate => {
                let counted = deflate::count(body, most);
                let steps = counted.taken + counted.tables / ENTRIES_A_STEP;
                let is_too_much = deflate::has_too_many_tables(&counted);
                return (!is_too_much).then_some((counted.given, counted.taken, steps));
            }
            Packed::RunLength => run_lengths(body, most),
        };
        Some((given, taken, taken))
    }

    /// What one filter alone makes of bytes.
    fn unpack(self, parameters: Parameters, body: &[u8]) -> Option<Vec<u8>> {
        let name = match self {
            Packed::Hex => "ASCIIHexDecode",
            Packed::Base85 => "ASCII85Decode",
            Packed::Lzw => "LZWDecode",
            Packed::Flate => "FlateDecode",
            Packed::RunLength => "RunLengthDecode",
        };
        let Parameters { predictor, colors, bits, columns, early } = parameters;
        let mut file = format!(
            "<< /Length {} /Filter /{name} /DecodeParms << /Predictor {predictor} /Colors {colors} /BitsPerComponent {bits} \
             /Columns {columns} /EarlyChange {early} >> >>\nstream\n",
            body.len()
        )
        .into_bytes();
        file.extend_from_slice(body);
        file.extend_from_slice(b"\nendstream");
        Stream::from_bytes(&file)?.decoded_data().ok().map(Cow::into_owned)
    }
}

/// Codes of LZW that say no bytes.
const CLEAR: usize = 256;
const END: usize = 257;
const ENTRIES: usize = 4_096;

fn lzw(body: &[u8], most: usize, is_early: bool) -> (usize, usize) {
    // How long what each code says is.
    let mut known: Vec<usize> = vec![1; 258];
    let (mut bits, mut held) = (0_u32, 0_u32);
    let (mut given, mut taken) = (0_usize, 0_usize);
    let mut last: Option<usize> = None;
    loop {
        let wide = match known.len() + usize::from(is_early) {
            2_048.. => 12,
            1_024.. => 11,
            512.. => 10,
            _ => 9,
        };
        while held < wide {
            let Some(byte) = body.get(taken) else { return (given, taken) };
            bits = bits << 8 | u32::from(*byte);
            held += 8;
            taken += 1;
        }
        held -= wide;
        let code = usize::try_from(bits >> held & ((1 << wide) - 1)).unwrap_or(END);
        bits &= (1 << held) - 1;
        match code {
            CLEAR => {
                known.truncate(258);
                last = None;
                continue;
            }
            END => return (given, taken),
            _ => {}
        }
        let length = last.and_then(|last| known.get(last)).map(|length| length + 1);
        match (known.get(code), length) {
            (Some(said), new) => {
                given += said;
                if let Some(new) = new
                    && known.len() < ENTRIES
                {
                    known.push(new);
                }
            }
            (None, Some(new)) if code == known.len() && known.len() < ENTRIES => {
                given += new;
                known.push(new);
            }
            _ => return (given, taken),
        }
        if given > most {
            return (given, taken);
        }
        last = Some(code);
    }
}

fn run_lengths(body: &[u8], most: usize) -> (usize, usize) {
    let (mut given, mut taken) = (0_usize, 0_usize);
    while let Some(length) = body.get(taken).copied().map(usize::from) {
        taken += 1;
        match length {
            128 => break,
            0..128 => {
                given += length + 1;
                taken += length + 1;
            }
            _ => {
                given += 257 - length;
                taken += 1;
            }
        }
        if given > most {
            break;
        }
    }
    (given, taken.min(body.len()))
}

#[cfg(test)]
mod tests;

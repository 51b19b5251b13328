//! The fonts of a file, and what their codes say: each is looked up once, however often it is written.

use super::charset::Charset;
use super::guard::MAX_STREAM;
use super::kind::is_picture;
use super::unpack;
use hayro_font::hayro_cmap::BfString;
use hayro_font::hayro_syntax::object::{Array, Dict, Name, Stream};
use hayro_font::{CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Font units of one em.
const UNITS: f64 = 1000.0;
/// Codes that lie beside one another in a table.
const ROW: usize = 256;
/// Codes beyond are looked up each time: no font of a file that people wrote has any.
const MOST: usize = 1 << 16;
/// Rows of all tables of a file, of 8 KiB each.
const MOST_ROWS: usize = 4_096;

/// Codes of one font of which a width is said: as many as two bytes write, and some said twice.
const MAX_WIDTHS: usize = 1 << 18;
/// The same of one with codes of a byte.
const MAX_FIRST: usize = 1 << 16;
/// Bytes of all fonts that are open at once, those of maps and widths four times: they become more than they are.
const MAX_OPEN: usize = 64 << 20;

/// What a font reads of its codes when it is opened, which may be packed.
const MAPS: [&str; 2] = ["ToUnicode", "Encoding"];
/// The streams that a font, what it is made of, and their descriptors may have unpacked.
const STREAMS: [&str; 6] =
    ["ToUnicode", "Encoding", "CIDToGIDMap", "FontFile", "FontFile2", "FontFile3"];

/// The fonts of one file.
pub struct Fonts<'a> {
    cache: FontCache<'a>,
    standard: FontResolverFn,
    no_cmaps: CMapResolverFn,
    /// By where their dictionaries lie in the file.
    open: BTreeMap<(usize, usize), Option<Rc<OpenFont<'a>>>>,
    /// Rows that all tables have.
    rows: Rc<Cell<usize>>,
    /// Bytes of maps and widths that were read for those that are open, and of files of letters.
    read: usize,
    /// What streams take that were measured, by where their dictionaries lie; none for what is not unpacked.
    measured: BTreeMap<(usize, usize), Option<usize>>,
    /// Whether one is left out because of what it would take.
    is_cut: bool,
}

impl<'a> Fonts<'a> {
    pub fn new() -> Self {
        let standard: FontResolverFn = Arc::new(|query| {
            Some(match query {
                FontQuery::Standard(font) => font.get_font_data(),
                FontQuery::Fallback(query) => query.pick_standard_font().get_font_data(),
            })
        });
        let no_cmaps: CMapResolverFn = Arc::new(|_| None);
        Self {
            cache: FontCache::new(),
            standard,
            no_cmaps,
            open: BTreeMap::new(),
            rows: Rc::default(),
            read: 0,
            measured: BTreeMap::new(),
            is_cut: false,
        }
    }

    /// Whether a font is left out because of what it would take.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether the font of a dictionary is open.
    pub fn has(&self, dict: &Dict<'a>) -> bool {
        self.open.contains_key(&place(dict))
    }

    /// The font of a dictionary, and how many bytes had to be unpacked to open it.
    pub fn open(&mut self, dict: &Dict<'a>) -> (Option<Rc<OpenFont<'a>>>, usize) {
        self.make_room();
        let place = place(dict);
        if let Some(font) = self.open.get(&place) {
            return (font.clone(), 0);
        }
        let fonts = made_of(dict);
        if has_picture(&fonts) {
            self.open.insert(place, None);
            return (None, 0);
        }
        let Some((maps, files, widths)) = self.measure(dict, &fonts) else {
            self.is_cut = true;
            self.open.insert(place, None);
            return (None, 0);
        };
        let read = maps + widths;
        self.read += read * 4 + files;
        if self.read > MAX_OPEN {
            // Those that are written with go on; others are opened again.
            (self.open, self.cache) = (BTreeMap::new(), FontCache::new());
            self.read = read * 4 + files;
        }
        let font = self.cache.font(dict, &self.standard, &self.no_cmaps);
        let font = font.map(Letters::Font).or_else(|| of_charset(dict));
        let font = font.map(|font| Rc::new(OpenFont::new(font, self.rows.clone())));
        self.open.insert(place, font.clone());
        (font, read)
    }

    /// Bytes that the maps of a font unpack to, those that its files do, and those that its widths take. To read a map
    /// takes longer than to unpack it. None for what is too much.
    fn measure(&mut self, dict: &Dict<'a>, fonts: &[Dict<'a>]) -> Option<(usize, usize, usize)> {
        let widths = widths(fonts)?;
        let maps: Option<usize> = MAPS
            .iter()
            .filter_map(|key| dict.get::<Stream<'a>>(*key))
            .map(|map| self.measured(&map))
            .sum();
        let files: Option<usize> = streams(fonts).map(|file| self.measured(&file)).sum();
        Some((maps?, files?, widths))
    }

    fn measured(&mut self, stream: &Stream<'a>) -> Option<usize> {
        let measure = || match unpack::size(stream.dict(), &stream.raw_data(), MAX_STREAM) {
            unpack::Size::Is { given, .. } => Some(given),
            unpack::Size::Beyond | unpack::Size::Endless | unpack::Size::Unknown => None,
        };
        *self.measured.entry(place(stream.dict())).or_insert_with(measure)
    }

    /// Forgets what is known of all codes when the tables are full: the fonts of the pages to come are others.
    fn make_room(&self) {
        if self.rows.get() >= MOST_ROWS {
            self.open.values().flatten().for_each(|font| font.known.borrow_mut().clear());
            self.rows.set(0);
        }
    }
}

/// A font whose codes are letters of a character set. Its own widths stand by numbers that a table gives to the codes,
/// which is not at hand.
fn of_charset<'a>(dict: &Dict<'a>) -> Option<Letters<'a>> {
    let charset = Charset::named(&dict.get::<Name<'_>>("Encoding")?)?;
    let wide = made_of(dict).get(1).and_then(|inner| inner.get::<f32>("DW"));
    Some(Letters::Charset(charset, wide.map_or(1.0, |wide| f64::from(wide) / UNITS)))
}

/// A font, and the one that it is made of.
fn made_of<'a>(dict: &Dict<'a>) -> Vec<Dict<'a>> {
    let inner = dict.get::<Array<'_>>("DescendantFonts");
    let inner = inner.and_then(|all| all.iter::<Dict<'_>>().next());
    [Some(dict.clone()), inner].into_iter().flatten().collect()
}

/// The streams that fonts and their descriptors may have unpacked.
fn streams<'a>(fonts: &[Dict<'a>]) -> impl Iterator<Item = Stream<'a>> {
    let dicts = fonts.iter().flat_map(|font| {
        let descriptor = font.get::<Dict<'a>>("FontDescriptor");
        [Some(font.clone()), descriptor].into_iter().flatten()
    });
    dicts.flat_map(|dict| STREAMS.into_iter().filter_map(move |key| dict.get::<Stream<'a>>(key)))
}

/// Whether a font says of a picture that it holds its letters or their names.
fn has_picture(fonts: &[Dict<'_>]) -> bool {
    streams(fonts).any(|stream| is_picture(stream.dict()))
}

/// How many bytes the widths of a font take, about; none where it says a width of more codes than there are. A range of
/// codes is a few bytes in the file, and an entry for each code when it was read.
fn widths(fonts: &[Dict<'_>]) -> Option<usize> {
    let mut codes = 0_usize;
    for font in fonts {
        let first = font.get::<usize>("FirstChar").unwrap_or_default();
        if first > MAX_FIRST {
            return None;
        }
        let each = font.get::<Array<'_>>("Widths").map_or(0, |widths| widths.data().len() / 2);
        let ranges = ["W", "W2"].into_iter().map(|key| {
            font.get::<Array<'_>>(key).map_or(Some(0), |widths| ranges(&widths, key == "W2"))
        });
        codes += first + each + ranges.sum::<Option<usize>>()?;
    }
    (codes <= MAX_WIDTHS).then_some(codes * 4)
}

/// Codes of which an array says a width, or three numbers where they are written `downwards`.
fn ranges(widths: &Array<'_>, downwards: bool) -> Option<usize> {
    let mut codes = 0_usize;
    let mut widths = widths.flex_iter();
    while codes <= MAX_WIDTHS {
        if let Some((_, each)) = widths.next::<(u32, Array<'_>)>() {
            codes += each.data().len() / 2;
            continue;
        }
        let range = if downwards {
            widths.next::<(u32, u32, f32, f32, f32)>().map(|(first, last, ..)| (first, last))
        } else {
            widths.next::<(u32, u32, f32)>().map(|(first, last, _)| (first, last))
        };
        let Some((first, last)) = range else { return Some(codes) };
        codes += usize::try_from(last.saturating_sub(first)).ok()?.min(MAX_WIDTHS) + 1;
    }
    None
}

/// Where a dictionary lies in the file, or in what was unpacked of it.
fn place(dict: &Dict<'_>) -> (usize, usize) {
    let data = dict.data();
    (data.as_ptr().addr(), data.len())
}

/// What a code writes.
#[derive(Clone)]
pub struct Sign {
    /// None for one whose name is not known.
    pub text: Option<BfString>,
    /// How far it goes, of one em.
    pub advance: f64,
}

type Row = Vec<Option<Sign>>;

/// Where it is known from what codes write.
enum Letters<'a> {
    Font(Font<'a>),
    /// And how far its wide letters go.
    Charset(Charset, f64),
}

/// A font, with what is known of its codes.
pub struct OpenFont<'a> {
    font: Letters<'a>,
    known: RefCell<Vec<Row>>,
    /// Of all fonts of the file.
    rows: Rc<Cell<usize>>,
}

impl<'a> OpenFont<'a> {
    fn new(font: Letters<'a>, rows: Rc<Cell<usize>>) -> Self {
        Self { font, known: RefCell::default(), rows }
    }

    /// The code that begins at a byte, and its length, which is not 0.
    pub fn code(&self, bytes: &[u8], at: usize) -> (u32, usize) {
        match &self.font {
            Letters::Font(font) => {
                let (code, length) = font.read_code(bytes, at);
                (code, length.max(1))
            }
            Letters::Charset(charset, _) => charset.code(bytes.get(at..).unwrap_or_default()),
        }
    }

    /// Hands on what a code writes.
    pub fn with<T>(&self, code: u32, take: impl FnOnce(&Sign) -> T) -> T {
        let at = usize::try_from(code).unwrap_or(MOST);
        if at >= MOST {
            return take(&self.look_up(code));
        }
        let (row, column) = (at / ROW, at % ROW);
        let mut known = self.known.borrow_mut();
        if known.get(row).is_none_or(Vec::is_empty) && self.rows.get() < MOST_ROWS {
            self.rows.set(self.rows.get() + 1);
            let length = known.len().max(row + 1);
            known.resize(length, Row::new());
            if let Some(row) = known.get_mut(row) {
                row.resize(ROW, None);
            }
        }
        match known.get_mut(row).and_then(|row| row.get_mut(column)) {
            Some(place) => take(place.get_or_insert_with(|| self.look_up(code))),
            None => take(&self.look_up(code)),
        }
    }

    fn look_up(&self, code: u32) -> Sign {
        let font = match &self.font {
            Letters::Font(font) => font,
            Letters::Charset(charset, wide) => {
                let text = charset.text(code);
                let advance = charset.advance(text.as_ref(), *wide);
                return Sign { text, advance };
            }
        };
        let text = match font.glyph(font.map_code(code), code) {
            FontGlyph::Outline(glyph) => glyph.as_unicode(),
            FontGlyph::Type3(glyph) => glyph.as_unicode(),
        };
        Sign { text, advance: font.code_advance(code).x / UNITS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_font::hayro_syntax::object::FromBytes;

    /// One of two bytes a code, which names no file.
    fn font(number: usize) -> String {
        format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /F{number} /Encoding /Identity-H /DescendantFonts [<< /Type \
             /Font /Subtype /CIDFontType2 /BaseFont /F{number} /FontDescriptor << /FontName /F{number} /Flags 4 >> >>] >>"
        )
    }

    fn rows(fonts: &Fonts<'_>) -> usize {
        let of = |font: &Rc<OpenFont<'_>>| {
            font.known.borrow().iter().filter(|row| !row.is_empty()).count()
        };
        fonts.open.values().flatten().map(of).sum()
    }

    #[test]
    fn what_is_known_of_codes_is_bounded_however_many_fonts_a_file_has() {
        let written: Vec<String> = (0..40).map(font).collect();
        let mut fonts = Fonts::new();
        let mut open = Vec::new();
        for dict in &written {
            let dict = Dict::from_bytes(dict.as_bytes()).unwrap();
            open.push(fonts.open(&dict).0.unwrap());
        }
        // None is opened again meanwhile, as where saved states are taken back.
        for font in &open {
            for code in (0..1 << 16).step_by(ROW) {
                let advance = font.with(code, |sign| sign.advance);
                assert!((advance - font.look_up(code).advance).abs() < f64::EPSILON, "{code}");
            }
        }
        assert_eq!(rows(&fonts), MOST_ROWS);
        // The next that is opened has a table again.
        let last = Dict::from_bytes(written[39].as_bytes()).unwrap();
        fonts.open(&last).0.unwrap().with(7, |_| ());
        assert_eq!((rows(&fonts), fonts.rows.get()), (1, 1));
    }
}

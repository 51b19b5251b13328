//! The fonts of a file, and what their codes say: each is looked up once, however often it is written.

use hayro_font::hayro_cmap::BfString;
use hayro_font::hayro_syntax::object::{Dict, Stream};
use hayro_font::{CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Font units of one em.
const UNITS: f64 = 1000.0;
/// Codes that lie beside one another in a table.
const ROW: usize = 256;
/// Codes beyond are looked up each time: no font of a file that people wrote has any.
const MOST: usize = 1 << 16;

/// What a font reads of its codes when it is opened, which may be packed.
const MAPS: [&str; 2] = ["ToUnicode", "Encoding"];

/// The fonts of one file.
pub struct Fonts<'a> {
    cache: FontCache<'a>,
    standard: FontResolverFn,
    no_cmaps: CMapResolverFn,
    /// By where their dictionaries lie in the file.
    open: BTreeMap<(usize, usize), Option<Rc<OpenFont<'a>>>>,
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
        Self { cache: FontCache::new(), standard, no_cmaps, open: BTreeMap::new() }
    }

    /// Whether the font of a dictionary is open.
    pub fn has(&self, dict: &Dict<'a>) -> bool {
        self.open.contains_key(&place(dict))
    }

    /// The font of a dictionary, and how many bytes had to be unpacked to open it.
    pub fn open(&mut self, dict: &Dict<'a>) -> (Option<Rc<OpenFont<'a>>>, usize) {
        let place = place(dict);
        if let Some(font) = self.open.get(&place) {
            return (font.clone(), 0);
        }
        // Counted before it is read: to read a map takes longer than to unpack it.
        let length = |key: &&str| {
            let map = dict.get::<Stream<'_>>(*key)?;
            Some(map.decoded_data().ok()?.len())
        };
        let unpacked = MAPS.iter().filter_map(length).sum();
        let font = self.cache.font(dict, &self.standard, &self.no_cmaps);
        let font = font.map(|font| Rc::new(OpenFont::new(font)));
        self.open.insert(place, font.clone());
        (font, unpacked)
    }
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

/// A font, with what is known of its codes.
pub struct OpenFont<'a> {
    font: Font<'a>,
    known: RefCell<Vec<Row>>,
}

impl<'a> OpenFont<'a> {
    fn new(font: Font<'a>) -> Self {
        Self { font, known: RefCell::default() }
    }

    /// The code that begins at a byte, and its length, which is not 0.
    pub fn code(&self, bytes: &[u8], at: usize) -> (u32, usize) {
        let (code, length) = self.font.read_code(bytes, at);
        (code, length.max(1))
    }

    /// Hands on what a code writes.
    pub fn with<T>(&self, code: u32, take: impl FnOnce(&Sign) -> T) -> T {
        let at = usize::try_from(code).unwrap_or(MOST);
        if at >= MOST {
            return take(&self.look_up(code));
        }
        let (row, column) = (at / ROW, at % ROW);
        let mut known = self.known.borrow_mut();
        if known.len() <= row {
            known.resize(row + 1, Row::new());
        }
        let Some(row) = known.get_mut(row) else { return take(&self.look_up(code)) };
        if row.is_empty() {
            row.resize(ROW, None);
        }
        match row.get_mut(column) {
            Some(place) => take(place.get_or_insert_with(|| self.look_up(code))),
            None => take(&self.look_up(code)),
        }
    }

    fn look_up(&self, code: u32) -> Sign {
        let text = match self.font.glyph(self.font.map_code(code), code) {
            FontGlyph::Outline(glyph) => glyph.as_unicode(),
            FontGlyph::Type3(glyph) => glyph.as_unicode(),
        };
        Sign { text, advance: self.font.code_advance(code).x / UNITS }
    }
}

//! What is written on a page: the text operators of its content stream, and of the forms it draws.
//!
//! Source: ISO 32000-1, 8.4 (graphics state), 8.10 (forms), 9.3 and 9.4 (text).

use super::lines::{Letter, Lines};
use hayro_font::hayro_cmap::BfString;
use hayro_font::hayro_syntax::content::UntypedIter;
use hayro_font::hayro_syntax::object::{Array, Dict, Name, Object, Stream};
use hayro_font::hayro_syntax::page::{Page, Resources};
use hayro_font::{CMapResolverFn, FontResolverFn};
use hayro_font::{Font, FontCache, FontGlyph, FontQuery};
use std::sync::Arc;

const MAX_DEPTH: usize = 20;
const MAX_SAVED: usize = 200;
/// Font units of one em.
const UNITS: f64 = 1000.0;

/// Reads the pages of one file.
pub struct Writing<'a> {
    fonts: FontCache<'a>,
    standard_fonts: FontResolverFn,
    no_cmaps: CMapResolverFn,
    /// Instructions and letters that may be, and instructions that were.
    most: usize,
    instructions: usize,
    exhausted: bool,
}

impl<'a> Writing<'a> {
    pub fn new(most: usize) -> Self {
        let standard_fonts: FontResolverFn = Arc::new(|query| {
            Some(match query {
                FontQuery::Standard(font) => font.get_font_data(),
                FontQuery::Fallback(query) => query.pick_standard_font().get_font_data(),
            })
        });
        let no_cmaps: CMapResolverFn = Arc::new(|_| None);
        Self {
            fonts: FontCache::new(),
            standard_fonts,
            no_cmaps,
            most,
            instructions: 0,
            exhausted: false,
        }
    }

    /// Whether the file has more instructions or letters than are followed.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Reads a page.
    pub fn read(&mut self, page: &Page<'a>, lines: &mut Lines) {
        let content = page.page_stream().unwrap_or_default();
        self.content(content, page.resources(), &mut State::default(), lines, 0);
    }

    fn content(
        &mut self,
        content: &[u8],
        resources: &Resources<'a>,
        state: &mut State<'a>,
        lines: &mut Lines,
        depth: usize,
    ) {
        let mut saved: Vec<State<'a>> = Vec::new();
        let mut instructions = UntypedIter::new(content);
        while let Some(instruction) = instructions.next() {
            self.instructions += 1;
            if self.instructions >= self.most || lines.letters() >= self.most {
                self.exhausted = true;
                return;
            }
            let operands: Vec<&Object<'_>> = instruction.operands().take(8).collect();
            match instruction.operator.as_ref() {
                b"q" if saved.len() < MAX_SAVED => saved.push(state.clone()),
                b"Q" => *state = saved.pop().unwrap_or_else(|| state.clone()),
                b"Tf" => state.font = self.font(&operands, resources, state),
                b"Do" if depth < MAX_DEPTH => {
                    self.form(&operands, resources, state, lines, depth);
                }
                b"Tj" => show(state, operands.first().copied(), lines),
                b"'" => {
                    state.next_line(0.0, -state.leading);
                    show(state, operands.first().copied(), lines);
                }
                b"\"" => {
                    (state.word_space, state.char_space) =
                        (number(&operands, 0), number(&operands, 1));
                    state.next_line(0.0, -state.leading);
                    show(state, operands.get(2).copied(), lines);
                }
                b"TJ" => show_all(state, operands.first().copied(), lines),
                operator => state.set(operator, &operands),
            }
        }
    }

    fn font(
        &self,
        operands: &[&Object<'_>],
        resources: &Resources<'a>,
        state: &mut State<'a>,
    ) -> Option<Font<'a>> {
        state.size = number(operands, 1);
        let Some(Object::Name(name)) = operands.first() else { return None };
        let dict = resources.get_font(name)?;
        self.fonts.font(&dict, &self.standard_fonts, &self.no_cmaps)
    }

    fn form(
        &mut self,
        operands: &[&Object<'_>],
        resources: &Resources<'a>,
        state: &State<'a>,
        lines: &mut Lines,
        depth: usize,
    ) {
        let Some(Object::Name(name)) = operands.first() else { return };
        let Some(form) = resources.get_x_object(name).filter(is_form) else { return };
        let Ok(content) = form.decoded() else { return };
        let mut inner = state.clone();
        if let Some(matrix) = form.dict().get::<Array<'_>>("Matrix") {
            let numbers: Vec<f64> = matrix.iter::<f32>().map(f64::from).collect();
            if let Ok(matrix) = <[f64; 6]>::try_from(numbers) {
                inner.page = Matrix(matrix).then(inner.page);
            }
        }
        let own = form.dict().get::<Dict<'a>>("Resources").map(Resources::new);
        self.content(&content, own.as_ref().unwrap_or(resources), &mut inner, lines, depth + 1);
    }
}

fn is_form(stream: &Stream<'_>) -> bool {
    stream.dict().get::<Name<'_>>("Subtype").is_some_and(|kind| kind.as_ref() == b"Form")
}

fn number(operands: &[&Object<'_>], at: usize) -> f64 {
    match operands.get(at) {
        Some(Object::Number(number)) => number.as_f64(),
        _ => 0.0,
    }
}

fn matrix(operands: &[&Object<'_>]) -> Matrix {
    Matrix(std::array::from_fn(|at| number(operands, at)))
}

/// Shows strings, with steps between them.
fn show_all(state: &mut State<'_>, operand: Option<&Object<'_>>, lines: &mut Lines) {
    let Some(Object::Array(array)) = operand else { return };
    for item in array.iter::<Object<'_>>() {
        match item {
            Object::Number(step) => {
                state.advance(-step.as_f64() / UNITS * state.size * state.stretch);
            }
            item => show(state, Some(&item), lines),
        }
    }
}

fn show(state: &mut State<'_>, operand: Option<&Object<'_>>, lines: &mut Lines) {
    let (Some(Object::String(string)), Some(font)) = (operand, state.font.clone()) else { return };
    let bytes = string.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let (code, length) = font.read_code(bytes, at);
        at += length.max(1);
        let text = match font.glyph(font.map_code(code), code) {
            FontGlyph::Outline(glyph) => glyph.as_unicode(),
            FontGlyph::Type3(glyph) => glyph.as_unicode(),
        };
        let space = if code == 32 && length == 1 { state.word_space } else { 0.0 };
        let width = font.code_advance(code).x / UNITS * state.size;
        let place = state.text.then(state.page);
        let letter = Letter {
            x: place.0[4],
            y: place.0[5],
            size: place.height() * state.size.abs(),
            width: place.width() * width.abs() * state.stretch.abs(),
        };
        match text {
            Some(BfString::Char(char)) => lines.write(char.encode_utf8(&mut [0; 4]), letter),
            Some(BfString::String(text)) => lines.write(&text, letter),
            None => lines.write("", letter),
        }
        state.advance((width + state.char_space + space) * state.stretch);
    }
}

/// What the text operators set.
#[derive(Clone)]
struct State<'a> {
    /// From user space to the page.
    page: Matrix,
    text: Matrix,
    line: Matrix,
    font: Option<Font<'a>>,
    size: f64,
    char_space: f64,
    word_space: f64,
    stretch: f64,
    leading: f64,
}

impl Default for State<'_> {
    fn default() -> Self {
        Self {
            page: Matrix::SAME,
            text: Matrix::SAME,
            line: Matrix::SAME,
            font: None,
            size: 1.0,
            char_space: 0.0,
            word_space: 0.0,
            stretch: 1.0,
            leading: 0.0,
        }
    }
}

impl State<'_> {
    fn set(&mut self, operator: &[u8], operands: &[&Object<'_>]) {
        let first = || number(operands, 0);
        match operator {
            b"cm" => self.page = matrix(operands).then(self.page),
            b"BT" => (self.text, self.line) = (Matrix::SAME, Matrix::SAME),
            b"Tm" => (self.text, self.line) = (matrix(operands), matrix(operands)),
            b"Td" => self.next_line(first(), number(operands, 1)),
            b"TD" => {
                self.leading = -number(operands, 1);
                self.next_line(first(), number(operands, 1));
            }
            b"T*" => self.next_line(0.0, -self.leading),
            b"TL" => self.leading = first(),
            b"Tc" => self.char_space = first(),
            b"Tw" => self.word_space = first(),
            b"Tz" => self.stretch = first() / 100.0,
            _ => {}
        }
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.line = Matrix([1.0, 0.0, 0.0, 1.0, x, y]).then(self.line);
        self.text = self.line;
    }

    fn advance(&mut self, by: f64) {
        self.text = Matrix([1.0, 0.0, 0.0, 1.0, by, 0.0]).then(self.text);
    }
}

/// An affine map, as PDF writes it.
#[derive(Debug, Clone, Copy)]
struct Matrix([f64; 6]);

impl Matrix {
    const SAME: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// This map, then another.
    fn then(self, next: Self) -> Self {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, next.0);
        Self([
            a * g + b * i,
            a * h + b * j,
            c * g + d * i,
            c * h + d * j,
            e * g + f * i + k,
            e * h + f * j + l,
        ])
    }

    /// How long a step to the right of length 1 is afterwards.
    fn width(self) -> f64 {
        self.0[0].hypot(self.0[1])
    }

    /// How long a step upwards of length 1 is afterwards.
    fn height(self) -> f64 {
        self.0[2].hypot(self.0[3])
    }
}

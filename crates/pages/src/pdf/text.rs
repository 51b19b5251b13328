//! What is written on a page: the text operators of its content stream, and of the forms it draws.
//!
//! Source: ISO 32000-1, 8.4 (graphics state), 8.10 (forms), 9.3 and 9.4 (text).

use super::Limits;
use super::fonts::{Fonts, OpenFont};
use super::guard::{MAX_NAMES, MAX_STREAM};
use super::inline::{has_wide, without_pictures};
use super::kind::{is_form, is_picture};
use super::lines::{Letter, Lines};
use super::source::Source;
use super::unpack::{self, Size};
use crate::pace::Pace;
use hayro_font::hayro_cmap::BfString;
use hayro_font::hayro_syntax::content::{Instruction, UntypedIter};
use hayro_font::hayro_syntax::object::{Array, Dict, Object, Stream};
use hayro_font::hayro_syntax::page::{Page, Resources};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

const MAX_DEPTH: usize = 20;
const MAX_SAVED: usize = 200;
/// Bytes of one page's instructions.
const MAX_CONTENT: usize = 32 << 20;
/// Instructions between two looks at the clock.
const EVERY: usize = 4_096;
/// How long a page is read before others have a turn.
const TURN: Duration = Duration::from_millis(50);
/// Font units of one em.
const UNITS: f64 = 1000.0;

/// Reads the pages of one file.
pub struct Writing<'a, 's> {
    fonts: Fonts<'a>,
    limits: Limits,
    source: &'s Source,
    instructions: usize,
    /// Bytes that were unpacked.
    unpacked: usize,
    /// Instructions that show text, and those that draw forms, so far.
    shown: usize,
    drawn: usize,
    /// Forms, by where they lie in the file, that show no text wherever they are drawn.
    silent: BTreeSet<usize>,
    exhausted: bool,
    /// Whether something is missing of a page: more instructions than are read of one, or a stream that unpacks to more.
    cut: bool,
    /// Whether something was shown with a font that cannot be read.
    unread: bool,
    /// When the last turn of others was over.
    turn: Duration,
}

impl<'a, 's> Writing<'a, 's> {
    pub fn new(limits: Limits, source: &'s Source) -> Self {
        Self {
            fonts: Fonts::new(),
            limits,
            source,
            instructions: 0,
            unpacked: 0,
            shown: 0,
            drawn: 0,
            silent: BTreeSet::new(),
            exhausted: false,
            cut: false,
            unread: false,
            turn: Duration::ZERO,
        }
    }

    /// Whether the file has more instructions or letters than are followed, or unpacks to more, or its time is over.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Whether something is missing of what was read.
    pub fn is_cut(&self) -> bool {
        self.exhausted || self.cut || self.unread || self.fonts.is_cut()
    }

    /// Whether something is missing because of its font: what it writes is not known.
    pub fn is_unread(&self) -> bool {
        self.unread && !self.fonts.is_cut()
    }

    /// Reads a page.
    pub async fn read(&mut self, page: &Page<'a>, lines: &mut Lines, pace: &mut impl Pace) {
        self.turn = (pace.clock())();
        let content = self.page_content(page.raw());
        self.content(content, page.resources(), &mut State::default(), (lines, 0), pace).await;
    }

    /// The instructions of a page, which may lie in several streams, or in one many times.
    fn page_content(&mut self, page: &Dict<'a>) -> Cow<'a, [u8]> {
        if let Some(stream) = page.get::<Stream<'a>>("Contents") {
            return self.unpacked(&stream).unwrap_or_default();
        }
        let mut content = Vec::new();
        let Some(streams) = page.get::<Array<'a>>("Contents") else { return Cow::default() };
        for object in streams.iter::<Object<'a>>() {
            let Object::Stream(stream) = object else { continue };
            if content.len() > MAX_CONTENT {
                self.cut = true;
                break;
            }
            let part = self.unpacked(&stream);
            if self.exhausted {
                break;
            }
            if let Some(part) = part {
                content.extend_from_slice(&part);
                // An instruction does not go on over the end of its stream without a blank.
                content.push(b' ');
            }
        }
        content.into()
    }

    /// What a stream packs; of one behind all that may be unpacked, nothing. Nor of one that says that it is a picture.
    fn unpacked(&mut self, stream: &Stream<'a>) -> Option<Cow<'a, [u8]>> {
        self.may_unpack();
        if self.exhausted || is_picture(stream.dict()) {
            return None;
        }
        match unpack::unpacked(stream, MAX_STREAM, self.source) {
            Ok(content) => {
                self.unpacked += content.len();
                Some(content)
            }
            Err(size) => {
                self.cut |= !matches!(size, Size::Is { .. });
                None
            }
        }
    }

    /// Whether more may be unpacked, and there is time for it.
    fn may_unpack(&mut self) -> bool {
        self.exhausted |= self.unpacked >= self.limits.unpacked || self.source.is_over();
        !self.exhausted
    }

    /// Whether there is time; others have a turn where this took long.
    async fn has_time(&mut self, pace: &mut impl Pace) -> bool {
        self.exhausted |= self.source.is_over();
        if (pace.clock())().saturating_sub(self.turn) > TURN && !self.exhausted {
            pace.pause().await;
            self.turn = (pace.clock())();
        }
        !self.exhausted
    }

    async fn content(
        &mut self,
        content: Cow<'_, [u8]>,
        resources: &Resources<'a>,
        state: &mut State<'a>,
        (lines, depth): (&mut Lines, usize),
        pace: &mut impl Pace,
    ) {
        let content = without_pictures(content);
        if has_wide(&content, MAX_NAMES) {
            self.cut = true;
            return;
        }
        let mut saved: Vec<State<'a>> = Vec::new();
        let mut instructions = UntypedIter::new(&content);
        while let Some(instruction) = instructions.next() {
            self.instructions += 1;
            let most = self.limits.steps;
            self.exhausted |= self.instructions >= most || lines.letters() >= most;
            let operator = instruction.operator.as_ref();
            // What is looked up may be long, and be looked up for each of these.
            let looks =
                matches!(operator, b"Tf" | b"Do") || self.instructions.is_multiple_of(EVERY);
            if self.exhausted || (looks && !self.has_time(pace).await) {
                return;
            }
            let operands = Operands(&instruction);
            match operator {
                b"q" if saved.len() < MAX_SAVED => saved.push(state.clone()),
                b"Q" => *state = saved.pop().unwrap_or_else(|| state.clone()),
                b"Tf" => state.font = self.font(operands, resources, state),
                b"Do" => {
                    let form = self.form(operands, resources, state, (&mut *lines, depth), pace);
                    Box::pin(form).await;
                }
                b"Tj" => self.shows(state, operands.get(0), lines),
                b"'" => {
                    state.next_line(0.0, -state.leading);
                    self.shows(state, operands.get(0), lines);
                }
                b"\"" => {
                    (state.word_space, state.char_space) = (operands.number(0), operands.number(1));
                    state.next_line(0.0, -state.leading);
                    self.shows(state, operands.get(2), lines);
                }
                b"TJ" => self.shows_all(state, operands.get(0), lines),
                operator => state.set(operator, operands),
            }
        }
    }

    fn shows(&mut self, state: &mut State<'a>, operand: Option<&Object<'_>>, lines: &mut Lines) {
        self.shown += 1;
        self.unread |= state.font.is_none() && has_letters(operand);
        show(state, operand, lines, self.limits.steps);
    }

    /// Shows strings, with steps between them.
    fn shows_all(
        &mut self,
        state: &mut State<'a>,
        operand: Option<&Object<'_>>,
        lines: &mut Lines,
    ) {
        self.shown += 1;
        let Some(Object::Array(array)) = operand else { return };
        for item in array.iter::<Object<'_>>() {
            match item {
                Object::Number(step) => {
                    state.advance(-step.as_f64() / UNITS * state.size * state.stretch);
                }
                item => {
                    self.unread |= state.font.is_none() && has_letters(Some(&item));
                    show(state, Some(&item), lines, self.limits.steps);
                }
            }
        }
    }

    fn font(
        &mut self,
        operands: Operands<'_, '_>,
        resources: &Resources<'a>,
        state: &mut State<'a>,
    ) -> Option<Rc<OpenFont<'a>>> {
        state.size = operands.number(1);
        let Some(Object::Name(name)) = operands.get(0) else { return None };
        let dict = resources.get_font(name)?;
        if !self.fonts.has(&dict) && !self.may_unpack() {
            return None;
        }
        let (font, unpacked) = self.fonts.open(&dict);
        self.unpacked += unpacked;
        font
    }

    async fn form(
        &mut self,
        operands: Operands<'_, '_>,
        resources: &Resources<'a>,
        state: &State<'a>,
        (lines, depth): (&mut Lines, usize),
        pace: &mut impl Pace,
    ) {
        self.drawn += 1;
        let Some(Object::Name(name)) = operands.get(0) else { return };
        let Some(form) = resources.get_x_object(name).filter(|form| is_form(form.dict())) else {
            return;
        };
        let place = form.dict().data().as_ptr().addr();
        if self.silent.contains(&place) {
            return;
        }
        if depth >= MAX_DEPTH {
            // Drawn from elsewhere it may show text.
            self.shown += 1;
            return;
        }
        let Some(content) = self.unpacked(&form) else { return };
        let mut inner = state.clone();
        if let Some(matrix) = form.dict().get::<Array<'_>>("Matrix") {
            let numbers: Vec<f64> = matrix.iter::<f32>().map(f64::from).collect();
            if let Ok(matrix) = <[f64; 6]>::try_from(numbers) {
                inner.page = Matrix(matrix).then(inner.page);
            }
        }
        let own = form.dict().get::<Dict<'a>>("Resources").map(Resources::new);
        let (shown, drawn) = (self.shown, self.drawn);
        let resources = own.as_ref().unwrap_or(resources);
        self.content(content, resources, &mut inner, (lines, depth + 1), pace).await;
        // What a name means there may depend on who draws it.
        if self.shown == shown && (own.is_some() || self.drawn == drawn) && !self.exhausted {
            self.silent.insert(place);
        }
    }
}

/// The operands of an instruction.
#[derive(Clone, Copy)]
struct Operands<'i, 'c>(&'i Instruction<'i, 'c>);

impl<'i, 'c> Operands<'i, 'c> {
    fn get(self, at: usize) -> Option<&'i Object<'c>> {
        self.0.operands().nth(at)
    }

    fn number(self, at: usize) -> f64 {
        match self.get(at) {
            Some(Object::Number(number)) => number.as_f64(),
            _ => 0.0,
        }
    }

    fn matrix(self) -> Matrix {
        Matrix(std::array::from_fn(|at| self.number(at)))
    }
}

fn has_letters(operand: Option<&Object<'_>>) -> bool {
    matches!(operand, Some(Object::String(string)) if !string.is_empty())
}

fn show(state: &mut State<'_>, operand: Option<&Object<'_>>, lines: &mut Lines, most: usize) {
    let (Some(Object::String(string)), Some(font)) = (operand, state.font.clone()) else { return };
    let bytes = string.as_bytes();
    // Along a string only the place changes.
    let place = state.text.then(state.page);
    let (wide, high) = (place.width() * state.stretch.abs(), place.height() * state.size.abs());
    let (mut way, mut at, turned) = (0.0, 0, place.way());
    while at < bytes.len() && lines.letters() < most {
        let (code, length) = font.code(bytes, at);
        at += length;
        let space = if code == 32 && length == 1 { state.word_space } else { 0.0 };
        let (x, y) = place.along(way);
        way += font.with(code, |sign| {
            let width = sign.advance * state.size;
            let letter = Letter { x, y, size: high, width: wide * width.abs(), way: turned };
            match &sign.text {
                Some(BfString::Char(char)) => lines.write(char.encode_utf8(&mut [0; 4]), letter),
                Some(BfString::String(text)) => lines.write(text, letter),
                None => lines.write("", letter),
            }
            (width + state.char_space + space) * state.stretch
        });
    }
    state.advance(way);
}

/// What the text operators set.
#[derive(Clone)]
struct State<'a> {
    /// From user space to the page.
    page: Matrix,
    text: Matrix,
    line: Matrix,
    font: Option<Rc<OpenFont<'a>>>,
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
    fn set(&mut self, operator: &[u8], operands: Operands<'_, '_>) {
        let first = || operands.number(0);
        match operator {
            b"cm" => self.page = operands.matrix().then(self.page),
            b"BT" => (self.text, self.line) = (Matrix::SAME, Matrix::SAME),
            b"Tm" => (self.text, self.line) = (operands.matrix(), operands.matrix()),
            b"Td" => self.next_line(first(), operands.number(1)),
            b"TD" => {
                self.leading = -operands.number(1);
                self.next_line(first(), operands.number(1));
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

    /// Where a step to the right from the origin leads.
    fn along(self, way: f64) -> (f64, f64) {
        let [a, b, _, _, e, f] = self.0;
        (a * way + e, b * way + f)
    }

    /// Where a step to the right leads, at a length of 1.
    fn way(self) -> (f64, f64) {
        let width = self.width();
        if width > 0.0 { (self.0[0] / width, self.0[1] / width) } else { (1.0, 0.0) }
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

//! The sentences of the sources, and which terms of a question stand in each, above it and before it.
//!
//! Border: sources and a question in, counted sentences out. Each text is read once; the work grows with
//! the evidence.

use super::EvidenceSource;
use super::columns::Head;
use super::kind::{is_asking, names_a_measure};
use super::lines::{
    LEAST_WORDS, beginning, draws_row, heading, is_measured_entry, is_statement, lines, list,
    sentences, unmarked, whole_quotes,
};
use super::marks::Line;
use super::orders::speaks_to_machines;
use super::parts::is_pronoun;
use super::polar;
use super::question::Question;
use super::words;
use quarry_evidence::is_own;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

/// Characters that a quotation has at most; what is longer is no sentence but a heap of text.
const MOST_CHARACTERS: usize = 900;

/// Bytes of a line that may be a table's caption.
const CAPTION_BYTES: usize = 160;

/// How plainly each term is said by what stands above a sentence.
pub(super) type Above = Rc<BTreeMap<usize, f64>>;

/// How much a sentence leans on what stands above and before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaning {
    /// It names what it speaks of.
    Little,
    /// It begins with `The …`.
    Some,
    /// It begins with a pronoun.
    Much,
}

/// Where a term stands in a sentence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hit {
    pub term: usize,
    /// How plainly it is said: 1 for the word itself.
    pub strength: f64,
    /// Which word of the sentence it is.
    pub place: usize,
}

/// A sentence that may speak to the question.
#[derive(Debug, Clone)]
pub(super) struct Candidate<'a> {
    pub source: &'a EvidenceSource<'a>,
    line: Rc<ReadLine<'a>>,
    range: Range<usize>,
    pub words: usize,
    pub inside: Vec<Hit>,
    pub above: Above,
    /// Terms of the sentence before it in the same passage.
    pub before: Rc<[usize]>,
    pub leaning: Leaning,
    /// Which sentence of all it is.
    pub place: usize,
    /// Whether it is the first under a heading that asks.
    pub replies: bool,
    /// The headings above it, a line each.
    headings: Rc<str>,
    /// The head of the table that it stands in.
    pub head: Rc<Head>,
}

/// A line, and what is only found out of the few that matter.
#[derive(Debug)]
struct ReadLine<'a> {
    line: Line<'a>,
    speaks_to_machines: OnceCell<bool>,
}

impl<'a> Candidate<'a> {
    /// What a reader sees.
    pub(super) fn text(&self) -> &str {
        self.line.line.shown().get(self.range.clone()).unwrap_or_default()
    }

    /// Whether the line that it stands in gives orders to a program.
    pub(super) fn speaks_to_machines(&self, question: &str) -> bool {
        let line = &self.line;
        *line.speaks_to_machines.get_or_init(|| speaks_to_machines(line.line.shown(), question))
    }

    /// Where it stands.
    pub(super) fn polar_place(&self) -> polar::Place<'_> {
        polar::Place {
            title: self.source.title,
            headings: &self.headings,
            before: self.line.line.shown().get(..self.range.start).unwrap_or_default(),
            replies: self.replies,
        }
    }

    /// Whether it says a term itself.
    pub(super) fn says(&self, term: usize) -> bool {
        self.inside.iter().any(|hit| hit.term == term)
    }

    /// Whether it stands in a table: bars alone part a name from a date as well, and make none without a head.
    pub(super) fn is_in_table(&self) -> bool {
        let text = self.text();
        text.contains('\t') || (words::has_cells(text) && !self.head.columns.is_empty())
    }

    /// Whether it is the row of a table that has a column of causes.
    pub(super) fn gives_causes(&self) -> bool {
        self.head.has_causes && self.is_in_table()
    }

    /// Whether a heading stands above it that is not its page's own.
    pub(super) fn is_in_section(&self) -> bool {
        self.headings.lines().nth(1).is_some()
    }

    /// The headings above it, a line each.
    pub(super) fn headings(&self) -> &str {
        &self.headings
    }

    /// The words of the headings above it.
    pub(super) fn words_above(&self) -> Vec<String> {
        words::words(&self.headings)
    }

    /// What was cut from the source, in order.
    pub(super) fn pieces(&self) -> Vec<&'a str> {
        self.line.line.cut(&self.range)
    }
}

/// All sentences of the sources, counted; those that may speak to the question, kept.
pub(super) struct Gathered<'a, 'q> {
    question: &'q Question,
    pub candidates: Vec<Candidate<'a>>,
    pub sentences: usize,
    pub words: usize,
    /// Sentences that hold each term, in themselves or above them.
    pub held: Vec<usize>,
    /// Terms that each source holds, by its number.
    pub known: BTreeMap<usize, BTreeSet<usize>>,
}

/// Where in a source the reading is.
struct Place<'a> {
    source: &'a EvidenceSource<'a>,
    above: Above,
    before: Rc<[usize]>,
    /// Terms of the line so far.
    line: Rc<[usize]>,
    /// Whether nothing was read yet under a heading that asks.
    is_asked: bool,
    headings: Rc<str>,
    head: Rc<Head>,
}

impl<'a, 'q> Gathered<'a, 'q> {
    pub(super) fn of(sources: &'a [EvidenceSource<'a>], question: &'q Question) -> Self {
        let held = vec![0; question.terms];
        let (candidates, known) = (Vec::new(), BTreeMap::new());
        let mut gathered = Gathered { question, candidates, sentences: 0, words: 0, held, known };
        // What was read says more than what was only found.
        let (read, found): (Vec<_>, Vec<_>) = sources.iter().partition(|source| source.was_read());
        for source in read.into_iter().chain(found) {
            gathered.read(source);
        }
        gathered
    }

    fn read(&mut self, source: &'a EvidenceSource<'a>) {
        let title = self.question.all_hits(beginning(source.title));
        // Whose page it is may stand in its address alone.
        let address = self.question.all_hits(beginning(source.url));
        self.know(source.n, title.keys().chain(address.keys()).copied());
        let mut place = Place {
            source,
            above: Rc::new(title.clone()),
            before: Rc::new([]),
            line: Rc::new([]),
            is_asked: false,
            headings: "".into(),
            head: Rc::default(),
        };
        if source.passages.is_empty() {
            return self.read_text(&mut place, &title, source.body(), None);
        }
        let mut headings: &[String] = &[];
        for passage in source.passages {
            if headings != passage.headings.as_slice() {
                headings = &passage.headings;
                self.go_below(&mut place, &title, headings.iter().map(String::as_str));
            }
            self.read_text(&mut place, &title, &passage.text, Some(headings));
        }
    }

    /// Reads a passage below its headings, or all that there is of a source.
    fn read_text(
        &mut self,
        place: &mut Place<'a>,
        title: &BTreeMap<usize, f64>,
        text: &'a str,
        headings: Option<&[String]>,
    ) {
        let above = Rc::clone(&place.above);
        let mut below_headings = Rc::clone(&above);
        let mut is_in_table = false;
        let mut caption = String::new();
        let is_own = headings.is_none() || is_own(place.source.url);
        for line in lines(text) {
            // Small sections of a document stand together in a passage, and pages may be Markdown; most are not,
            // and may say `# 5`.
            let is_marked =
                |heading: &&str| is_own || !heading.starts_with(|c: char| c.is_ascii_digit());
            if let Some(heading) = heading(line.shown()).filter(is_marked) {
                let outer = headings.unwrap_or_default().iter().map(String::as_str);
                self.go_below(place, title, outer.chain(std::iter::once(heading)));
                below_headings = Rc::clone(&place.above);
                is_in_table = false;
                caption.clear();
                continue;
            }
            let is_row = draws_row(line.shown());
            if !is_row && !line.shown().is_empty() {
                caption.clear();
                if line.shown().len() <= CAPTION_BYTES {
                    caption.push_str(line.shown());
                }
            }
            // Rows tell of things beside each other: none speaks of what the one before names.
            if is_row || is_in_table {
                place.before = Rc::new([]);
            }
            match (is_row, is_in_table) {
                // What heads a table stands above its rows.
                (true, false) => {
                    let shown = line.shown();
                    let head = shown.get(unmarked(shown)).unwrap_or_default().to_owned();
                    let hits = self.question.all_hits(beginning(&head));
                    if head.bytes().any(|byte| byte.is_ascii_digit()) {
                        self.read_line(place, line);
                    }
                    place.above = joined(&below_headings, hits);
                    place.head = self.head(&head, std::mem::take(&mut caption));
                }
                (false, true) => {
                    place.above = Rc::clone(&below_headings);
                    place.head = Rc::default();
                    self.read_line(place, line);
                }
                _ => self.read_line(place, line),
            }
            is_in_table = is_row;
        }
        place.above = above;
        place.head = Rc::default();
    }

    /// What a row says that heads a table.
    fn head(&self, row: &str, caption: String) -> Rc<Head> {
        let text = beginning(row).to_owned();
        let columns = words::cells(&text).map(|cell| self.question.all_hits(cell)).collect();
        let is_cause =
            |word: &String| matches!(word.as_str(), "cause" | "causes" | "reason" | "reasons");
        let has_causes = words::words(&text).iter().any(is_cause);
        Rc::new(Head { text, columns, has_causes, caption })
    }

    /// What is read next stands below these headings.
    fn go_below<'h>(
        &self,
        place: &mut Place<'a>,
        title: &BTreeMap<usize, f64>,
        headings: impl Iterator<Item = &'h str> + Clone,
    ) {
        place.is_asked = headings.clone().last().is_some_and(asks);
        place.head = Rc::default();
        place.headings = headings.clone().map(beginning).collect::<Vec<&str>>().join("\n").into();
        place.above = self.below(title, headings);
        place.before = Rc::new([]);
    }

    /// Terms that a title or one of the headings below it holds. A heading that asks is answered
    /// by what stands under it.
    fn below<'h>(
        &self,
        title: &BTreeMap<usize, f64>,
        headings: impl Iterator<Item = &'h str>,
    ) -> Above {
        let mut above = title.clone();
        for heading in headings {
            let asks = asks(heading);
            for (term, strength) in self.question.all_hits(beginning(heading)) {
                let strength = if asks { strength * ASKING_HEADING } else { strength };
                let known = above.entry(term).or_default();
                *known = known.max(strength);
            }
        }
        Rc::new(above)
    }

    fn read_line(&mut self, place: &mut Place<'a>, line: Line<'a>) {
        let line = Rc::new(ReadLine { line, speaks_to_machines: OnceCell::new() });
        let shown = line.line.shown();
        let inner = unmarked(shown);
        let start = inner.start;
        let inner = shown.get(inner).unwrap_or_default();
        if list(shown).is_some_and(|(lead, entries)| !self.is_answering(place, lead, entries)) {
            return self.know(place.source.n, self.question.all_hits(shown).into_keys());
        }
        let is_entry = is_measured_entry(shown);
        let is_drawn = draws_row(shown);
        place.line = Rc::new([]);
        // `No.` says nothing without what follows it.
        let mut short: Option<usize> = None;
        for sentence in sentences(inner) {
            let from = short.take().unwrap_or(sentence.start);
            let text = inner.get(from..sentence.end).unwrap_or_default();
            // The bars of a table count, whether they are drawn or tabs stand for them.
            let bars = words::cells(text).skip(1).count();
            let words = text.split(|c: char| c.is_whitespace() || c == '|');
            let words = words.filter(|word| !word.is_empty()).take(LEAST_WORDS).count() + bars;
            // `Ashby | 41` says something under the head of its table.
            let is_row = bars > 0 && is_drawn && text.ends_with(|c: char| c.is_ascii_digit());
            if words < LEAST_WORDS && !is_entry && !is_row && !is_statement(text) {
                short = Some(from);
            } else if text.len() <= MOST_CHARACTERS || text.chars().count() <= MOST_CHARACTERS {
                let cut = whole_quotes(text);
                let from = from + cut.start;
                let text = text.get(cut).unwrap_or_default();
                self.read_sentence(place, &line, start + from..start + from + text.len(), text);
            }
        }
        // What is too short to be quoted may hold a name.
        let rest = short.and_then(|from| inner.get(from..)).unwrap_or_default();
        let hits = self.question.all_hits(rest);
        self.know(place.source.n, hits.into_keys());
    }

    /// Whether a list may answer: something says of what, a lead or a heading that names more than its page does, and no
    /// entry is what was asked for, as those of menus are.
    fn is_answering<'l>(
        &self,
        place: &Place<'_>,
        lead: &str,
        mut entries: impl Iterator<Item = &'l str>,
    ) -> bool {
        let hits = |text: &str| self.question.all_hits(beginning(text));
        let title = hits(place.source.title);
        let heading = place.headings.lines().last().unwrap_or_default();
        let is_led = !lead.is_empty() || hits(heading).keys().any(|term| !title.contains_key(term));
        let is_asked = |entry: &str| {
            let mut all = words::words(entry);
            all.retain(|word| !words::is_stop_word(word));
            !all.is_empty() && all.iter().all(|word| !hits(word).is_empty())
        };
        is_led && !entries.any(is_asked)
    }

    fn read_sentence(
        &mut self,
        place: &mut Place<'a>,
        line: &Rc<ReadLine<'a>>,
        range: Range<usize>,
        text: &str,
    ) {
        let mut inside: Vec<Hit> = Vec::new();
        let mut count = 0;
        let mut leaning = Leaning::Little;
        // `The cost was …` leaves out of what, and the sentence before may be of something else.
        let mut leaves_out = false;
        words::each_word(text, |word, _| {
            leaves_out |= count == 1 && leaning == Leaning::Some && names_a_measure(word);
            if count == 0 {
                leaning = match word.as_str() {
                    "the" => Leaning::Some,
                    word if is_pronoun(word) => Leaning::Much,
                    _ => Leaning::Little,
                };
            }
            if self.question.may_hit(word) {
                words::to_stem(word);
                let hits = self.question.hits(word).iter();
                inside.extend(hits.map(|(term, strength)| Hit {
                    term: *term,
                    strength: *strength,
                    place: count,
                }));
            }
            count += 1;
        });
        self.count(count, &inside, place);
        // Who is `she` in two sentences that follow each other is the same.
        let kept: &[usize] = if leaning == Leaning::Much { &place.before } else { &[] };
        let terms: Vec<usize> = inside.iter().map(|hit| hit.term).collect();
        let next = merged(&terms, kept);
        let before = std::mem::replace(&mut place.before, next);
        let before = if leaves_out { merged(&before, &place.line) } else { before };
        place.line = merged(&place.line, &terms);
        let replies = std::mem::take(&mut place.is_asked);
        if inside.is_empty() && place.above.is_empty() {
            return;
        }
        self.candidates.push(Candidate {
            source: place.source,
            line: Rc::clone(line),
            range,
            words: count,
            inside,
            above: Rc::clone(&place.above),
            before,
            leaning,
            place: self.sentences,
            replies,
            headings: Rc::clone(&place.headings),
            head: Rc::clone(&place.head),
        });
    }

    fn know(&mut self, source: usize, terms: impl Iterator<Item = usize>) {
        self.known.entry(source).or_default().extend(terms);
    }

    /// A word of a title is no rarer for standing only there.
    fn count(&mut self, words: usize, inside: &[Hit], place: &Place<'_>) {
        self.sentences += 1;
        self.words += words;
        let mut terms: Vec<usize> =
            inside.iter().map(|hit| hit.term).chain(place.above.keys().copied()).collect();
        terms.sort_unstable();
        terms.dedup();
        self.know(place.source.n, terms.iter().copied());
        for term in terms {
            if let Some(held) = self.held.get_mut(term) {
                *held += 1;
            }
        }
    }
}

/// What a term in a heading that asks counts, against one in any other.
const ASKING_HEADING: f64 = 2.0;

/// `What it costs` asks as much as `What does it cost?`.
fn asks(heading: &str) -> bool {
    let first = heading.split_whitespace().next().unwrap_or_default();
    heading.trim_end().ends_with('?') || is_asking(&first.to_lowercase())
}

/// Terms of both, each once.
fn merged(one: &[usize], other: &[usize]) -> Rc<[usize]> {
    let mut terms: Vec<usize> = one.iter().chain(other).copied().collect();
    terms.sort_unstable();
    terms.dedup();
    terms.into()
}

fn joined(above: &Above, hits: BTreeMap<usize, f64>) -> Above {
    if hits.is_empty() {
        return Rc::clone(above);
    }
    let mut joined = BTreeMap::clone(above);
    for (term, strength) in hits {
        joined.entry(term).or_insert(strength);
    }
    Rc::new(joined)
}

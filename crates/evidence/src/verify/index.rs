//! The evidence, taken apart once, so that many claims can be checked against it.

use super::lexicon::{Lexicon, Term};
use super::proviso::Proviso;
use super::quantity::Figures;
use super::roots::Roots;
use super::unreal::{self, Unreal};
use super::{clause, kin, negation, proviso, synonyms, voice, words};
use crate::text::{Token, sentences, tokens};
use std::ops::Range;

/// A passage that claims are checked against.
#[derive(Debug, Clone, Copy)]
pub struct Text<'t> {
    /// The title of its source and the headings above it: what it is about, though it need not say so.
    pub context: &'t str,
    /// What it says.
    pub text: &'t str,
}

/// A sentence of the evidence.
#[derive(Debug)]
pub struct Sentence {
    /// Where it stands in its passage, in bytes.
    pub range: Range<usize>,
    /// The roots of its tokens.
    pub terms: Vec<Term>,
    /// Where its tokens stand; what is put in brackets takes no room.
    pub places: Vec<u32>,
    /// Its numbers and dates.
    pub figures: Figures,
    /// What each of its negations turns around, in tokens.
    pub denied: Vec<Range<usize>>,
    /// What it says with reserve.
    pub reserved: Vec<Term>,
    /// What it says of something planned that it will be.
    pub planned: Vec<Term>,
    /// What restricts it, or a part of it.
    pub provisos: Vec<Proviso>,
    /// Where those stand who speak in it.
    pub voices: Vec<Range<usize>>,
    /// The initials of its names.
    pub initials: String,
    /// The tokens with which its clauses begin.
    pub clauses: Vec<u32>,
    /// The tokens that are written as names are.
    pub names: Vec<u32>,
    /// Its verbs that do not say that something was done.
    pub unreal: Vec<Unreal>,
    /// Whether it is a heading, or begins one.
    pub is_heading: bool,
}

impl Sentence {
    /// The terms of some of its tokens.
    pub fn terms_of(&self, tokens: &Range<usize>) -> &[Term] {
        self.terms.get(tokens.clone()).unwrap_or_default()
    }
}

#[derive(Debug)]
struct Place {
    text: String,
    /// Its sentences among all.
    sentences: Range<usize>,
    is_unread: bool,
}

/// Passages that claims are checked against.
#[derive(Debug, Default)]
pub struct Index {
    lexicon: Lexicon,
    sentences: Vec<Sentence>,
    passages: Vec<Place>,
}

impl Index {
    /// Takes passages apart. Linear in their length.
    #[must_use]
    pub fn new<'t>(passages: impl IntoIterator<Item = Text<'t>>) -> Index {
        let mut index = Index::default();
        for passage in passages {
            index.take(passage);
        }
        index.lexicon.close();
        index
    }

    fn take(&mut self, passage: Text<'_>) {
        let first = self.sentences.len();
        let mut from = 0;
        for line in passage.text.split_inclusive('\n') {
            let mut is_heading = opens_part(line);
            for range in sentences(line) {
                let tokens = tokens(line.get(range.clone()).unwrap_or_default());
                let at = u32::try_from(self.sentences.len()).ok();
                let terms: Vec<Term> =
                    tokens.iter().map(|token| self.lexicon.note(&token.word, at)).collect();
                let denied = negation::denied(&tokens);
                let places = places(line.get(range.clone()).unwrap_or_default(), &tokens);
                let said = range.clone();
                let range = from + range.start..from + range.end;
                let figures = Figures::of(&tokens);
                let initials = kin::initials(&tokens);
                let (mut reserved, mut planned) = (Vec::new(), Vec::new());
                for found in negation::reserved(&tokens, &figures) {
                    let list = if found.is_planned { &mut planned } else { &mut reserved };
                    list.extend_from_slice(terms.get(found.part).unwrap_or_default());
                }
                self.sentences.push(Sentence {
                    places,
                    range,
                    terms,
                    figures,
                    denied,
                    reserved,
                    planned,
                    provisos: proviso::of(
                        &tokens,
                        asks(line.get(said.clone()).unwrap_or_default()),
                    ),
                    voices: voice::of(&tokens),
                    initials,
                    clauses: clause::starts(&tokens),
                    names: clause::names(line.get(said).unwrap_or_default(), &tokens),
                    unreal: unreal::of(&tokens),
                    is_heading,
                });
                is_heading = false;
            }
            from += line.len();
        }
        if let Ok(at) = u32::try_from(self.passages.len()) {
            for token in tokens(passage.context) {
                self.lexicon.note_above(&token.word, at);
            }
        }
        let sentences = first..self.sentences.len();
        let (text, is_unread) = (passage.text.to_owned(), false);
        self.passages.push(Place { text, sentences, is_unread });
    }

    /// The same, where nobody read what the passages at these places tell of: nothing is supported by them.
    #[must_use]
    pub fn with_unread(mut self, places: &[usize]) -> Index {
        for at in places {
            if let Some(place) = self.passages.get_mut(*at) {
                place.is_unread = true;
            }
        }
        self
    }

    /// Whether nobody read what the passage at this place tells of.
    #[must_use]
    pub fn is_unread(&self, passage: usize) -> bool {
        self.passages.get(passage).is_some_and(|place| place.is_unread)
    }

    /// How many passages there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.passages.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// How much a root tells, whose term is known.
    pub(super) fn weight(&self, term: Option<Term>) -> f64 {
        self.lexicon.weight(term, self.sentences.len())
    }

    /// The term of a root.
    pub(super) fn term(&self, root: &str) -> Option<Term> {
        self.lexicon.get(root)
    }

    /// The term of a folded word and all its forms, if the evidence has it.
    pub(super) fn term_of(&self, word: &str) -> Option<Term> {
        self.term(&words::root(word))
    }

    /// The root of a term. A list of words knows it by [`Roots`] alone.
    pub(super) fn root(&self, term: Term) -> &str {
        self.lexicon.root(term)
    }

    /// Whether a term is that of one of these words.
    pub(super) fn is_of(&self, term: Term, words: &Roots) -> bool {
        words.has(self.root(term))
    }

    /// Whether a term says too little to be looked for, in all forms that the evidence has of it.
    pub(super) fn is_small(&self, term: Term) -> bool {
        self.lexicon.is_small(term)
    }

    /// Those of these sentences that have a term, in order.
    pub(super) fn places(&self, term: Term, sentences: &Range<usize>) -> &[u32] {
        within(self.lexicon.places(term), sentences)
    }

    /// Those of these passages whose title or headings have a term, in order.
    pub(super) fn below(&self, term: Term, passages: &Range<usize>) -> &[u32] {
        within(self.lexicon.above(term), passages)
    }

    /// The sentences of a passage among all.
    pub(super) fn range(&self, passage: usize) -> Range<usize> {
        self.passages.get(passage).map_or(0..0, |place| place.sentences.clone())
    }

    /// The sentences of passages in a row among all.
    pub(super) fn range_of(&self, passages: &Range<usize>) -> Range<usize> {
        let passages = self.passages.get(passages.clone()).unwrap_or_default();
        let first = passages.first().map_or(0, |place| place.sentences.start);
        first..passages.last().map_or(first, |place| place.sentences.end)
    }

    pub(super) fn sentences(&self, range: Range<usize>) -> &[Sentence] {
        self.sentences.get(range).unwrap_or_default()
    }

    /// What a passage says.
    #[must_use]
    pub fn text(&self, passage: usize) -> &str {
        self.passages.get(passage).map_or("", |place| &place.text)
    }

    /// The terms that cannot be true together with a root.
    pub(super) fn opposites(&self, root: &str) -> impl Iterator<Item = Term> {
        synonyms::opposites(root).filter_map(|other| self.lexicon.get(other))
    }
}

/// Whether a line is a heading of Markdown.
fn opens_part(line: &str) -> bool {
    let behind = line.trim_start().trim_start_matches('#');
    line.trim_start().starts_with('#') && behind.starts_with(' ')
}

/// Whether a sentence asks.
fn asks(sentence: &str) -> bool {
    let closing = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | ')' | '"' | '”' | '|');
    sentence.trim_end_matches(closing).ends_with(['?', '？', '؟'])
}

/// Those of some places in order that are within a range.
fn within<'p>(places: &'p [u32], range: &Range<usize>) -> &'p [u32] {
    let before = |end: usize| places.partition_point(|place| (*place as usize) < end);
    places.get(before(range.start)..before(range.end)).unwrap_or_default()
}

/// Where tokens stand in their sentence, those in brackets all where the bracket opens: who is `Ann Marsh
/// (1790–1861), a builder` is a builder as near as without her years.
fn places(sentence: &str, tokens: &[Token]) -> Vec<u32> {
    let mut inside: Vec<Range<usize>> = Vec::new();
    let mut open = None;
    for (at, byte) in sentence.bytes().enumerate() {
        match (byte, open) {
            (b'(' | b'[', None) => open = Some(at),
            (b')' | b']', Some(start)) => {
                inside.push(start..at);
                open = None;
            }
            _ => {}
        }
    }
    let mut inside = inside.into_iter().peekable();
    let mut place = 0;
    tokens
        .iter()
        .map(|token| {
            while inside.next_if(|range| range.end < token.start).is_some() {}
            let is_inside = inside.peek().is_some_and(|range| range.start < token.start);
            let here = place;
            place += u32::from(!is_inside);
            here
        })
        .collect()
}

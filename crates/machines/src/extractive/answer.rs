//! The answer: for each part of the question the sentence that answers it, what supports it, and where sources
//! disagree; then what the answer is not.
//!
//! Border: typed evidence in, Markdown out, within the tokens that are allowed.

use super::alike::Also;
use super::answering::Apart;
use super::arithmetic;
use super::cite::{ALSO, claim, difference, entry, listed, one_line, same};
use super::closing::Found;
use super::comparing;
use super::disagree::{Disagreement, agree, disagreements};
use super::kind::{Kind, is_auxiliary};
use super::lexicon;
use super::offers::Fit;
use super::polar;
use super::question::{Part, Question};
use super::rank::{self, PartFound, Quotation, Ranking};
use super::trust::voice;
use super::words::{self, is_pale};
use super::{Calculation, EvidenceSource};
use quarry_evidence::is_own;
use quarry_types::order::{self, Gather};
use quarry_types::tokens;
use std::collections::BTreeSet;

/// Sentences of one source that support a part, at most.
const PER_SOURCE: usize = 2;
/// Of what the best counts, the share that is quoted beside it, and in a digest.
const QUOTED: f64 = 0.55;
const DIGESTED: f64 = 0.2;
/// Of what the lead covers of the question, the share that what supports it covers.
const SUPPORTING: f64 = 0.75;
/// Words that are named because no source has them.
const UNMENTIONED: usize = 4;
/// Words that may be missing of a question that is in the sources' language.
const FEW_MISSING: usize = 2;
/// Rows of a table that a list has beside the first.
const ROWS: usize = 12;
/// Sentences that are shown where none answers.
const NEAREST: usize = 2;
/// Quotations of a digest.
const DIGEST_QUOTATIONS: usize = 6;
/// Characters of a result that are shown.
const RESULT_CHARACTERS: usize = 2_000;
/// Characters of a provider's words that are shown.
const REASON_CHARACTERS: usize = 300;

/// What an answer is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked<'a> {
    /// The question.
    pub query: &'a str,
    /// How long the answer is to be.
    pub length: Length,
    /// Tokens of the answer at most, by the estimate of `quarry_types::tokens`. The first sentence that
    /// answers is always there, and what the answer is not.
    pub most_tokens: u64,
    /// Why no language model writes it.
    pub why: Why<'a>,
}

/// How long an answer is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Length {
    /// One sentence beside the one that leads, for each part of the question.
    Short,
    /// Three.
    #[default]
    Medium,
    /// Six.
    Long,
}

impl Length {
    /// The length that a set-up's word means; medium for any other word.
    #[must_use]
    pub fn of(word: &str) -> Self {
        match word {
            "short" => Length::Short,
            "long" => Length::Long,
            _ => Length::Medium,
        }
    }

    const fn support(self) -> usize {
        match self {
            Length::Short => 1,
            Length::Medium => 3,
            Length::Long => 6,
        }
    }
}

/// Why no language model writes an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why<'a> {
    /// `local:extractive` was asked for.
    Chosen,
    /// The model's provider failed, in these words; they are free of keys.
    ProviderFailed(&'a str),
    /// There is no key for the model's provider.
    NoKey,
}

impl Why<'_> {
    /// A sentence that says so, with a blank before it; none where it was wanted so.
    pub(super) fn sentence(self) -> String {
        match self {
            Why::Chosen => String::new(),
            Why::ProviderFailed(words) => {
                let words = one_line(words, REASON_CHARACTERS).replace(['[', ']', '<', '`'], "");
                format!(" The model that was asked for could not be used: {words}.")
            }
            Why::NoKey => " There is no key for the model that was asked for.".to_owned(),
        }
    }
}

/// Writes the answer, as Markdown. Says last that no language model was used; every quotation
/// stands in its source byte for byte, but for marks of Markdown and the bars between the cells of
/// a table, and stands beside a link to it.
#[must_use]
pub fn answer(
    asked: &Asked<'_>,
    sources: &[EvidenceSource<'_>],
    calculations: &[Calculation<'_>],
) -> String {
    let question = Question::new(asked.query);
    let ranking = rank::rank(sources, &question);
    let missing = missing(&ranking.missing, &question);
    let mut parts = parts(&question, &ranking, asked.length);
    if !calculations.is_empty() {
        parts.retain(|shown| arithmetic::find(&shown.part.text).is_none());
    }
    let found = Found::of(&parts, sources.len(), calculations.len());
    let closing = format!("\n\n{}", found.closing(asked.why));
    let limit = asked.most_tokens.saturating_sub(tokens::estimate(&closing));
    let mut out = Page { text: String::new(), limit };
    for calculation in calculations {
        let result = one_line(calculation.result, RESULT_CHARACTERS);
        out.push(&format!("\n\nCalculated by a program: **{result}**"));
    }
    if found.quoted > 0 {
        for shown in &parts {
            shown.write(&mut out, parts.len() > 1, &missing);
        }
        if let Some(compared) = comparing::sentence(asked.query, &parts) {
            out.push(&format!("\n\n{compared}"));
        }
    }
    out.text.push_str(&closing);
    out.text.trim_start().to_owned()
}

/// What is shown for each part of a question.
pub(super) fn parts<'p, 'a>(
    question: &'p Question,
    ranking: &'p Ranking<'a>,
    length: Length,
) -> Vec<Shown<'p, 'a>> {
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let parts = question.parts.iter().zip(&ranking.parts);
    parts.map(|(part, found)| Shown::of(part, found, length, &mut known)).collect()
}

/// A digest of search results: what they say on the question, one quotation a line. Empty where
/// none shares a word with it.
#[must_use]
pub fn digest(query: &str, sources: &[EvidenceSource<'_>]) -> String {
    let ranking = rank::rank(sources, &Question::new(query));
    let each = DIGEST_QUOTATIONS.div_ceil(ranking.parts.len().max(1));
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let mut lines: Vec<String> = Vec::new();
    for found in &ranking.parts {
        let quotations = spread(&found.quotations, DIGESTED, &mut known);
        lines.extend(quotations.take(each).map(|quotation| format!("- {}", entry(quotation))));
    }
    lines.join("\n")
}

/// A text that grows up to a limit.
struct Page {
    text: String,
    limit: u64,
}

impl Page {
    /// Appends a piece if it is the first or still fits.
    fn push(&mut self, piece: &str) -> bool {
        let fits = self.text.is_empty()
            || tokens::estimate(&self.text) + tokens::estimate(piece) <= self.limit;
        if fits {
            self.text.push_str(piece);
        }
        fits
    }
}

/// What is shown for a part of the question.
pub(super) struct Shown<'p, 'a> {
    pub part: &'p Part,
    pub lead: Option<Lead<'p, 'a>>,
    /// What else a verdict rests on, or is against it.
    pub beside: Vec<&'p Quotation<'a>>,
    /// What supports it; without it, what comes nearest.
    pub support: Vec<&'p Quotation<'a>>,
    pub disagreements: Vec<Disagreement<'p, 'a>>,
}

/// The sentence that answers.
pub(super) struct Lead<'p, 'a> {
    pub quotation: &'p Quotation<'a>,
    /// Other sources that give the same answer.
    pub agreeing: Vec<Also<'a>>,
    /// A verdict on a question for yes or no, in words with what it rests on.
    pub verdict: Option<String>,
}

impl<'p, 'a> Lead<'p, 'a> {
    fn of(found: &'p PartFound<'a>, kind: Kind) -> Option<Self> {
        let quotation = found.quotations.first().filter(|_| found.is_answered)?;
        let mut agreeing = quotation.also.clone();
        if quotation.answer().is_some() {
            let others = rank::within(&found.quotations, QUOTED).skip(1);
            let same =
                |other: &&Quotation<'_>| other.apart.is_none() && agree(quotation, other, kind);
            agreeing.extend(others.filter(same).map(Also::from));
        }
        let mut numbers = BTreeSet::from([quotation.source.n]);
        // Who says it twice, or prints a page twice, says it once.
        let mut voices = BTreeSet::from([voice(quotation.source)]);
        // Which other document of one's own says it is worth knowing.
        let mut is_new = |source: &EvidenceSource<'a>| {
            numbers.insert(source.n) && (voices.insert(voice(source)) || is_own(source.url))
        };
        agreeing.retain(|also| is_new(also.source));
        let verdict = found.verdict.as_ref().map(|verdict| {
            let by: Vec<&Quotation<'a>> =
                verdict.by.iter().filter_map(|place| found.of_place(*place)).collect();
            if !verdict.is_by_dates {
                let others = by.iter().filter(|other| is_new(other.source));
                agreeing.extend(others.map(|other| Also::from(*other)));
            }
            let against = verdict.against.and_then(|place| found.of_place(place));
            polar::lead(verdict, &by, against)
        });
        Some(Lead { quotation, agreeing, verdict })
    }

    /// A source that gives another figure does not say the same, though it may quote it.
    fn agrees_with_none_of(&mut self, disagreements: &[Disagreement<'_, '_>]) {
        let differs = |n: usize| disagreements.iter().any(|each| each.other.source.n == n);
        self.agreeing.retain(|also| !differs(also.source.n));
    }

    /// Whether a quotation only says again what is named as agreeing.
    fn is_said_by(&self, quotation: &Quotation<'_>) -> bool {
        let answer = self.quotation.answer().map(str::to_lowercase);
        answer.zip(quotation.answer()).is_some_and(|(answer, other)| is_said_in(other, &answer))
    }

    /// What it says, and who says the same.
    fn text(&self) -> String {
        if let Some(verdict) = &self.verdict {
            return verdict.clone();
        }
        let agreeing = self.agreeing.iter().take(ALSO);
        let agreeing: Vec<_> = agreeing.map(|also| (also.source, also.text.as_str())).collect();
        format!("{}{}", claim(self.quotation), same(&self.quotation.text, &agreeing))
    }
}

impl<'p, 'a> Shown<'p, 'a> {
    fn of(
        part: &'p Part,
        found: &'p PartFound<'a>,
        length: Length,
        known: &mut BTreeSet<&'p str>,
    ) -> Self {
        let mut lead = Lead::of(found, part.kind);
        let Some(leading) = &mut lead else {
            let support = spread(&found.quotations, QUOTED, known).take(NEAREST).collect();
            return Shown { part, lead, support, beside: Vec::new(), disagreements: Vec::new() };
        };
        if part.kind == Kind::List && leading.quotation.text.contains('\t') {
            return Shown {
                part,
                support: rows(found, leading.quotation),
                lead,
                beside: Vec::new(),
                disagreements: Vec::new(),
            };
        }
        known.insert(&leading.quotation.text);
        let beside = beside(found);
        known.extend(beside.iter().map(|quotation| quotation.text.as_str()));
        let disagreements = disagreements(found, part);
        leading.agrees_with_none_of(&disagreements);
        for each in &disagreements {
            known.insert(&each.other.text);
            known.extend(each.explained_by.map(|quotation| quotation.text.as_str()));
        }
        let wants = if part.kind.is_strict() { Fit::Weak } else { Fit::None };
        let support = spread(&found.quotations, QUOTED, known)
            .filter(|quotation| {
                let covers = quotation.coverage >= leading.quotation.coverage * SUPPORTING
                    && quotation.about >= leading.quotation.about * SUPPORTING;
                let is_apart = quotation.apart == Some(Apart::Elsewhere);
                covers && !is_apart && quotation.fit >= wants && !leading.is_said_by(quotation)
            })
            .take(length.support())
            .collect();
        Shown { part, lead, support, beside, disagreements }
    }

    fn write(&self, out: &mut Page, names_part: bool, missing: &[String]) {
        let mut head = String::from("\n\n");
        if names_part {
            head.push_str(&format!("**{}**\n\n", one_line(&self.part.text, RESULT_CHARACTERS)));
        }
        head.push_str(&match &self.lead {
            Some(lead) => lead.text(),
            None => self.unanswered(missing),
        });
        if !out.push(&head) {
            return;
        }
        if !self.support.is_empty() {
            let head = match &self.lead {
                Some(_) => "\n\nMore on this:\n",
                None => "\n\nWhat comes nearest:\n",
            };
            let mut head = head.to_owned();
            for quotation in &self.support {
                if !out.push(&format!("{head}\n- {}", entry(quotation))) {
                    break;
                }
                head.clear();
            }
        }
        if !self.disagreements.is_empty() {
            let lines: Vec<String> = self.disagreements.iter().map(difference).collect();
            let what =
                if self.part.kind.is_figure() { "give other figures" } else { "say otherwise" };
            out.push(&format!("\n\nOther sources {what}:\n\n{}", lines.join("\n")));
        }
    }

    /// Words of the part that no source has, of those that the whole question has.
    pub(super) fn unmentioned<'m>(
        &self,
        missing: &'m [String],
    ) -> impl Iterator<Item = &'m String> {
        let own = words_of(&self.part.text);
        missing.iter().filter(move |word| own.contains(&word.to_lowercase())).take(UNMENTIONED)
    }

    fn unanswered(&self, missing: &[String]) -> String {
        let missing: Vec<String> =
            self.unmentioned(missing).map(|word| format!("“{word}”")).collect();
        if missing.is_empty() {
            return "No source says this.".to_owned();
        }
        format!("No source says this; none mentions {}.", listed(&missing).replace(" and ", " or "))
    }

    /// The sources that are quoted or named.
    pub(super) fn sources(&self) -> impl Iterator<Item = usize> {
        let lead = self.lead.iter().flat_map(|lead| {
            let agreeing = lead.agreeing.iter().take(ALSO).map(|also| also.source);
            agreeing.chain([lead.quotation.source])
        });
        let support = self.support.iter().flat_map(|quotation| {
            quotation.also.iter().take(ALSO).map(|also| also.source).chain([quotation.source])
        });
        let differing = self.disagreements.iter().flat_map(|each| {
            let explained = each.explained_by.map(|quotation| quotation.source);
            [Some(each.other.source), explained].into_iter().flatten()
        });
        let beside = self.beside.iter().map(|quotation| quotation.source);
        lead.chain(beside).chain(support).chain(differing).map(|source| source.n)
    }
}

/// The best quotations that are not known yet, not too many of one source.
fn spread<'p, 'a>(
    quotations: &'p [Quotation<'a>],
    share: f64,
    known: &mut BTreeSet<&'p str>,
) -> impl Iterator<Item = &'p Quotation<'a>> {
    let mut of_source: Vec<usize> = Vec::new();
    rank::within(quotations, share).filter(move |quotation| {
        let n = quotation.source.n;
        let few = of_source.iter().filter(|known| **known == n).count() < PER_SOURCE;
        let is_new = few && known.insert(&quotation.text);
        if is_new {
            of_source.push(n);
        }
        is_new
    })
}

/// What a verdict is shown with besides the sentence that leads.
fn beside<'p, 'a>(found: &'p PartFound<'a>) -> Vec<&'p Quotation<'a>> {
    let Some(verdict) = &found.verdict else { return Vec::new() };
    let second = verdict.by.get(1).filter(|_| verdict.is_by_dates);
    let places = second.into_iter().chain(&verdict.against);
    let lead = verdict.by.first();
    places.filter(|place| Some(*place) != lead).filter_map(|it| found.of_place(*it)).collect()
}

/// The other rows of the table that a row stands in, in their order.
fn rows<'p, 'a>(found: &'p PartFound<'a>, row: &Quotation<'a>) -> Vec<&'p Quotation<'a>> {
    let is_beside = |each: &&Quotation<'_>| {
        each.source.n == row.source.n && each.text != row.text && each.text.contains('\t')
    };
    let mut rows: Vec<&Quotation<'a>> =
        found.quotations.iter().filter(is_beside).take(ROWS).collect();
    order::sort_by_key(&mut rows, |row| row.place);
    rows
}

/// Whether an answer says what another one, in lower case, says; `2012` is said in `14 may 2012`.
fn is_said_in(answer: &str, whole: &str) -> bool {
    let answer = answer.to_lowercase();
    let before = whole.strip_suffix(answer.as_str());
    before.is_some_and(|before| {
        before.is_empty() || (before.ends_with(' ') && answer.len() == "2012".len())
    })
}

fn words_of(text: &str) -> BTreeSet<String> {
    words::words(text).into_iter().gather()
}

/// Words of the question of which no term was found, as they were written. Where most are, it may be in another
/// language, and only its names tell anything.
pub(super) fn missing(terms: &BTreeSet<usize>, question: &Question) -> Vec<String> {
    let keys = question.key_words();
    let all = words::words(&question.text);
    let asks_for_newest = |word: &str| {
        (0..all.len())
            .any(|at| all.get(at).is_some_and(|it| it == word) && words::asks_for_newest(&all, at))
    };
    let is_missing = |word: &&String| {
        let (own, lower) = (question.own_terms(word), word.to_lowercase());
        !own.is_empty()
            && own.is_subset(terms)
            && !is_pale(&lower)
            && !asks_for_newest(&lower)
            && tells_a_thing(&lower)
    };
    let mut missing: Vec<String> = keys.iter().filter(is_missing).cloned().collect();
    if missing.len() > FEW_MISSING && missing.len() * 2 > keys.len() {
        let first = keys.first();
        let begins =
            |word: &str| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        missing.retain(|word| begins(word) && Some(word) != first);
    }
    missing
}

/// Whether a word, lower case, is neither a command nor a verb that is everywhere.
fn tells_a_thing(word: &str) -> bool {
    let is_verb = lexicon::irregular().any(|(form, base)| form == word || base == word);
    !is_verb && !is_auxiliary(word) && !matches!(word, "summarise" | "summarize" | "show" | "list")
}

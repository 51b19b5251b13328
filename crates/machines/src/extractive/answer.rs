//! The answer: what it is not, then quotations with their sources, then where they disagree.
//!
//! Border: typed evidence in, Markdown out, within the tokens that are allowed.

use super::disagree::{Disagreement, disagreements};
use super::question::Question;
use super::rank::{self, Quotation};
use super::{Calculation, EvidenceSource};
use quarry_types::tokens;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::iter;

/// Quotations of one source at most.
const PER_SOURCE: usize = 3;
/// Further sources that are named for one quotation.
const ALSO: usize = 3;
/// Quotations of a digest.
const DIGEST_QUOTATIONS: usize = 6;
/// Characters of a title, of a date and of a result that are shown.
const TITLE_CHARACTERS: usize = 200;
const DATE_CHARACTERS: usize = 40;
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
    /// Tokens of the answer at most, by the estimate of `quarry_types::tokens`. The first
    /// sentences are always there.
    pub most_tokens: u64,
    /// Why no language model writes it.
    pub why: Why<'a>,
}

/// How long an answer is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Length {
    /// Four quotations at most.
    Short,
    /// Seven.
    #[default]
    Medium,
    /// Twelve.
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

    const fn quotations(self) -> usize {
        match self {
            Length::Short => 4,
            Length::Medium => 7,
            Length::Long => 12,
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
    fn sentence(self) -> String {
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

/// Writes the answer, as Markdown. Says first that no language model was used; every quotation
/// stands in its source byte for byte, but for marks of Markdown and the bars between the cells of
/// a table, and is followed by a link to it.
#[must_use]
pub fn answer(
    asked: &Asked<'_>,
    sources: &[EvidenceSource<'_>],
    calculations: &[Calculation<'_>],
) -> String {
    let question = Question::new(asked.query);
    let ranking = rank::rank(sources, &question);
    let quotations = &ranking.quotations;
    let shown = chosen(quotations, asked.length.quotations());
    let disagreements = disagreements(quotations, &question);
    let found = Found {
        sources: sources.len(),
        quoted: quoted(&shown, &disagreements),
        quotations: quotations.len(),
        calculations: calculations.len(),
    };
    let mut out = Page { text: found.opening(asked.why), limit: asked.most_tokens };
    for calculation in calculations {
        let result = one_line(calculation.result, RESULT_CHARACTERS);
        out.push(&format!("\n\nCalculated by a program: **{result}**"));
    }
    if !shown.is_empty() {
        out.push("\n\n**What the sources say**\n");
    }
    for (at, quotation) in shown.iter().enumerate() {
        if !out.push(&format!("\n{}. {}", at + 1, entry(quotation))) {
            break;
        }
    }
    if !disagreements.is_empty() {
        let mut block = "\n\n**Where sources seem to disagree**\n".to_owned();
        for disagreement in &disagreements {
            block.push_str(&difference(disagreement));
        }
        out.push(&block);
    }
    let missing = missing(&ranking.missing, &question);
    if !quotations.is_empty() && !missing.is_empty() {
        out.push(&format!("\n\nNo passage speaks of: {}.", missing.join(", ")));
    }
    out.text
}

/// A digest of search results: what they say on the question, one quotation a line. Empty where
/// none shares a word with it.
#[must_use]
pub fn digest(query: &str, sources: &[EvidenceSource<'_>]) -> String {
    let ranking = rank::rank(sources, &Question::new(query));
    let shown = chosen(&ranking.quotations, DIGEST_QUOTATIONS);
    let lines: Vec<String> =
        shown.into_iter().map(|quotation| format!("- {}", entry(quotation))).collect();
    lines.join("\n")
}

/// A text that grows up to a limit.
struct Page {
    text: String,
    limit: u64,
}

impl Page {
    /// Appends a piece if it still fits.
    fn push(&mut self, piece: &str) -> bool {
        let fits = tokens::estimate(&self.text) + tokens::estimate(piece) <= self.limit;
        if fits {
            self.text.push_str(piece);
        }
        fits
    }
}

/// What there is to show.
struct Found {
    sources: usize,
    quoted: usize,
    quotations: usize,
    calculations: usize,
}

impl Found {
    fn opening(&self, why: Why<'_>) -> String {
        let plain = "No language model was used for this answer";
        let why = why.sentence();
        let sources = self.sources;
        let noun = if sources == 1 { "source" } else { "sources" };
        let of =
            if self.quoted == sources { String::new() } else { format!("{} of ", self.quoted) };
        match (self.quotations, self.calculations) {
            (1.., _) => format!(
                "{plain}: it consists of quotations from {of}{sources} {noun}, ranked by the words that they share with the question.{why} Whether they answer it is for the reader to judge."
            ),
            (0, 1..) => format!("{plain}: it is the result of a program.{why}"),
            (0, 0) if sources == 0 => {
                format!("{plain}, and no source was found.{why} Nothing can be quoted.")
            }
            (0, 0) => format!(
                "{plain}, and no passage of the {sources} {noun} found shares words with the question.{why}"
            ),
        }
    }
}

/// How many sources are quoted.
fn quoted(shown: &[&Quotation<'_>], disagreements: &[Disagreement<'_, '_>]) -> usize {
    let differing = disagreements.iter().flat_map(|each| [each.one, each.other]);
    let quotations = shown.iter().copied().chain(differing);
    let sources = quotations.flat_map(|quotation| {
        iter::once(quotation.source).chain(quotation.also.iter().take(ALSO).copied())
    });
    sources.map(|source| source.n).collect::<BTreeSet<_>>().len()
}

/// The best quotations, not too many of one source.
fn chosen<'p, 'a>(quotations: &'p [Quotation<'a>], most: usize) -> Vec<&'p Quotation<'a>> {
    let mut chosen: Vec<&Quotation<'a>> = Vec::new();
    for quotation in quotations.iter().take(rank::quotable(quotations)) {
        let of_source = chosen.iter().filter(|known| known.source.n == quotation.source.n).count();
        if of_source < PER_SOURCE && chosen.len() < most {
            chosen.push(quotation);
        }
    }
    chosen
}

fn entry(quotation: &Quotation<'_>) -> String {
    let mut line = format!("“{}” — {}", said(quotation), cited(quotation.source));
    if !quotation.also.is_empty() {
        let also: Vec<String> =
            quotation.also.iter().take(ALSO).map(|source| cited(source)).collect();
        let _ = write!(line, "; much the same in {}", also.join(", "));
    }
    line
}

fn difference(disagreement: &Disagreement<'_, '_>) -> String {
    let Disagreement { what, one, other, is_newer } = disagreement;
    let newer = if *is_newer { " The first of them is newer." } else { "" };
    format!(
        "\n- On *{what}*: “{}” — {}; but “{}” — {}.{newer}",
        said(one),
        cited(one.source),
        said(other),
        cited(other.source)
    )
}

/// The words of a quotation. Between cells of a table there is a tab, which Markdown does not show.
fn said(quotation: &Quotation<'_>) -> String {
    quotation.text.replace('\t', " | ")
}

/// A Markdown citation that no title can break out of.
fn cited(source: &EvidenceSource<'_>) -> String {
    let title = if source.title.trim().is_empty() { source.url } else { source.title };
    let title = one_line(title, TITLE_CHARACTERS).replace(['[', ']'], "");
    let link = if is_linkable(source.url) {
        let url = source.url.replace('(', "%28").replace(')', "%29");
        format!("[{title}]({url})")
    } else {
        title
    };
    match source.date.filter(|date| !date.is_empty()) {
        Some(date) => format!("{link}, {}", one_line(date, DATE_CHARACTERS)),
        None => link,
    }
}

fn is_linkable(url: &str) -> bool {
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty())
        && !url.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>'))
}

/// Words of the question of which no term was found, as they were written.
fn missing(terms: &BTreeSet<usize>, question: &Question) -> Vec<String> {
    let mut words = question.key_words();
    words.retain(|word| {
        let own = question.own_terms(word);
        !own.is_empty() && own.is_subset(terms)
    });
    words
}

/// A text on one line, cut to a number of characters.
fn one_line(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

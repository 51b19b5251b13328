//! The answer: what it is not, then quotations with their sources, then where they disagree.
//!
//! Border: a request in, Markdown out, within the output tokens that the request allows.

use super::evidence::{self, Evidence, Source};
use super::question::Question;
use super::rank::{self, Disagreement, Passage};
use quarry_types::{ChatRequest, Role, tokens};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::iter;

/// Quotations of one source at most.
const PER_SOURCE: usize = 3;
/// Further sources that are named for one quotation.
const ALSO: usize = 3;

/// Writes the answer.
pub(super) fn answer(request: &ChatRequest, question: &Question) -> String {
    let evidence = evidence::of_prompt(&request.messages);
    let passages = rank::passages(&evidence.sources, question);
    let limit = u64::from(request.max_output_tokens);
    let shown = chosen(&passages, most_passages(request));
    let disagreements = rank::disagreements(&passages, question);
    let mut out = opening(&evidence, &passages, quoted(&shown, &disagreements));
    for result in &evidence.results {
        push(&mut out, &format!("\n\nCalculated by a program: **{}**", one_line(result)), limit);
    }
    if !shown.is_empty() {
        push(&mut out, "\n\n**What the sources say**\n", limit);
    }
    for (at, passage) in shown.iter().enumerate() {
        if !push(&mut out, &quotation(at + 1, passage), limit) {
            break;
        }
    }
    if !disagreements.is_empty() {
        let mut block = "\n\n**Where sources seem to disagree**\n".to_owned();
        for disagreement in &disagreements {
            block.push_str(&difference(disagreement));
        }
        push(&mut out, &block, limit);
    }
    let missing = missing(&passages, question);
    if !passages.is_empty() && !missing.is_empty() {
        let words = missing.join(", ");
        push(&mut out, &format!("\n\nNo passage speaks of: {words}."), limit);
    }
    out
}

/// How many sources are quoted.
fn quoted(shown: &[&Passage<'_>], disagreements: &[Disagreement<'_, '_>]) -> usize {
    let differing = disagreements.iter().flat_map(|each| [each.one, each.other]);
    let passages = shown.iter().copied().chain(differing);
    let sources = passages.flat_map(|passage| {
        iter::once(passage.source).chain(passage.also.iter().take(ALSO).copied())
    });
    sources.map(|source| &source.url).collect::<BTreeSet<_>>().len()
}

fn opening(evidence: &Evidence, passages: &[Passage<'_>], quoted: usize) -> String {
    let plain = "No language model was used for this answer";
    let sources = evidence.sources.len();
    let noun = if sources == 1 { "source" } else { "sources" };
    let of = if quoted == sources { String::new() } else { format!("{quoted} of ") };
    match (passages.is_empty(), evidence.results.is_empty()) {
        (false, _) => format!(
            "{plain}: it consists of quotations from {of}{sources} {noun}, ranked by the words that they share with the question. Whether they answer it is for the reader to judge."
        ),
        (true, false) => format!("{plain}: it is the result of a program."),
        (true, true) if sources == 0 => {
            format!("{plain}, and no source was found. Nothing can be quoted.")
        }
        (true, true) => {
            format!(
                "{plain}, and no passage of the {sources} {noun} found shares words with the question."
            )
        }
    }
}

/// How many quotations the prompt's wish for length comes to.
fn most_passages(request: &ChatRequest) -> usize {
    let wants = |length: &str| {
        let phrase = format!("length: {length}");
        request
            .messages
            .iter()
            .filter(|message| message.role == Role::System)
            .any(|message| message.content.to_lowercase().contains(&phrase))
    };
    if wants("short") {
        4
    } else if wants("long") {
        12
    } else {
        7
    }
}

/// The best passages, not too many of one source.
fn chosen<'p, 'a>(passages: &'p [Passage<'a>], most: usize) -> Vec<&'p Passage<'a>> {
    let mut chosen: Vec<&Passage<'a>> = Vec::new();
    for passage in passages.iter().take(rank::quotable(passages)) {
        let of_source =
            chosen.iter().filter(|known| known.source.url == passage.source.url).count();
        if of_source < PER_SOURCE && chosen.len() < most {
            chosen.push(passage);
        }
    }
    chosen
}

fn quotation(number: usize, passage: &Passage<'_>) -> String {
    let mut line = format!("\n{number}. “{}” — {}", one_line(&passage.text), cited(passage.source));
    if !passage.also.is_empty() {
        let also: Vec<String> =
            passage.also.iter().take(ALSO).map(|source| cited(source)).collect();
        let _ = write!(line, "; much the same in {}", also.join(", "));
    }
    line
}

fn difference(disagreement: &Disagreement<'_, '_>) -> String {
    let Disagreement { what, one, other, is_newer } = disagreement;
    let newer = if *is_newer { " The first of them is newer." } else { "" };
    format!(
        "\n- On *{what}*: “{}” — {}; but “{}” — {}.{newer}",
        one_line(&one.text),
        cited(one.source),
        one_line(&other.text),
        cited(other.source)
    )
}

/// A Markdown citation that no title can break out of.
fn cited(source: &Source) -> String {
    let title = one_line(if source.title.is_empty() { &source.url } else { &source.title });
    let title = title.replace(['[', ']'], "");
    let url = source.url.replace('(', "%28").replace(')', "%29");
    match source.date.as_deref().filter(|date| !date.is_empty()) {
        Some(date) => format!("[{title}]({url}), {}", one_line(date)),
        None => format!("[{title}]({url})"),
    }
}

/// Terms of the question that no passage holds, as they were written.
fn missing(passages: &[Passage<'_>], question: &Question) -> Vec<String> {
    question
        .key_words()
        .into_iter()
        .filter(|word| {
            let terms = Question::new(word).terms;
            !terms.is_empty()
                && terms.iter().all(|term| {
                    !passages.iter().any(|passage| {
                        term.is_among(&passage.stems)
                            || term.is_among(&super::words::stems(&passage.source.title))
                    })
                })
        })
        .collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Appends a piece if it still fits.
fn push(out: &mut String, piece: &str, limit: u64) -> bool {
    let fits = tokens::estimate(out) + tokens::estimate(piece) <= limit;
    if fits {
        out.push_str(piece);
    }
    fits
}

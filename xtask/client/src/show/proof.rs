//! What an answer rests on, in the lines that stand behind it.
//!
//! Border: a final answer in, text out.

use super::Style;
use super::markers::name;
use super::words::{BRIEF, clean, difference, obstacle, shorten};
use quarry_events::{Citation, Conflict, FinalAnswer, Source};
use quarry_evidence::verify::Verdict;
use quarry_evidence::{Difference, Level, Reason, Side, Tier};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Characters that a line of names has at most.
const WIDTH: usize = 100;
/// Citations that are told one by one, and words of each.
const MOST: usize = 8;
/// Places that are shown, of one source and of all; and characters of a quotation.
const MOST_OF_SOURCE: usize = 2;
const MOST_PLACES: usize = 12;
const QUOTED: usize = 180;

/// The sources, what the check of the citations came to, the confidence, and what contradicts what; on a terminal of so
/// many columns.
pub fn proof(answer: &FinalAnswer, style: Style, columns: Option<usize>) -> String {
    let mut out = sources(answer, style, columns);
    let counts = Counts::of(answer);
    if counts.all() > 0 || answer.confidence.is_some() {
        out.push('\n');
    }
    if counts.all() > 0 {
        let _ = writeln!(out, "{} {}", style.paint("1", "Checked "), counts.words());
        doubts(&mut out, &answer.citations);
    }
    if let Some(confidence) = &answer.confidence {
        let level = match confidence.level {
            Level::Low => "low",
            Level::Medium => "medium",
            Level::High => "high",
        };
        let label = style.paint("1", "Confidence");
        let _ = writeln!(out, "{label} {level} ({:.2} of 1)", confidence.score);
    }
    for conflict in &answer.conflicts {
        disagreement(&mut out, conflict, style);
    }
    if !answer.unknown.is_empty() {
        let names: Vec<String> = answer.unknown.iter().map(|name| shorten(name, 60)).collect();
        let label = style.paint("1", "Taken out");
        let more = match answer.unknown_count.saturating_sub(names.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let _ = writeln!(out, "\n{label} because no source has it: {}{more}", names.join(", "));
    }
    if answer.unchecked > 0 {
        let label = style.paint("1", "Not checked");
        let _ = writeln!(out, "\n{label} {} citations: the answer has too many", answer.unchecked);
    }
    out
}

/// Those that the answer names by their numbers, and on fewer lines the others.
fn sources(answer: &FinalAnswer, style: Style, columns: Option<usize>) -> String {
    let numbers: BTreeSet<usize> = answer.citations.iter().filter_map(|it| it.n).collect();
    let is_cited = |source: &&Source| numbers.contains(&source.n);
    let (cited, others): (Vec<_>, Vec<_>) = answer.sources.iter().partition(is_cited);
    let mut out = String::new();
    if !cited.is_empty() {
        let _ = writeln!(out, "\n{}", style.paint("1", "Sources"));
    }
    let mut left = MOST_PLACES;
    for source in &cited {
        let url = style.paint("36", &clean(&source.url));
        let _ = writeln!(out, "  [{}] {} {url}", source.n, shorten(&source.title, BRIEF));
        places(&mut out, answer, source, &mut left, style);
    }
    if !others.is_empty() {
        let label = if cited.is_empty() { "Found, not cited" } else { "Also found" };
        let _ = writeln!(out, "\n{}", style.paint("1", label));
        let names = others.iter().map(|source| {
            let host = url::Url::parse(&source.url).ok();
            let host = host.as_ref().and_then(url::Url::host_str).map(|host| format!(" ({host})"));
            format!("{}{}", shorten(&source.title, 50), host.unwrap_or_default())
        });
        // They are moved in, and a comma may follow.
        let room = columns.map_or(WIDTH, |columns| WIDTH.min(columns.saturating_sub(3)));
        for line in wrapped(names, room) {
            let _ = writeln!(out, "  {}", style.paint("2", &line));
        }
    }
    out
}

/// A place of a page, and what it says to the answer's sentences.
struct Place<'a> {
    url: &'a str,
    /// Those that the answer does not quote itself.
    quotes: Vec<&'a str>,
}

/// The places of a source that the answer rests on, each once, though several sentences cite it.
fn places_of<'a>(answer: &'a FinalAnswer, source: &Source) -> Vec<Place<'a>> {
    let mut places: Vec<Place<'a>> = Vec::new();
    for Citation { n, verdict, quote, url, .. } in &answer.citations {
        let quote = quote.trim();
        if *n != Some(source.n) || *verdict == Verdict::NotFound || quote.is_empty() {
            continue;
        }
        let at = places.iter().position(|place| place.url == url).unwrap_or_else(|| {
            places.push(Place { url, quotes: Vec::new() });
            places.len() - 1
        });
        let Some(place) = places.get_mut(at) else { continue };
        if !answer.content.contains(quote) && !place.quotes.contains(&quote) {
            place.quotes.push(quote);
        }
    }
    places
}

/// What a source says to the answer's sentences, and where it stands there. What the answer quotes itself is not said
/// again, only where it stands.
fn places(out: &mut String, answer: &FinalAnswer, source: &Source, left: &mut usize, style: Style) {
    let (mut room, mut more) = (MOST_OF_SOURCE.min(*left), 0);
    for Place { url, quotes } in places_of(answer, source) {
        let has_address = url != source.url;
        let all = quotes.len().max(usize::from(has_address));
        let shown = all.min(room);
        (room, more, *left) = (room - shown, more + all - shown, *left - shown);
        for quote in quotes.iter().take(shown) {
            let _ = writeln!(out, "      “{}”", shorten(quote, QUOTED));
        }
        if has_address && shown > 0 {
            let _ = writeln!(out, "      {}", style.paint("2", &clean(url)));
        }
    }
    if more > 0 {
        let _ = writeln!(out, "      {}", style.paint("2", &format!("and {more} more")));
    }
}

/// Names in lines, with commas between them.
fn wrapped(names: impl Iterator<Item = String>, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for name in names {
        match lines.last_mut() {
            Some(line) if line.chars().count() + name.chars().count() + 2 <= room => {
                let _ = write!(line, ", {name}");
            }
            Some(line) => {
                line.push(',');
                lines.push(name);
            }
            None => lines.push(name),
        }
    }
    lines
}

/// How many sentences came to what.
#[derive(Default)]
struct Counts {
    supported: usize,
    partly: usize,
    not_found: usize,
    uncited: usize,
    /// Citations that failed beside one that holds: they are no sentences.
    failed: usize,
}

impl Counts {
    /// Markers in a row stand for one sentence: the best of them counts. Where an answer has no markers each citation
    /// stands for itself.
    fn of(answer: &FinalAnswer) -> Counts {
        let mut counts =
            Counts { uncited: answer.uncited, failed: answer.failed, ..Counts::default() };
        let mut row: Option<(Verdict, usize)> = None;
        for citation in &answer.citations {
            row = match row {
                Some((best, end)) if citation.start <= end + 1 && citation.start < citation.end => {
                    Some((best.max(citation.verdict), citation.end))
                }
                before => {
                    counts.add(before);
                    Some((citation.verdict, citation.end))
                }
            };
        }
        counts.add(row);
        counts
    }

    const fn add(&mut self, row: Option<(Verdict, usize)>) {
        match row {
            Some((Verdict::Supported, _)) => self.supported += 1,
            Some((Verdict::Partly, _)) => self.partly += 1,
            Some((Verdict::NotFound, _)) => self.not_found += 1,
            None => {}
        }
    }

    const fn all(&self) -> usize {
        self.supported + self.partly + self.not_found + self.uncited
    }

    fn words(&self) -> String {
        let all = self.all();
        let sentences = if all == 1 { "sentence" } else { "sentences" };
        let mut words = format!("{} of {all} {sentences} verified", self.supported);
        for (count, what) in [
            (self.partly, "to check"),
            (self.not_found, "unverified"),
            (self.uncited, "without a source"),
        ] {
            if count > 0 {
                let _ = write!(words, ", {count} {what}");
            }
        }
        if self.failed > 0 {
            let citations = if self.failed == 1 { "citation" } else { "citations" };
            let _ = write!(words, ", {} failed {citations} left out", self.failed);
        }
        words
    }
}

/// A line for each citation that does not hold as it stands.
fn doubts(out: &mut String, citations: &[Citation]) {
    let doubted = citations.iter().filter(|citation| citation.verdict != Verdict::Supported);
    let more = doubted.clone().count().saturating_sub(MOST);
    for citation in doubted.take(MOST) {
        let _ = writeln!(
            out,
            "  {} {}: {}",
            name(citation),
            shorten(&citation.title, 50),
            why(citation)
        );
    }
    if more > 0 {
        let _ = writeln!(out, "  and {more} more");
    }
    let count = |is: fn(&Citation) -> bool| citations.iter().filter(|it| is(it)).count();
    told(out, count(|it| it.by_model), ["verdict is", "verdicts are"], "a language model's");
    let others = ["citation names", "citations name"];
    told(
        out,
        count(|it| it.moved),
        others,
        "another source than the answer did: it says what that one does not",
    );
    let given = ["citation was", "citations were"];
    told(out, count(|it| it.added), given, "given to a sentence that had none");
}

/// How many of the citations something is true of.
fn told(out: &mut String, count: usize, [one, several]: [&str; 2], what: &str) {
    if count > 0 {
        let noun = if count == 1 { one } else { several };
        let _ = writeln!(out, "  {count} {noun} {what}");
    }
}

fn why(citation: &Citation) -> String {
    let mut parts = Vec::new();
    let says_more = !citation.missing.is_empty() || !citation.vetoes.is_empty();
    // Its number alone would read like one that is to be checked.
    if says_more && citation.n.is_some() && citation.verdict == Verdict::NotFound {
        parts.push("unverified".to_owned());
    }
    if !citation.missing.is_empty() {
        let words =
            citation.missing.iter().take(MOST).map(|word| format!("“{}”", shorten(word, 40)));
        let words = words.collect::<Vec<_>>().join(", ");
        let more = if citation.missing.len() > MOST { ", …" } else { "" };
        parts.push(format!("not there: {words}{more}"));
    }
    let differs: Vec<_> = citation.vetoes.iter().filter_map(|it| difference(*it)).collect();
    if !differs.is_empty() {
        parts.push(format!("what differs: {}", differs.join(", ")));
    }
    parts.extend(citation.vetoes.iter().filter_map(|it| obstacle(*it)).map(str::to_owned));
    if parts.is_empty() {
        let says = if citation.verdict == Verdict::NotFound {
            "says nothing of it"
        } else {
            "says part of it"
        };
        parts.push(says.to_owned());
    }
    if citation.by_model {
        parts.push("a language model judged this".to_owned());
    }
    parts.join("; ")
}

fn disagreement(out: &mut String, conflict: &Conflict, style: Style) {
    let what = match conflict.difference {
        Difference::Number => "on a number",
        Difference::Date => "on a date",
        Difference::Polarity => "on whether it is so",
    };
    let _ = writeln!(out, "\n{} {what}", style.paint("1", "Sources disagree"));
    for Side { url, title, date, quote, tier } in [&conflict.one, &conflict.other] {
        let date = date.as_deref().map_or_else(|| "no date".to_owned(), clean);
        let tier = match tier {
            Tier::Primary => "primary source",
            Tier::Secondary => "secondary source",
            Tier::Other => "other source",
        };
        let _ = writeln!(out, "  “{}”", shorten(quote, 400));
        let facts = format!("    {}, {date}, {tier}, {}", shorten(title, BRIEF), clean(url));
        let _ = writeln!(out, "{}", style.paint("2", &facts));
    }
    let reason = match conflict.reason {
        Some(Reason::Primary) => "The first is believed: it alone is a primary source.",
        Some(Reason::Newer) => "The first is believed: it is newer.",
        Some(Reason::Corrected) => "The first is believed: it corrects the other.",
        None => "Nothing settles which of them is right.",
    };
    let _ = writeln!(out, "  {reason}");
}

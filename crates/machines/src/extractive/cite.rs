//! How sources and their words are written down in Markdown.
//!
//! Border: typed evidence in, pieces of Markdown out that no title and no quotation can break.

use super::EvidenceSource;
use super::bounds;
use super::disagree::Disagreement;
use super::rank::Quotation;
use super::unsaid;
use quarry_evidence::is_own;
use std::cmp::Ordering;

/// Characters of a title, and of a date, that are shown.
const TITLE_CHARACTERS: usize = 200;
const DATE_CHARACTERS: usize = 40;
/// Further sources that are named for one sentence.
pub(super) const ALSO: usize = 3;

impl Quotation<'_> {
    /// The words of it that answer, as they are shown: `412 (thousand tonnes)`, `fewer than 5,000`.
    pub(super) fn shown_answer(&self) -> Option<String> {
        let span = self.span.as_ref()?;
        let is_bounded = self.is_figure && !unsaid::is_denied(&self.text, span.words.start);
        let bytes = span.bytes.clone();
        let bytes = if is_bounded { bounds::told(&self.text, &bytes) } else { bytes };
        let answer = self.text.get(bytes)?;
        let unit = self.unit.as_ref();
        Some(unit.map_or_else(|| answer.to_owned(), |unit| format!("{answer} ({unit})")))
    }
}

/// The words of a quotation. Between cells of a table there is a tab, and in a sentence that goes on in the
/// next line its end; Markdown shows neither.
pub(super) fn said(quotation: &Quotation<'_>) -> String {
    shown(&quotation.text)
}

/// Words of a source on one line.
pub(super) fn shown(text: &str) -> String {
    text.replace('\t', " | ").replace("\n\n", " ").replace('\n', " ")
}

/// A Markdown citation that no title can break out of.
pub(super) fn cited(source: &EvidenceSource<'_>) -> String {
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

/// A quotation in a list, with who says nearly the same.
pub(super) fn entry(quotation: &Quotation<'_>) -> String {
    let mut line = format!("“{}” — {}", said(quotation), cited(quotation.source));
    if !quotation.also.is_empty() {
        let also: Vec<String> =
            quotation.also.iter().take(ALSO).map(|also| cited(also.source)).collect();
        line.push_str(&format!("; much the same in {}", listed(&also)));
    }
    line
}

/// What another source says, in a list.
pub(super) fn difference(disagreement: &Disagreement<'_, '_>) -> String {
    let Disagreement { other, age, explained_by } = disagreement;
    let mut line = format!("- {}", claim(other));
    line.push_str(match age {
        Some(Ordering::Less) => " That is older.",
        Some(Ordering::Greater) => " That is newer.",
        Some(Ordering::Equal) | None => "",
    });
    if let Some(explained) = explained_by {
        line.push_str(&format!(
            " What may explain it: “{}” — {}.",
            said(explained),
            cited(explained.source)
        ));
    }
    line
}

/// The answer in a few words where a rule can tell, who says so, and the sentence itself.
pub(super) fn claim(quotation: &Quotation<'_>) -> String {
    let source = cited(quotation.source);
    match quotation.shown_answer() {
        Some(answer) => {
            let answer = shown(&answer).replace('*', "");
            format!("**{answer}**, according to {source}: “{}”", said(quotation))
        }
        None => format!("According to {source}: “{}”", said(quotation)),
    }
}

/// Who else says what these words say: who has the very same together, each other one with its own words, so that
/// they can be found there.
pub(super) fn same(words: &str, others: &[(&EvidenceSource<'_>, &str)]) -> String {
    let alike = others.iter().filter(|(_, own)| *own == words);
    let alike: Vec<String> = alike.map(|(source, _)| cited(source)).collect();
    let mut text = match alike.as_slice() {
        [] => String::new(),
        [one] => format!(" {one} says the same."),
        several => format!(" {} say the same.", listed(several)),
    };
    for (source, own) in others.iter().filter(|(_, own)| *own != words) {
        text.push_str(&format!(" {} says the same: “{}”", cited(source), shown(own)));
    }
    text
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

fn is_linkable(url: &str) -> bool {
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    (host.is_some_and(|host| !host.is_empty()) || is_own(url))
        && !url.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>'))
}

/// A text on one line, cut to a number of characters.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

//! A verdict in words.
//!
//! Border: a verdict and the quotations that it rests on in, Markdown out.

use super::super::cite::{cited, said, same, shown};
use super::super::rank::Quotation;
use super::{Answer, Said, Says, Verdict};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Other sources that are named for one verdict.
const ALSO: usize = 3;

/// The verdict in a word or a few.
pub(crate) fn in_short(verdict: &Verdict) -> String {
    match &verdict.answer {
        Answer::Yes => "Yes".to_owned(),
        Answer::No => "No".to_owned(),
        Answer::Side(side) => capital(side),
        Answer::Disagreed { .. } => "Sources disagree".to_owned(),
    }
}

/// The verdict as programs read it.
pub(crate) fn in_a_word(verdict: &Verdict) -> String {
    match &verdict.answer {
        Answer::Yes => "yes".to_owned(),
        Answer::No => "no".to_owned(),
        Answer::Side(side) => side.clone(),
        Answer::Disagreed { .. } => "disagree".to_owned(),
    }
}

/// The sentence that answers, with who says so; the quotations are those of [`Verdict::by`], and the one that is
/// against it.
pub(crate) fn lead(
    verdict: &Verdict,
    by: &[&Quotation<'_>],
    against: Option<&Quotation<'_>>,
) -> String {
    let short = in_short(verdict);
    let Some((first, rest)) = by.split_first() else { return String::new() };
    if let Some((against, Answer::Disagreed { leads_with_yes })) =
        against.map(|it| (it, &verdict.answer))
    {
        let (one, other) = if *leads_with_yes { ("Yes", "No") } else { ("No", "Yes") };
        let newer = match first.source.compare_published(against.source) {
            Some(Ordering::Greater) => " That is newer.",
            _ => "",
        };
        return format!("**{short}.** {}{newer} {}", claimed(one, first), claimed(other, against),);
    }
    if verdict.is_by_dates {
        return by_dates(&short, first, rest.first().unwrap_or(first));
    }
    let figure = match figure(first) {
        Some(figure) => format!(" ({figure})"),
        None => String::new(),
    };
    let mut text =
        format!("**{short}**{figure}, according to {}: “{}”", cited(first.source), said(first));
    let mut known = BTreeSet::from([first.source.n]);
    let also = first.also.iter().map(|also| (also.source, also.text.as_str()));
    let others = also.chain(rest.iter().map(|it| (it.source, it.text.as_str())));
    let others: Vec<_> = others.filter(|(source, _)| known.insert(source.n)).take(ALSO).collect();
    text.push_str(&same(&first.text, &others));
    text
}

fn claimed(what: &str, quotation: &Quotation<'_>) -> String {
    format!("{what}, according to {}: “{}”", cited(quotation.source), said(quotation))
}

/// The figure that tells.
fn figure(quotation: &Quotation<'_>) -> Option<String> {
    let figure = quotation.said.iter().find_map(|said| said.figure.clone())?;
    quotation.text.get(figure).map(|figure| shown(figure).replace('*', ""))
}

/// When two things happened, and what follows.
fn by_dates(short: &str, first: &Quotation<'_>, second: &Quotation<'_>) -> String {
    let when = |quotation: &Quotation<'_>, event: usize| {
        let is_it = |it: &&Said| matches!(it.says, Says::Event(which, _) if which == event);
        let bytes = quotation.said.iter().find(is_it).and_then(|it| it.figure.clone());
        bytes.and_then(|bytes| quotation.text.get(bytes)).map(shown).unwrap_or_default()
    };
    let (one, other) = (when(first, 0), when(second, 1));
    if first.place == second.place {
        return claimed(&format!("**{short}**, going by the dates ({one} and {other})"), first);
    }
    format!(
        "**{short}**, going by the dates. {} {}",
        claimed(&capital(&one), first),
        claimed(&capital(&other), second)
    )
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).collect()
}

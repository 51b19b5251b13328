//! Answers that rules wrote: each link to a source stands beside words that were cut from it.
//!
//! Border: such an answer in; the same with numbered links to the places, and what each rests on, out. Pure;
//! linear in the answer.

use super::compose::Out;
use super::known::{Known, Target};
use super::links::{Link, links};
use super::marker::{Marker, Origin};
use super::proof::{Named, Proof};
use crate::verify::{Check, Claim, Verdict, Veto, squeezed};
use std::collections::BTreeSet;
use std::ops::Range;

/// An answer of rules: `[Title](address)` becomes `Title [n](address of the place)`, and is told before. Of
/// the quotations around a link, it stands beside the one that its page has.
#[must_use]
pub fn quoting(answer: &str, known: &Known) -> (Vec<Out>, Proof) {
    let mut written = Written::default();
    for line in answer.split_inclusive('\n') {
        written.line(line, known);
    }
    (written.out, written.proof)
}

#[derive(Default)]
struct Written {
    out: Vec<Out>,
    proof: Proof,
    /// Code points.
    length: usize,
}

impl Written {
    fn line(&mut self, line: &str, known: &Known) {
        let mut passed = 0;
        let mut behind = 0;
        let mut quoted = quoted(line).into_iter().peekable();
        for link in links(line) {
            let target = known.by_address(link.address);
            let since = line.get(std::mem::replace(&mut behind, link.end)..link.start);
            // Words that were cut from a page are its words, whatever they look like.
            while quoted.next_if(|quoted| quoted.end <= link.start).is_some() {}
            if quoted.peek().is_some_and(|quoted| quoted.start < link.start) {
                continue;
            }
            let quotes = quotations(line, since.unwrap_or_default(), &link);
            let check = target.and_then(|target| check(&quotes, &link, target, known));
            let Some((claim, check)) = check else { continue };
            self.text(line.get(passed..link.start).unwrap_or_default());
            self.text(link.label);
            self.text(" ");
            self.cite(claim, &check, known);
            passed = link.end;
        }
        self.text(line.get(passed..).unwrap_or_default());
    }

    fn text(&mut self, text: &str) {
        self.length += text.chars().count();
        match self.out.last_mut() {
            Some(Out::Text(before)) => before.push_str(text),
            _ => self.out.push(Out::Text(text.to_owned())),
        }
    }

    fn cite(&mut self, claim: &str, check: &Check, known: &Known) {
        let numbers = &mut self.proof.numbers;
        let marker = Marker::new(known, claim, check, Origin::Cited, numbers, self.length);
        let Some(Marker { text, citation }) = marker else { return };
        if let Some(passage) = known.passage(check.passage) {
            let citation = Some(self.proof.citations.len());
            self.proof.named.push(Named { source: passage.source, citation });
        }
        self.proof.citations.push(citation.clone());
        self.out.push(Out::Citation(Box::new(citation)));
        self.text(&text);
    }
}

/// What a link rests on: the passage of its source that has one of the quotations; which of them, and what of
/// the passage.
fn check<'l>(
    quotes: &[&'l str],
    link: &Link<'l>,
    target: Target,
    known: &Known,
) -> Option<(&'l str, Check)> {
    let range = known.range(known.source_of(target)?);
    let best = |claim: &Claim| known.index().best_in(claim, range.clone());
    let mut first = None;
    for quote in quotes {
        let claim = Claim::new(quote);
        let Some(check) = best(&claim) else { continue };
        // What stands there word for word is there, however short or odd it is.
        let words = plain(quote);
        let is_there = |at: &usize| plain(known.text(*at)).contains(&words);
        let mut places = [check.passage].into_iter().chain(range.clone());
        let place = if words.is_empty() { None } else { places.find(is_there) };
        if let Some(at) = place {
            let elsewhere = (at != check.passage).then(|| known.index().check(&claim, at));
            let there = elsewhere.flatten().unwrap_or(check);
            let (verdict, vetoes) = match known.index().is_unread(at) {
                true => (Verdict::Partly, BTreeSet::from([Veto::Unread])),
                false => (Verdict::Supported, BTreeSet::new()),
            };
            let missing = Vec::new();
            return Some((quote, Check { verdict, coverage: 1.0, vetoes, missing, ..there }));
        }
        first = first.or(Some((*quote, check)));
    }
    first.or_else(|| Some((link.label, best(&Claim::new(link.label))?)))
}

/// The quotations of a line, in order, those within others left out. A mark that nothing closes opens none.
fn quoted(line: &str) -> Vec<Range<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut quoted: Vec<Range<usize>> = Vec::new();
    for (at, mark) in line.match_indices(['“', '”']) {
        if mark == "“" {
            open.push(at);
        } else if let Some(start) = open.pop() {
            while quoted.pop_if(|inner| inner.start > start).is_some() {}
            quoted.push(start..at);
        }
    }
    quoted
}

/// A text without what Markdown and tables put between its words.
fn plain(text: &str) -> String {
    squeezed(&text.replace(['|', '\t', '*', '_', '`', '#', '[', ']'], " "))
}

/// The quotations that a link on this line may stand beside: the last one since the link before, the next one,
/// the last of all before.
fn quotations<'l>(line: &'l str, since: &'l str, link: &Link<'_>) -> Vec<&'l str> {
    let last = |before: &'l str| {
        let end = before.rfind('”')?;
        let start = before.get(..end)?.rfind('“')? + '“'.len_utf8();
        before.get(start..end)
    };
    let next = || {
        let behind = line.get(link.end..)?;
        let start = behind.find('“')? + '“'.len_utf8();
        let end = behind.get(start..)?.find('”')?;
        behind.get(start..start + end)
    };
    [last(since), next(), line.get(..link.start).and_then(last)].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Anchor, Content, Finding, Passage, Source};
    use proptest::prelude::*;

    fn source(n: usize, title: &str, texts: &[&str]) -> Source {
        let url = format!("https://{n}.example/(x)");
        let passages = texts.iter().enumerate().map(|(at, text)| {
            let anchor = Anchor::new(format!("p-{n}-{at}"));
            Passage::new(anchor, Vec::new(), (*text).to_owned(), &format!("{url}#p-{n}-{at}"))
        });
        let content = Content::Passages(passages.collect());
        let title = Some(title.to_owned());
        Source::new(n, Finding { url: url.clone(), title, content, ..Finding::default() })
    }

    fn known() -> Known {
        Known::new(&[
            source(1, "Never cited", &["Bread of the island is baked from rye."]),
            source(2, "Light", &["Boats leave daily.", "The tower has **196** steps. It is old."]),
            source(3, "Board", &["Steps\t196\nHeight\t44 m"]),
        ])
    }

    #[test]
    fn a_quotation_has_the_number_and_the_place_of_its_source() {
        let known = known();
        let answer = "**196**, according to [Light](https://2.example/%28x%29), 2024: “The tower has 196 steps.” \
            [Board](https://3.example/(x)) says the same.\n- “Height | 44 m” — [Board](https://3.example/(x))\n\
            See [elsewhere](https://4.example/).";
        let (out, proof) = quoting(answer, &known);
        let text: String = out
            .iter()
            .filter_map(|out| match out {
                Out::Text(text) => Some(text.as_str()),
                Out::Citation(_) => None,
            })
            .collect();
        assert_eq!(
            text,
            "**196**, according to Light [1](https://2.example/%28x%29#p-2-1), 2024: “The tower has 196 steps.” \
             Board [2](https://3.example/%28x%29#p-3-0) says the same.\n\
             - “Height | 44 m” — Board [2](https://3.example/%28x%29#p-3-0)\n\
             See [elsewhere](https://4.example/)."
        );
        let verdicts: Vec<_> = proof.citations.iter().map(|it| (it.n, it.verdict)).collect();
        let (first, same) = (verdicts[0], verdicts[1]);
        assert_eq!(first, (Some(1), Verdict::Supported));
        assert_eq!((same.0, verdicts[2]), (Some(2), (Some(2), Verdict::Supported)));
        assert!(same.1 != Verdict::Supported, "whether it says the same is checked");
        assert!(proof.citations[0].quote.contains("196"));
    }

    #[test]
    fn a_mark_that_nothing_closes_takes_no_link_with_it() {
        let link = "[Light](https://2.example/(x))";
        let cited = |answer: &str| quoting(answer, &known()).1.citations.len();
        for (answer, expected) in [
            (format!("“The tower has 196 steps. {link} and {link}"), 2),
            (format!("“It is old. “The tower has 196 steps.” {link}"), 1),
            (format!("“It is old. {link} “The tower has 196 steps.” {link}"), 2),
            // What stands in a quotation is cut from a page.
            (format!("“The “tower” has {link} steps.” {link}"), 1),
            (format!("“{link}”, “{link}” {link}"), 1),
            (format!("It has 196 steps.” {link}"), 1),
        ] {
            assert_eq!(cited(&answer), expected, "{answer}");
        }
    }

    proptest! {
        #[test]
        fn any_answer_keeps_its_text_and_positions_hold(
            parts in prop::collection::vec(
                prop_oneof![
                    Just("[Light](https://2.example/(x))".to_owned()), Just("“".to_owned()), Just("”".to_owned()),
                    Just("The tower has 196 steps.".to_owned()), Just("[".to_owned()), Just("](".to_owned()),
                    Just("\n".to_owned()), Just("é ".to_owned()), ".{0,5}",
                ],
                0..24,
            )
        ) {
            let known = known();
            let (out, proof) = quoting(&parts.concat(), &known);
            let mut text = String::new();
            for out in out {
                match out {
                    Out::Text(piece) => text.push_str(&piece),
                    Out::Citation(citation) => prop_assert_eq!(citation.start, text.chars().count()),
                }
            }
            let characters: Vec<char> = text.chars().collect();
            for citation in proof.citations {
                let marker: String = characters[citation.start..citation.end].iter().collect();
                let start = format!("[{}](", citation.n.unwrap());
                prop_assert!(marker.starts_with(&start), "{}", marker);
            }
        }
    }
}

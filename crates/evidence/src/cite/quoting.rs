//! Answers that rules wrote: each link to a source stands beside words that were cut from it.
//!
//! Border: such an answer in; the same with numbered links to the places, and what each rests on, out. Pure;
//! linear in the answer.

use super::compose::{Origin, Out, Proof, citation};
use super::known::{Known, Target};
use super::links::{Link, links};
use crate::verify::{Check, Claim, Verdict, squeezed};

/// An answer of rules: `[Title](address)` becomes `Title [n](address of the place)`, and is told before. The
/// quotation of a link is the one before it on its line, or else the one behind it.
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
        for link in links(line) {
            let target = known.by_address(link.address);
            let claim = quotation(line, &link);
            let check = target.and_then(|target| check(claim, &link, target, known));
            let Some(check) = check else { continue };
            self.text(line.get(passed..link.start).unwrap_or_default());
            self.text(link.label);
            self.text(" ");
            self.cite(claim.unwrap_or(link.label), &check, known);
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
        let Some(citable) = known.passage(check.passage) else { return };
        let n = self.proof.numbers.of(citable.source);
        let marker = format!("[{n}]({})", citable.address);
        let place = self.length..self.length + marker.chars().count();
        if let Some(citation) = citation(known, claim, check, Origin::Cited, Some(n), place) {
            self.proof.citations.push(citation.clone());
            self.out.push(Out::Citation(Box::new(citation)));
        }
        self.text(&marker);
    }
}

/// What a link rests on: the passage of its source that has the quotation.
fn check(quote: Option<&str>, link: &Link<'_>, target: Target, known: &Known) -> Option<Check> {
    let range = known.range(known.source_of(target)?);
    let claim = Claim::new(quote.unwrap_or(link.label));
    let mut check = known.index().best_in(&claim, range.clone())?;
    let Some(quote) = quote else { return Some(check) };
    // What stands there word for word is there, however short or odd it is.
    let words = plain(quote);
    let is_there = |at: &usize| plain(known.text(*at)).contains(&words);
    let places = [check.passage].into_iter().chain(range);
    if let Some(at) = places.into_iter().find(is_there).filter(|_| !words.is_empty()) {
        if at != check.passage {
            check = known.index().check(&claim, at)?;
        }
        check.verdict = Verdict::Supported;
        check.coverage = 1.0;
        check.vetoes.clear();
        check.missing.clear();
    }
    Some(check)
}

/// A text without what Markdown and tables put between its words.
fn plain(text: &str) -> String {
    squeezed(&text.replace(['|', '\t', '*', '_', '`', '#', '[', ']'], " "))
}

/// The quotation that a link on this line stands beside.
fn quotation<'l>(line: &'l str, link: &Link<'_>) -> Option<&'l str> {
    let before = line.get(..link.start)?;
    let nearest = before.rfind('”').and_then(|end| {
        let start = before.get(..end)?.rfind('“')? + '“'.len_utf8();
        before.get(start..end)
    });
    nearest.or_else(|| {
        let behind = line.get(link.end..)?;
        let start = behind.find('“')? + '“'.len_utf8();
        let end = behind.get(start..)?.find('”')?;
        behind.get(start..start + end)
    })
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

//! Passages as a model is shown them: each under the short name that it may cite.
//!
//! Border: sources, a question and the room of a prompt in; text out. Where not all fits, what shares words
//! with the question comes first. Linear in the sources.

use super::known::{Listed, listed};
use super::relevance::{scores, wanted};
use crate::Source;
use crate::text::{sentences, stem, tokens};
use quarry_types::order::{self, Gather};
use quarry_types::text::cut;
use std::collections::{BTreeMap, BTreeSet};

/// How much room a prompt has, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// For one passage.
    pub of_passage: usize,
    /// For all passages of one source.
    pub of_source: usize,
    /// For all.
    pub of_all: usize,
}

/// Passages below this many characters are not worth their name.
const LEAST: usize = 40;

/// The passages that serve a question best, as far as there is room, in the order of their pages.
#[must_use]
pub fn shown(sources: &[Source], question: &str, room: Room) -> String {
    joined(blocks(sources, question, room))
}

/// What a prompt shows of sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// As [`shown`].
    pub text: String,
    /// The numbers of the sources of which that has anything.
    pub sources: BTreeSet<usize>,
}

impl Shown {
    /// The passages that serve a question best, and whose they are: found once for both.
    #[must_use]
    pub fn of(sources: &[Source], question: &str, room: Room) -> Shown {
        let blocks = blocks(sources, question, room);
        let shown = listed(sources).enumerate().filter(|(at, _)| blocks.contains_key(at));
        let shown = shown.filter_map(|(_, passage)| sources.get(passage.source));
        let numbers = shown.map(|source| source.n).gather();
        Shown { text: joined(blocks), sources: numbers }
    }
}

fn joined(blocks: BTreeMap<usize, String>) -> String {
    blocks.into_values().collect::<Vec<_>>().join("\n\n")
}

/// What is shown, by the place of its passage.
// Once in a component, and not once for each who asks.
#[inline(never)]
fn blocks(sources: &[Source], question: &str, room: Room) -> BTreeMap<usize, String> {
    let all: Vec<Listed<'_>> = listed(sources).collect();
    let wanted = wanted(question);
    let order = if fits(sources, &all, room) {
        (0..all.len()).collect()
    } else {
        ranked(sources, &all, &wanted)
    };
    let mut used = vec![0_usize; sources.len()];
    let mut left = room.of_all;
    let mut blocks = BTreeMap::new();
    for at in order {
        let Some(passage) = all.get(at) else { continue };
        let Some((source, used)) = sources.get(passage.source).zip(used.get_mut(passage.source))
        else {
            continue;
        };
        let head = head(source, passage);
        let gap = if blocks.is_empty() { 0 } else { 2 };
        let around = head.chars().count() + gap + 1;
        let most = room.of_passage.min(room.of_source.saturating_sub(*used));
        let most = most.min(left.saturating_sub(around));
        if most < LEAST.min(passage.text.chars().count()) {
            continue;
        }
        let text = excerpt(passage.text, most, &wanted);
        let characters = text.chars().count();
        *used += characters;
        left -= characters + around;
        blocks.insert(at, format!("{head}\n{text}"));
    }
    blocks
}

fn fits(sources: &[Source], all: &[Listed<'_>], room: Room) -> bool {
    let mut of_source = vec![0_usize; sources.len()];
    let mut sum = 0;
    all.iter().all(|passage| {
        let text = passage.text.chars().count();
        let head =
            sources.get(passage.source).map_or(0, |source| head(source, passage).chars().count());
        sum += text + head + 3;
        let of_source = of_source.get_mut(passage.source);
        let of_source = of_source.is_none_or(|of_source| {
            *of_source += text;
            *of_source <= room.of_source
        });
        of_source && text <= room.of_passage && sum <= room.of_all
    })
}

/// `[q7] Title > Heading (date)`.
fn head(source: &Source, passage: &Listed<'_>) -> String {
    let headings = passage.passage.map_or(&[][..], |passage| &passage.headings);
    let above: String = headings.iter().map(|heading| format!(" > {heading}")).collect();
    let date = source.date.as_ref().map(|date| format!(" ({date})")).unwrap_or_default();
    format!("[{}] {}{above}{date}", passage.id, source.title)
}

/// The places of the passages, best first.
fn ranked(sources: &[Source], all: &[Listed<'_>], wanted: &BTreeSet<String>) -> Vec<usize> {
    let scores = scores(sources, all, wanted);
    let mut order: Vec<(f64, usize)> = scores.into_iter().zip(0..).collect();
    // What is alike stays in the order of the pages.
    order::sort_by(&mut order, |(one, _), (other, _)| other.total_cmp(one));
    order.into_iter().map(|(_, at)| at).collect()
}

/// So many characters of a text: its beginning, or what begins with the sentence that has most of what is
/// wanted, where that lies further behind.
fn excerpt(text: &str, most: usize, wanted: &BTreeSet<String>) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let has = |range: &std::ops::Range<usize>| {
        let words = tokens(text.get(range.clone()).unwrap_or_default());
        let stems = words.iter().map(|token| stem(&token.word));
        stems.filter(|stem| wanted.contains(stem.as_ref())).gather::<BTreeSet<_>>().len()
    };
    let best = sentences(text).into_iter().map(|range| (has(&range), range.start));
    // Of those that have as much, the first.
    let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let start = best.map_or(0, |(_, start)| start);
    let rest = text.get(start..).unwrap_or(text);
    if start == 0 { cut(text, most) } else { format!("…{}", cut(rest, most.saturating_sub(1))) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cite::{Known, PassageId, Target};
    use crate::{Anchor, Content, Finding, Passage};
    use proptest::prelude::*;

    const WIDE: Room = Room { of_passage: 9_000, of_source: 9_000, of_all: 9_000 };

    fn source(n: usize, title: &str, passages: &[(&str, &str)]) -> Source {
        let url = format!("https://{n}.example/");
        let passages = passages.iter().map(|(heading, text)| {
            let anchor = Anchor::new(format!("p-{heading}"));
            Passage::new(anchor, vec![(*heading).to_owned()], (*text).to_owned(), &url)
        });
        let content = Content::new("", passages.collect());
        let description = "said of it".to_owned();
        let title = Some(title.to_owned());
        Source::new(
            n,
            Finding { url: url.clone(), title, description, content, ..Finding::default() },
        )
    }

    fn sources() -> Vec<Source> {
        let lamp = [
            ("Light", "The lamp of Sker shines white. It was lit in 1823 by the keeper."),
            ("Fog", "A horn is blown in fog. The horn is as old as the harbour wall."),
        ];
        vec![source(1, "The Lamp", &lamp), source(2, "Bread", &[])]
    }

    #[test]
    fn what_fits_is_shown_whole_in_its_order() {
        assert_eq!(
            shown(&sources(), "Who blows a horn?", WIDE),
            "[q1] The Lamp > Light\nThe lamp of Sker shines white. It was lit in 1823 by the keeper.\n\n\
             [q2] The Lamp > Fog\nA horn is blown in fog. The horn is as old as the harbour wall.\n\n\
             [q3] Bread\nsaid of it"
        );
        assert_eq!(shown(&[], "x", WIDE), "");
    }

    #[test]
    fn where_room_is_short_what_is_asked_for_comes_first() {
        let room = Room { of_all: 90, ..WIDE };
        let horn = shown(&sources(), "How old is the horn?", room);
        assert!(horn.starts_with("[q2] The Lamp > Fog\nA horn"), "{horn}");
        let of_source = shown(&sources(), "How old is the horn?", Room { of_source: 64, ..WIDE });
        assert!(
            of_source.contains("[q2]") && of_source.contains("[q3]") && !of_source.contains("[q1]")
        );
        // Of a passage that is cut, the sentence that says it is shown.
        let lit = shown(
            &sources(),
            "When was it lit by a keeper?",
            Room { of_passage: 40, of_all: 70, ..WIDE },
        );
        assert_eq!(lit, "[q1] The Lamp > Light\n…It was lit in 1823 by the keeper.");
    }

    #[test]
    fn a_source_of_which_nothing_is_shown_is_not_among_those_shown() {
        let (question, narrow) = ("How old is the horn?", Room { of_all: 90, ..WIDE });
        for (room, numbers) in [(WIDE, &[1, 2][..]), (narrow, &[1])] {
            let both = Shown::of(&sources(), question, room);
            assert_eq!(both.sources, BTreeSet::from_iter(numbers.iter().copied()));
            assert_eq!(both.text, shown(&sources(), question, room));
        }
    }

    proptest! {
        #[test]
        fn names_are_those_of_the_answer_and_the_room_is_kept(
            texts in prop::collection::vec(prop::collection::vec("[a-z ]{0,60}\\. [A-Z]{0,30}", 0..5), 0..5),
            of_passage in 0_usize..120, of_source in 0_usize..200, of_all in 0_usize..600,
        ) {
            let sources: Vec<Source> = texts
                .iter()
                .enumerate()
                .map(|(at, texts)| {
                    let texts: Vec<(&str, &str)> = texts.iter().map(|text| ("H", text.as_str())).collect();
                    source(at + 1, "T", &texts)
                })
                .collect();
            let shown = shown(&sources, "abc def", Room { of_passage, of_source, of_all });
            prop_assert!(shown.chars().count() <= of_all, "{}", shown);
            let known = Known::new(&sources);
            for listed in listed(&sources) {
                let Some(Target::Passage(at)) = known.by_id(listed.id) else { panic!() };
                prop_assert_eq!(known.text(at), listed.text);
                prop_assert_eq!(known.passage(at).unwrap().source, listed.source);
                prop_assert!(known.range(listed.source).contains(&at));
            }
            for line in shown.lines().filter(|line| line.starts_with("[q")) {
                let id = line[1..].split(']').next().and_then(PassageId::parse).unwrap();
                prop_assert!(known.by_id(id).is_some());
            }
        }
    }
}

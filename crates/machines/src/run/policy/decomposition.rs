//! The decomposition policy: how a question that its own evidence does not answer is parted.
//!
//! Border: questions in, parts out; whether a question is answered is for the sufficiency policy to say.
//!
//! | rule | in figures |
//! |---|---|
//! | when | only a node that was judged insufficient, above `max_depth`, while the tree is below `max_nodes` and the run below `max_sources` |
//! | what from | its gaps: the model parts along them; by rule, what the question asks one by one, and of that what a gap names |
//! | how many | `decompose_max_children`, and never more than the tree has room for |
//! | a repetition | shares 0.8 of its stems (Jaccard) with its parent, another question of the tree or another part; unless one asks *when* and the other *who*, or one asks several things and the other one of them |
//! | what becomes of it | it is dropped with the reason; with none left the node is unresolved, `duplicate` |
//! | length | 2,000 characters; the rest is cut off |

use super::stems::{content, jaccard, told};
use crate::core::reply;
use crate::extractive;
use quarry_events::run::{DroppedChild, ResolutionReason};
use quarry_evidence::text::tokens;
use quarry_types::Knobs;
use quarry_types::order::Gather;
use quarry_types::text::cut;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Of these rules. A run that was begun under another is resumed only when that is asked for.
pub const VERSION: u32 = 2;

/// What two questions share that are one.
const REPEATS: f64 = 0.8;
/// … so that of so many stems of one of them there is at most one that the other has not.
const ONE_NOT_SHARED_OF: usize = 5;
/// Characters of a part.
const PART_CHARACTERS: usize = 2_000;
/// Characters of a question that a reason shows.
const SHOWN_CHARACTERS: usize = 120;
/// Parts that are looked at.
const MOST_READ: usize = 32;
/// Words that ask, by what they ask for. Before anything but an auxiliary `how` asks *what*: how long, how many.
const ASKING: [(&str, Asks); 27] = [
    ("combien", Asks::What),
    ("comment", Asks::How),
    ("como", Asks::How),
    ("cual", Asks::What),
    ("cuando", Asks::When),
    ("cuanto", Asks::What),
    ("donde", Asks::Where),
    ("how", Asks::How),
    ("pourquoi", Asks::Why),
    ("quand", Asks::When),
    ("quel", Asks::What),
    ("quelle", Asks::What),
    ("qui", Asks::Who),
    ("quien", Asks::Who),
    ("wann", Asks::When),
    ("warum", Asks::Why),
    ("welche", Asks::What),
    ("wer", Asks::Who),
    ("what", Asks::What),
    ("when", Asks::When),
    ("where", Asks::Where),
    ("which", Asks::What),
    ("who", Asks::Who),
    ("whom", Asks::Who),
    ("why", Asks::Why),
    ("wie", Asks::How),
    ("wo", Asks::Where),
];
/// What follows a `how` that asks for a way.
const AUXILIARIES: [&str; 18] = [
    "are", "can", "could", "did", "do", "does", "had", "has", "have", "is", "kann", "should", "to",
    "was", "were", "will", "would", "wurde",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Asks {
    How,
    What,
    When,
    Where,
    Who,
    Why,
}

/// The parts of a question, and those that were left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Chosen {
    /// In the order in which they are taken up.
    pub children: Vec<String>,
    /// With the reason.
    pub dropped: Vec<DroppedChild>,
}

/// The parts that a model's reply names.
#[must_use]
pub fn read_reply(text: &str) -> Vec<String> {
    let Some(value) = reply::object(text, "parts") else { return Vec::new() };
    let names = ["parts", "questions", "sub_questions", "children"];
    names.iter().find_map(|name| reply::texts_of(&value, name, MOST_READ)).unwrap_or_default()
}

/// How many nodes may be added below one of this depth, or why none. `nodes`: those of the whole tree.
pub fn room(depth: u32, nodes: usize, knobs: &Knobs) -> Result<usize, ResolutionReason> {
    if depth >= knobs.max_depth {
        return Err(ResolutionReason::Depth);
    }
    let most = usize::try_from(knobs.max_nodes).unwrap_or(usize::MAX);
    most.checked_sub(nodes).filter(|room| *room > 0).ok_or(ResolutionReason::Policy)
}

/// The questions of a tree, taken apart once. Made anew where they are lost, or one of them is asked otherwise.
#[derive(Debug, Default)]
pub struct Questions {
    asked: Vec<Asked>,
    /// By stem: the places of those that have it.
    having: BTreeMap<String, Vec<usize>>,
}

impl Questions {
    /// Takes in what was asked, or is asked otherwise, since the last call.
    fn take_in(&mut self, all_questions: &[&str]) {
        let is_known = self.asked.len() <= all_questions.len()
            && self
                .asked
                .iter()
                .zip(all_questions)
                .all(|(known, question)| known.question == *question);
        if !is_known {
            *self = Questions::default();
        }
        for (at, question) in all_questions.iter().enumerate().skip(self.asked.len()) {
            let asked = Asked::of(question);
            for stem in &asked.stems {
                self.having.entry(stem.clone()).or_default().push(at);
            }
            self.asked.push(asked);
        }
    }

    /// The first that this one repeats. What repeats it shares so many of its stems that it has one of any few of them:
    /// those that the fewest have tell where to look.
    fn repeated_by(&self, asked: &Asked) -> Option<&Asked> {
        let none: &[usize] = &[];
        let mut places: Vec<&[usize]> = asked
            .stems
            .iter()
            .map(|stem| self.having.get(stem).map_or(none, Vec::as_slice))
            .collect();
        places.sort_unstable_by_key(|places| places.len());
        let few = places.len() / ONE_NOT_SHARED_OF + 1;
        let near: BTreeSet<usize> = places.into_iter().take(few).flatten().copied().gather();
        near.into_iter().filter_map(|at| self.asked.get(at)).find(|other| asked.repeats(other))
    }
}

/// Which of the proposed parts are asked. `all_questions`: those of the tree; `room`: nodes that may be added.
#[must_use]
pub fn choose(
    proposed: Vec<String>,
    parent: &str,
    (all_questions, questions): (&[&str], &mut Questions),
    knobs: &Knobs,
    room: usize,
) -> Chosen {
    let most = usize::try_from(knobs.decompose_max_children).unwrap_or(usize::MAX).min(room);
    let parent = Asked::of(parent);
    questions.take_in(all_questions);
    let mut kept: Vec<Asked> = Vec::new();
    let mut chosen = Chosen::default();
    for question in proposed.into_iter().take(MOST_READ) {
        let question = cut(question.trim(), PART_CHARACTERS);
        if question.is_empty() {
            continue;
        }
        let asked = Asked::of(&question);
        let repeats = |other: &Asked| asked.repeats(other);
        let elsewhere = || questions.repeated_by(&asked);
        let here = || kept.iter().position(repeats).and_then(|at| chosen.children.get(at));
        let shown = |other: &str| cut(other, SHOWN_CHARACTERS);
        let reason = if asked.stems.is_empty() {
            Some("it asks nothing".to_owned())
        } else if repeats(&parent) {
            Some("it repeats the question that it is a part of".to_owned())
        } else if let Some(other) = elsewhere() {
            Some(format!("it repeats a question of the tree: {}", shown(&other.question)))
        } else if let Some(other) = here() {
            Some(format!("it repeats another part: {}", shown(other)))
        } else if kept.len() >= most {
            Some(format!("there is room for {most} parts"))
        } else {
            None
        };
        match reason {
            Some(reason) => chosen.dropped.push(DroppedChild { question, reason }),
            None => {
                kept.push(asked);
                chosen.children.push(question);
            }
        }
    }
    chosen
}

/// The parts of a question that asks several things, each standing alone, and of those the ones that a gap
/// names; all where no gap names any. None of a question that asks one thing.
#[must_use]
pub fn by_rule(parent: &str, gaps: &[String]) -> Vec<String> {
    let parts = extractive::parts(parent);
    if parts.len() < 2 {
        return Vec::new();
    }
    let gaps: Vec<&str> = gaps.iter().map(String::as_str).collect();
    let open = parts.iter().zip(told(&parts, &gaps)).filter(|(_, is_open)| *is_open);
    let open: Vec<String> = open.map(|(part, _)| part.clone()).collect();
    if open.is_empty() { parts } else { open }
}

/// What a question asks, as far as that tells whether another asks the same.
#[derive(Debug)]
struct Asked {
    question: String,
    stems: BTreeSet<String>,
    /// Looked at for those alone whose stems are another's, too: of a long run these are few.
    form: OnceCell<Form>,
}

/// How a question asks.
#[derive(Debug)]
struct Form {
    asks: BTreeSet<Asks>,
    /// How many things at once.
    things: usize,
}

impl Form {
    fn of(question: &str) -> Form {
        let found = tokens(question);
        let behind = found.iter().skip(1).map(Some).chain([None]);
        let asks = found.iter().zip(behind).filter_map(|(token, next)| {
            let (_, asks) = ASKING.iter().find(|(word, _)| *word == token.word)?;
            let is_way = next.is_none_or(|next| AUXILIARIES.contains(&next.word.as_str()));
            Some(if *asks == Asks::How && !is_way { Asks::What } else { *asks })
        });
        Form { asks: asks.gather(), things: extractive::parts(question).len() }
    }
}

impl Asked {
    fn of(question: &str) -> Asked {
        let (question, stems) = (question.to_owned(), content(question));
        Asked { question, stems, form: OnceCell::new() }
    }

    fn form(&self) -> &Form {
        self.form.get_or_init(|| Form::of(&self.question))
    }

    fn repeats(&self, other: &Asked) -> bool {
        if jaccard(&self.stems, &other.stems) < REPEATS {
            return false;
        }
        let (own, others) = (self.form(), other.form());
        let may_ask_the_same =
            own.asks.is_empty() || others.asks.is_empty() || own.asks == others.asks;
        let is_one_of_several = |part: &Asked, whole: &Asked| {
            part.form().things < whole.form().things
                && part.stems.len() < whole.stems.len()
                && part.stems.is_subset(&whole.stems)
        };
        may_ask_the_same && !is_one_of_several(self, other) && !is_one_of_several(other, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn choose(
        proposed: Vec<String>,
        parent: &str,
        tree: &[&str],
        knobs: &Knobs,
        room: usize,
    ) -> Chosen {
        super::choose(proposed, parent, (tree, &mut Questions::default()), knobs, room)
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn parts_that_are_asked_elsewhere_are_dropped_with_the_reason() {
        let parent = "Why did the Orrin bridge collapse, and what did it cost?";
        let tree = [parent, "When did the Orrin bridge open?"];
        for (child, reason) in [
            ("What did the Orrin bridge cost?", None),
            ("Who opened the Orrin bridge?", None),
            ("And why did the Orrin bridge collapse, at what cost?", Some("that it is a part of")),
            ("When did Orrin bridge open", Some("of the tree: When did the Orrin bridge open?")),
            ("Which of the winds met Orrin bridges?", Some("another part: Which winds met")),
            ("?!", Some("it asks nothing")),
        ] {
            let proposed = texts(&["Which winds met the Orrin bridge?", child]);
            let chosen = choose(proposed, parent, &tree, &Knobs::default(), 9);
            let told = chosen.dropped.first().map(|dropped| dropped.reason.clone());
            assert_eq!(told.is_some(), reason.is_some(), "{child}: {told:?}");
            assert!(told.unwrap_or_default().contains(reason.unwrap_or_default()), "{child}");
            assert_eq!(chosen.children.len() + chosen.dropped.len(), 2);
        }
    }

    #[test]
    fn questions_are_one_when_they_ask_the_same() {
        for (one, other, same) in [
            ("When was the dam built?", "Who built the dam?", false),
            ("What is the dam?", "Where is the dam?", false),
            ("How did the dam fail?", "Why did the dam fail?", false),
            ("How much does the dam cost?", "What does the dam cost?", true),
            ("the cost of the dam", "What does the dam cost?", true),
            ("Wer baute am Orrin?", "Wann baute am Orrin?", false),
            ("Who built it, and when?", "Who built it?", false),
        ] {
            assert_eq!(Asked::of(one).repeats(&Asked::of(other)), same, "{one} | {other}");
        }
        let (six, ten) = ("dam wall height width age cost", "dam wall height width age");
        assert!(Asked::of(six).repeats(&Asked::of(ten)));
        assert!(!Asked::of(six).repeats(&Asked::of("dam wall height width")));
    }

    #[test]
    fn parts_beyond_the_bound_or_the_room_are_dropped() {
        let proposed = texts(&["alpha?", "beta", " ", "gamma?", "delta?"]);
        let chosen = choose(proposed.clone(), "x", &[], &Knobs::default(), 9);
        assert_eq!(chosen.children, ["alpha?", "beta", "gamma?"]);
        assert_eq!(chosen.dropped[0].reason, "there is room for 3 parts");
        assert_eq!(choose(proposed.clone(), "x", &[], &Knobs::default(), 1).children, ["alpha?"]);
        assert_eq!(choose(proposed, "x", &[], &Knobs::default(), 0).children, texts(&[]));
        let long = choose(vec!["long ".repeat(900)], "x", &[], &Knobs::default(), 9);
        assert_eq!(long.children[0].chars().count(), 2_000);
    }

    #[test]
    fn a_tree_has_room_within_its_bounds() {
        let knobs = Knobs { max_depth: 2, max_nodes: 5, ..Knobs::default() };
        for (depth, nodes, expected) in [
            (0, 1, Ok(4)),
            (1, 4, Ok(1)),
            (1, 5, Err(ResolutionReason::Policy)),
            (1, 9, Err(ResolutionReason::Policy)),
            (2, 1, Err(ResolutionReason::Depth)),
        ] {
            assert_eq!(room(depth, nodes, &knobs), expected, "{depth} {nodes}");
        }
    }

    #[test]
    fn replies_are_read_as_models_write_them() {
        for (text, expected) in [
            (r#"{"parts": ["a?", "b?"]}"#, &["a?", "b?"][..]),
            (r#"{"questions": [{"question": "a?", "why": "x"}]}"#, &["a?"]),
            (r#"["a?", "b?"]"#, &["a?", "b?"]),
            (r#"{"parts": []}"#, &[]),
            ("none", &[]),
        ] {
            assert_eq!(read_reply(text), expected, "{text}");
        }
    }

    #[test]
    fn a_question_that_asks_several_things_is_parted_by_rule() {
        let asks_two = "How long is the Orrin dam, and what did it cost?";
        for (parent, gaps, expected) in [
            (
                asks_two,
                &[][..],
                &["How long is the Orrin dam?", "What did the Orrin dam cost?"][..],
            ),
            (asks_two, &["the cost of the Orrin dam"], &["What did the Orrin dam cost?"]),
            (
                asks_two,
                &["recent sources"],
                &["How long is the Orrin dam?", "What did the Orrin dam cost?"],
            ),
            ("What did the dam cost?", &["its price"], &[]),
            ("", &[], &[]),
        ] {
            assert_eq!(by_rule(parent, &texts(gaps)), expected, "{parent} {gaps:?}");
        }
    }

    #[test]
    fn parts_by_rule_are_no_repetitions() {
        for parent in [
            "Who built the dam, and when?",
            "How long is the Orrin dam, and what did it cost?",
            "When was the dam built, and by whom?",
        ] {
            let chosen = choose(by_rule(parent, &[]), parent, &[parent], &Knobs::default(), 9);
            assert_eq!(
                (chosen.children.len(), chosen.dropped.len()),
                (2, 0),
                "{parent}: {chosen:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn never_more_parts_than_allowed_and_none_twice(
            proposed in prop::collection::vec("(\\PC|dam |tower |when |cost |x){0,12}", 0..10),
            parent in "(\\PC|dam |tower |when ){0,6}",
            tree in prop::collection::vec("(dam |tower |when |x){0,6}", 0..4),
            most in 0u32..5, room in 0usize..5,
        ) {
            let knobs = Knobs { decompose_max_children: most, ..Knobs::default() };
            let tree: Vec<&str> = tree.iter().map(String::as_str).collect();
            let chosen = choose(proposed.clone(), &parent, &tree, &knobs, room);
            prop_assert!(chosen.children.len() <= room.min(most as usize));
            for (at, child) in chosen.children.iter().enumerate() {
                let later = chosen.children.iter().skip(at + 1).map(String::as_str);
                let mut others = later.chain(tree.iter().copied()).chain([parent.as_str()]);
                prop_assert!(others.all(|other| !Asked::of(child).repeats(&Asked::of(other))));
            }
            prop_assert!(chosen.dropped.iter().all(|dropped| !dropped.reason.is_empty()));
            prop_assert_eq!(choose(proposed, &parent, &tree, &knobs, room), chosen);
        }

        #[test]
        fn what_is_repeated_is_what_a_look_at_all_of_them_finds(
            tree in prop::collection::vec("(dam |tower |age |when |cost |built |wall ){0,9}", 0..12),
            more in 0usize..12, question in "(dam |tower |age |who |cost |built |wall ){1,9}",
        ) {
            let all: Vec<&str> = tree.iter().map(String::as_str).collect();
            let mut questions = Questions::default();
            questions.take_in(all.get(..more).unwrap_or_default());
            questions.take_in(&all);
            let asked = Asked::of(&question);
            let first = tree.iter().find(|other| asked.repeats(&Asked::of(other)));
            prop_assert_eq!(questions.repeated_by(&asked).map(|it| &it.question), first);
        }

        #[test]
        fn any_question_is_parted_into_several_or_none(
            parent in "(\\PC|the | it|, and who |, and when|\\? ){0,30}", gap in "\\PC{0,20}",
        ) {
            let all = by_rule(&parent, &[]);
            prop_assert!(all.len() != 1);
            let open = by_rule(&parent, &[gap]);
            prop_assert!(open.iter().all(|part| all.contains(part)));
        }

        #[test]
        fn any_reply_is_read(text in "(\\PC|[{}\\[\\]\":,]|\"parts\": ?){0,60}") {
            prop_assert!(read_reply(&text).iter().all(|part| !part.trim().is_empty()));
        }
    }
}

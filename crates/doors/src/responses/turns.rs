//! What stands before a response's question, as it is kept: within a bound, the newest first.
//!
//! Border: a history in, turns out, with what of it is lost. Whoever follows is told of that.

use std::borrow::Cow;

use quarry_types::text::first_bytes;
use serde::{Deserialize, Serialize};

use crate::order::{Said, Speaker};
use crate::talk::{Instruction, Instructor};

/// Bytes of earlier turns that are kept at most, the newest first.
const MAX_TURN_BYTES: usize = 64 * 1024;

/// Bytes that are kept of the beginning of a turn that alone is longer than that: it does not take the place of all that
/// was said before it.
const MAX_BEGINNING: usize = 16 * 1024;

/// What stands behind the beginning of a text of which no more is kept: whoever takes it over is not to take it for all.
const CUT: &str = "… [the rest was not kept]";

/// Bytes that are written of a turn or an instruction beside its text, roughly: very many short ones have an end, too.
const BESIDE: usize = 64;

/// A turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Turn {
    /// Else the answering one said it.
    pub is_users: bool,
    /// What.
    pub text: String,
}

/// A message that says how to answer. It is listed, and who follows is not held to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Instructing {
    by: Instructor,
    text: String,
    /// Turns between it and the question: the same whatever is put before all of them, or lost of the oldest.
    behind: usize,
}

/// What is lost of the turns before a response's question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Loss {
    /// Nothing: all are kept as they were.
    #[default]
    Nothing,
    /// The store had no room for them: its own request had them all, and that of what follows will not.
    Kept,
    /// What it follows had lost some already: its own request did not have them.
    Asked,
}

/// Who said what a response was asked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// One of those who talk.
    Speaker(Speaker),
    /// Whoever says how to answer.
    Instructor(Instructor),
}

/// A message that a response was asked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub by: By,
    pub text: String,
}

/// What is kept of what stood before a question.
pub(super) struct Kept {
    pub turns: Vec<Turn>,
    pub instructing: Vec<Instructing>,
    /// Whether of the turns nothing is lost.
    pub is_whole: bool,
}

impl Kept {
    /// Of all that stood there. Those who say how to answer have the room that the turns leave.
    pub fn of(history: &[Said], instructing: Vec<Instructing>) -> Kept {
        let mut room = MAX_TURN_BYTES;
        let newest = history.iter().rev().map_while(|said| {
            let text = beginning(&said.text);
            room = room.checked_sub(text.len() + BESIDE)?;
            Some(Turn { is_users: said.by == Speaker::User, text: text.into_owned() })
        });
        let mut turns: Vec<Turn> = newest.collect();
        turns.reverse();
        let newest = instructing.into_iter().rev().map_while(|mut one| {
            one.text = beginning(&one.text).into_owned();
            room = room.checked_sub(one.text.len() + BESIDE)?;
            Some(one)
        });
        let mut instructing: Vec<Instructing> = newest.collect();
        instructing.reverse();
        let is_whole = turns.len() == history.len() && !history.iter().any(|it| is_long(&it.text));
        Kept { turns, instructing, is_whole }
    }
}

/// Whether a turn has no room though nothing else is kept.
const fn is_long(text: &str) -> bool {
    text.len() + BESIDE > MAX_TURN_BYTES
}

/// Whether that is a beginning of which the rest was not kept, here or before.
pub(super) fn is_cut(text: &str) -> bool {
    text.len() <= MAX_BEGINNING + CUT.len() && text.ends_with(CUT)
}

/// A turn's text, or how it begins.
fn beginning(text: &str) -> Cow<'_, str> {
    if !is_long(text) {
        return Cow::Borrowed(text);
    }
    let begins = first_bytes(text, MAX_BEGINNING);
    Cow::Owned(format!("{begins}{CUT}"))
}

impl Instructing {
    /// Of what a request says, before whose question so many turns stand.
    pub fn of(said: Instruction, turns: usize) -> Instructing {
        let Instruction { by, text, at } = said;
        Instructing { by, text, behind: turns.saturating_sub(at) }
    }

    /// Turns are put among so many of the request's own, each behind so many of them. What stands at the same place is put
    /// behind this.
    pub fn has_behind(&mut self, turns: usize, put: &[usize]) {
        let before = turns.saturating_sub(self.behind);
        self.behind += put.iter().filter(|at| **at >= before).count();
    }
}

/// All that a response was asked with, in its order: turns, its question, and among them those who said how to answer.
pub(super) fn asked_with(
    turns: Vec<Turn>,
    question: Option<String>,
    instructing: Vec<Instructing>,
) -> Vec<Asked> {
    let mut instructing = instructing.into_iter().peekable();
    let instruct = |it: Instructing| Asked { by: By::Instructor(it.by), text: it.text };
    let mut asked = Vec::new();
    let mut left = turns.len();
    let question = question.map(|text| Turn { is_users: true, text });
    for turn in turns.into_iter().chain(question) {
        while let Some(it) = instructing.next_if(|it| it.behind >= left) {
            asked.push(instruct(it));
        }
        left = left.saturating_sub(1);
        let Said { by, text } = turn.said();
        asked.push(Asked { by: By::Speaker(by), text });
    }
    asked.extend(instructing.map(instruct));
    asked
}

impl Turn {
    /// As part of a history.
    pub fn said(self) -> Said {
        let by = if self.is_users { Speaker::User } else { Speaker::Assistant };
        Said { by, text: self.text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(by: Speaker, text: &str) -> Said {
        Said { by, text: text.to_owned() }
    }

    fn instructing(text: &str, behind: usize) -> Instructing {
        Instructing { by: Instructor::System, text: text.to_owned(), behind }
    }

    fn texts(turns: &[Turn]) -> Vec<&str> {
        turns.iter().map(|turn| turn.text.as_str()).collect()
    }

    #[test]
    fn the_oldest_turns_make_room_and_that_is_known() {
        let (old, long) = (said(Speaker::User, "old"), "x".repeat(MAX_TURN_BYTES - BESIDE));
        let kept = Kept::of(&[old.clone(), said(Speaker::Assistant, &long)], Vec::new());
        assert_eq!((texts(&kept.turns), kept.is_whole), (vec![long.as_str()], false));
        let short = &long[BESIDE + "old".len()..];
        let kept = Kept::of(&[old, said(Speaker::Assistant, short)], Vec::new());
        assert_eq!((texts(&kept.turns), kept.is_whole), (vec!["old", short], true));
    }

    #[test]
    fn very_many_short_turns_have_an_end_too() {
        let many = vec![said(Speaker::User, "a"); MAX_TURN_BYTES];
        let kept = Kept::of(&many, Vec::new());
        assert_eq!((kept.turns.len(), kept.is_whole), (MAX_TURN_BYTES / (BESIDE + 1), false));
    }

    #[test]
    fn a_beginning_is_known_as_one_however_often_it_is_kept() {
        let long = said(Speaker::User, &"ü".repeat(MAX_TURN_BYTES));
        let kept = Kept::of(&[long], Vec::new());
        assert!(is_cut(&kept.turns[0].text));
        let history: Vec<Said> = kept.turns.into_iter().map(Turn::said).collect();
        let again = Kept::of(&history, Vec::new());
        assert!(again.is_whole && is_cut(&again.turns[0].text));
        for whole in ["", "…", "What … ?"] {
            assert!(!is_cut(whole), "{whole}");
        }
    }

    #[test]
    fn one_long_answer_is_shortened_and_takes_nothing_else_with_it() {
        let long = "ü".repeat(MAX_TURN_BYTES);
        let history = [
            said(Speaker::User, "Who?"),
            said(Speaker::Assistant, &long),
            said(Speaker::User, "And when?"),
        ];
        let kept = Kept::of(&history, Vec::new());
        let [first, answer, last] = kept.turns.as_slice() else { panic!("{}", kept.turns.len()) };
        assert_eq!((first.text.as_str(), last.text.as_str()), ("Who?", "And when?"));
        assert!(answer.text.starts_with("üü") && answer.text.ends_with(&format!("ü{CUT}")));
        assert!(answer.text.len() <= MAX_BEGINNING + CUT.len() && !kept.is_whole);
    }

    #[test]
    fn those_who_say_how_to_answer_have_the_room_that_is_left() {
        let full = [said(Speaker::User, &"x".repeat(MAX_TURN_BYTES - 2 * BESIDE - 9))];
        let both = || vec![instructing("too long for it", 1), instructing("Be brief.", 0)];
        let kept = Kept::of(&full, both());
        assert_eq!((kept.instructing, kept.is_whole), (vec![instructing("Be brief.", 0)], true));
        assert_eq!(Kept::of(&[], both()).instructing, both());
        let many = vec![instructing("", 0); MAX_TURN_BYTES];
        assert_eq!(Kept::of(&[], many).instructing.len(), MAX_TURN_BYTES / BESIDE);
    }

    #[test]
    fn they_stand_where_they_were_said() {
        let turn = |text: &str| Turn { is_users: true, text: text.to_owned() };
        let all = |turns: Vec<Turn>, instructing| {
            let asked = asked_with(turns, Some("now".to_owned()), instructing);
            asked.into_iter().map(|it| it.text).collect::<Vec<_>>()
        };
        let both = || vec![instructing("first", 2), instructing("last", 0)];
        let turns = [turn("a"), turn("b")];
        assert_eq!(all(turns.to_vec(), both()), ["first", "a", "b", "last", "now"]);
        // Whatever is put before them, or lost there.
        let more = [&[turn("earlier")], turns.as_slice()].concat();
        assert_eq!(all(more, both()), ["earlier", "first", "a", "b", "last", "now"]);
        assert_eq!(all(turns[1..].to_vec(), both()), ["first", "b", "last", "now"]);
        assert_eq!(all(Vec::new(), both()), ["first", "last", "now"]);
        assert_eq!(asked_with(Vec::new(), None, both()).len(), 2);
    }

    #[test]
    fn what_is_put_behind_them_counts() {
        let moved = |behind, put: &[usize]| {
            let mut one = instructing("x", behind);
            one.has_behind(2, put);
            one.behind
        };
        assert_eq!([moved(2, &[0]), moved(1, &[0]), moved(0, &[0])], [3, 1, 0]);
        assert_eq!([moved(2, &[1, 2]), moved(1, &[1, 2]), moved(0, &[1, 2])], [4, 3, 1]);
    }
}

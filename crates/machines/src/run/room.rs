//! How much of what a run has found a prompt holds, and what is left out where not all fits.
//!
//! Border: a model's context and lines with what each is worth in; text out, never longer than its room. The same
//! for the same lines.

use crate::core::ModelSheet;
use quarry_evidence::cite::Room;
use quarry_types::order;
use quarry_types::text::cut;

/// Tokens of a context of which nobody says how large it is.
const USUAL_CONTEXT: u64 = 32_000;
/// Tokens of what a prompt says itself, and of the task that it repeats.
const OWN_TOKENS: u64 = 3_000;
/// Characters of a task in prompts that are about more than it.
pub const WHOLE_TASK: usize = 7_900;
/// What the rest of a long task may take of what a context leaves: with this a usual one holds the longest task.
const OF_LONG_TASK: usize = 3;
/// Characters of a token: fewer than English has, since lists have names and numbers.
const CHARACTERS: u64 = 3;
/// Characters that there are always, however small a context is said to be.
const LEAST: u64 = 4_000;
/// Characters of passages at most: more is not read better.
const PASSAGES: Room = Room { of_passage: 1_500, of_source: 6_000, of_all: 24_000 };
/// Characters of each list at most: below what the prompts hold, so that no fence loses its end.
const FINDINGS: usize = 56_000;
const TREE: usize = 20_000;
const WHOLE_TREE: usize = 56_000;
const CONFLICTS: usize = 11_000;
const ASKED: usize = 5_800;
const GUIDANCE: usize = 23_900;
/// The same in runs of before.
const GUIDANCE_BEFORE: usize = 3_900;
const GAPS: usize = 3_900;
/// What one line may take of its list.
const OF_LINE: usize = 2;
/// What stands for what is left out of a text.
const GAP: &str = "\n[…]\n";
/// Characters of a wish below which it says nothing: of more of them than that leaves, the latest are shown.
const LEAST_OF_WISH: usize = 160;
/// What a list adds to each of its texts.
const OF_ITEM: usize = "- \n".len();

/// The room of a prompt, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rooms {
    /// For the task.
    pub task: usize,
    /// For passages.
    pub passages: Room,
    /// For findings.
    pub findings: usize,
    /// For the questions, beside findings.
    pub tree: usize,
    /// For the questions with their findings, where there is nothing else.
    pub whole_tree: usize,
    /// For contradictions.
    pub conflicts: usize,
    /// For what was asked before.
    pub asked: usize,
    /// For what people have said on the way.
    pub guidance: usize,
    /// For what a question still misses.
    pub gaps: usize,
}

impl Rooms {
    /// What a model's context has room for, beside a reply of so many tokens.
    #[must_use]
    pub fn of(sheet: &ModelSheet, reply: u32) -> Rooms {
        Rooms::within(left(sheet, reply))
    }

    /// The same where a prompt repeats a task of so many characters, as far as there is room for it.
    #[must_use]
    pub fn beside(task: usize, sheet: &ModelSheet, reply: u32) -> Rooms {
        let left = left(sheet, reply);
        let short = WHOLE_TASK.min(left);
        let more = task.saturating_sub(short).min(left / OF_LONG_TASK);
        Rooms { task: short + more, ..Rooms::within(left - more) }
    }

    fn within(left: usize) -> Rooms {
        Rooms {
            task: WHOLE_TASK,
            // With all else that the prompt of a report holds they are the whole.
            passages: Room { of_all: PASSAGES.of_all.min(left / 20 * 9), ..PASSAGES },
            findings: FINDINGS.min(left / 4),
            tree: TREE.min(left / 10),
            whole_tree: WHOLE_TREE.min(left / 4 * 3),
            conflicts: CONFLICTS.min(left / 10),
            asked: ASKED.min(left / 10),
            guidance: GUIDANCE.min(left / 10),
            gaps: GAPS.min(left / 20),
        }
    }

    /// The same as runs of before had it, where passages had half: in a small context more than all there is.
    #[must_use]
    pub fn before(sheet: &ModelSheet, reply: u32) -> Rooms {
        let of_all = PASSAGES.of_all.min(left(sheet, reply) / 2);
        Rooms { passages: Room { of_all, ..PASSAGES }, ..Rooms::of(sheet, reply) }
    }

    /// For what people have said, as runs of before had it.
    #[must_use]
    pub fn guidance_before(&self) -> usize {
        GUIDANCE_BEFORE.min(self.guidance / 2)
    }
}

/// Characters that a context leaves beside a reply of so many tokens.
fn left(sheet: &ModelSheet, reply: u32) -> usize {
    let context = sheet.context_window.unwrap_or(USUAL_CONTEXT);
    let left = context.saturating_sub(u64::from(reply)).saturating_sub(OWN_TOKENS);
    let left = left.saturating_mul(CHARACTERS).max(LEAST);
    usize::try_from(left).unwrap_or(usize::MAX)
}

/// Which of what people have said has room, where not all has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wishes {
    /// Of each half of the room at most, and the latest. As runs of before had it.
    Listed,
    /// Of each as much as of any other. As runs of before had it.
    Shared,
    /// The newest whole.
    NewestFirst,
}

/// A line of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What is worth more stays; of what is worth the same, the later.
    pub worth: usize,
    /// What it says, without its end.
    pub text: String,
}

/// The lines that there is room for, in their order; the last says how many were left out. `none` where there is
/// no line.
#[must_use]
pub fn listed(lines: &[Line], most: usize) -> String {
    if lines.is_empty() {
        return "none".to_owned();
    }
    let shown = |line: &Line| cut(&line.text, most / OF_LINE);
    let all: Vec<String> = lines.iter().map(shown).collect();
    let length = |text: &String| text.chars().count() + 1;
    if all.iter().map(length).sum::<usize>() <= most {
        return all.join("\n");
    }
    let left_out = |count: usize| format!("- (left out here for want of room: {count} more)");
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order::sort_by_key(&mut order, |at| {
        std::cmp::Reverse((lines.get(*at).map(|it| it.worth), *at))
    });
    let mut left = most.saturating_sub(length(&left_out(lines.len())));
    let mut is_kept = vec![false; lines.len()];
    for at in order {
        let Some((text, kept)) = all.get(at).zip(is_kept.get_mut(at)) else { continue };
        if let Some(rest) = left.checked_sub(length(text)) {
            (left, *kept) = (rest, true);
        }
    }
    let kept = all.iter().zip(&is_kept).filter(|(_, kept)| **kept);
    let mut shown: Vec<String> = kept.map(|(text, _)| text.clone()).collect();
    shown.push(left_out(lines.len() - shown.len()));
    shown.join("\n")
}

/// The same of texts that are worth the same, as items: of too many the latest are shown. Nothing is written but what is
/// shown, since there are as many as a run has questions.
#[must_use]
pub fn latest(texts: &[&str], most: usize) -> String {
    let of_line = most / OF_LINE;
    let item = |text: &str| cut(&format!("- {text}"), of_line);
    let length = |text: &str| (text.chars().count() + OF_ITEM - 1).min(of_line) + 1;
    let fits = |sum: usize, text: &str| Some(sum + length(text)).filter(|sum| *sum <= most);
    if texts.is_empty() {
        return "none".to_owned();
    }
    if texts.iter().copied().try_fold(0, fits).is_some() {
        return texts.iter().copied().map(item).collect::<Vec<_>>().join("\n");
    }
    let left_out = |count: usize| format!("- (left out here for want of room: {count} more)");
    let mut left = most.saturating_sub(left_out(texts.len()).chars().count() + 1);
    let mut shown = Vec::new();
    for text in texts.iter().copied().rev() {
        // A character has four bytes at most: most texts are seen to be too long without counting theirs.
        if left < of_line && text.len() / 4 > left {
            continue;
        }
        if let Some(rest) = left.checked_sub(length(text)) {
            left = rest;
            shown.push(item(text));
        }
    }
    shown.reverse();
    shown.push(left_out(texts.len() - shown.len()));
    shown.join("\n")
}

/// A person's words that may be longer than there is room for: who asks at length asks at the end, behind what it is
/// about, or at the beginning.
#[must_use]
pub fn both_ends(text: &str, most: usize) -> String {
    let characters = text.chars().count();
    if characters <= most {
        return text.to_owned();
    }
    let half = most.saturating_sub(GAP.len()) / 2;
    let begins: String = text.chars().take(half).collect();
    let ends: String = text.chars().skip(characters - half).collect();
    [begins.trim_end(), GAP, ends.trim_start()].concat()
}

/// What people have said on the way, as a list: short texts whole, and of the others both ends, as much of each as
/// there is room for. Of more than the room has lines for, the latest. `none` where nothing was said.
#[must_use]
pub fn shared(said: &[String], most: usize) -> String {
    if said.len().saturating_mul(LEAST_OF_WISH) > most {
        let each = (most / OF_LINE).saturating_sub(OF_ITEM);
        let item = |text: &String| Line { worth: 0, text: format!("- {}", both_ends(text, each)) };
        return listed(&said.iter().map(item).collect::<Vec<_>>(), most);
    }
    if said.is_empty() {
        return "none".to_owned();
    }
    let each = share(said, most.saturating_sub(said.len() * OF_ITEM));
    let item = |text: &String| format!("- {}", both_ends(text, each));
    said.iter().map(item).collect::<Vec<_>>().join("\n")
}

/// The same where the newest is whole as far as there is room, and those before it have what it leaves, but some of each
/// as long as there is any: with how many are not whole, which the last line says, too.
#[must_use]
pub fn newest_first(said: &[String], most: usize) -> (String, usize) {
    if said.is_empty() {
        return ("none".to_owned(), 0);
    }
    let lengths: Vec<usize> = said.iter().map(|text| text.chars().count()).collect();
    let all = said.len();
    let note = |count: usize| format!("- (for want of room not whole here: {count} of {all})");
    let is_too_long = lengths.iter().map(|length| length + OF_ITEM).sum::<usize>() > most;
    let noted = if is_too_long { note(all).chars().count() } else { 0 };
    let mut left = most.saturating_sub(noted);
    let least = |length: &usize| LEAST_OF_WISH.min(*length) + OF_ITEM;
    // What those that are still to come need, the oldest of which may have to be left out.
    let mut needed: usize = lengths.iter().map(least).sum();
    let mut missing = 0;
    while needed > left && missing + 1 < all {
        needed -= lengths.get(missing).map_or(0, least);
        missing += 1;
    }
    let mut lines = Vec::new();
    for (text, length) in said.iter().zip(&lengths).skip(missing).rev() {
        needed -= least(length);
        let room = left.saturating_sub(needed + OF_ITEM).min(*length);
        missing += usize::from(room < *length);
        left = left.saturating_sub(room + OF_ITEM);
        lines.push(format!("- {}", both_ends(text, room)));
    }
    lines.reverse();
    lines.extend((missing > 0).then(|| note(missing)));
    (lines.join("\n"), missing)
}

/// Characters of each text at most, so that all of them have room; what the short ones leave is for the long ones.
fn share(texts: &[String], most: usize) -> usize {
    let mut lengths: Vec<usize> = texts.iter().map(|text| text.chars().count()).collect();
    lengths.sort_unstable();
    let (mut left, mut waiting) = (most, lengths.len());
    for length in lengths {
        let each = left / waiting.max(1);
        if length > each {
            return each;
        }
        left -= length;
        waiting -= 1;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(worth: usize, text: &str) -> Line {
        Line { worth, text: text.to_owned() }
    }

    #[test]
    fn what_is_worth_most_stays_and_the_rest_is_said_to_be_missing() {
        let lines: Vec<Line> = (0..10)
            .map(|n| line(usize::from(n == 1), &format!("- line {n} {}", "x".repeat(20))))
            .collect();
        let text = listed(&lines, 150);
        let kept: Vec<&str> = text.lines().map(|line| line.get(..8).unwrap()).collect();
        // The one that is worth more, then the newest.
        assert_eq!(kept, ["- line 1", "- line 8", "- line 9", "- (left "]);
        assert!(text.ends_with("- (left out here for want of room: 7 more)"), "{text}");
        assert_eq!(listed(&lines[..2], 180).lines().count(), 2, "all fits, and nothing is missing");
        assert_eq!(listed(&[], 10), "none");
    }

    fn sheet(context_window: Option<u64>) -> ModelSheet {
        ModelSheet {
            id: "openai:small".parse().unwrap(),
            price: None,
            context_window,
            is_language_model: true,
            thinks: false,
            timeout_ms: 1,
        }
    }

    /// What each prompt of a run holds at most: a report's, and those that choose queries, read, judge and judge a round.
    fn prompts(rooms: Rooms) -> [usize; 5] {
        let Rooms { task: _, passages, findings, tree, .. } = rooms;
        let Rooms { whole_tree, conflicts, asked, guidance, gaps, .. } = rooms;
        let passages = passages.of_all;
        [
            passages + findings + tree + conflicts + guidance,
            asked + gaps + guidance,
            passages + guidance,
            findings + conflicts + guidance,
            whole_tree + guidance,
        ]
    }

    #[test]
    fn a_large_context_has_no_more_room_than_serves_and_an_unknown_one_the_usual() {
        assert_eq!(Rooms::of(&sheet(None), 800), Rooms::of(&sheet(Some(32_000)), 800));
        let large = Rooms::of(&sheet(Some(u64::MAX)), 4_000);
        assert_eq!((large.passages, large.findings, large.tree), (PASSAGES, FINDINGS, TREE));
        // A run of before whose report had too much of a small context has as much of a usual one.
        let small = sheet(Some(16_000));
        assert!(prompts(Rooms::before(&small, 4_000))[0] > left(&small, 4_000));
        assert_eq!(Rooms::before(&sheet(None), 4_000), Rooms::of(&sheet(None), 4_000));
    }

    #[test]
    fn wishes_share_their_room_and_short_ones_are_whole() {
        let long =
            |begins: &str, ends: &str| format!("{begins} {} {ends}", "and more ".repeat(400));
        let said = [long("Prefer laws.", "Leave out 1911."), "In French.".to_owned()];
        let shown = shared(&said, 1_000);
        assert!(shown.chars().count() <= 1_000 && shown.chars().count() > 950, "{shown}");
        for part in ["- Prefer laws.", "Leave out 1911.\n", "[…]", "- In French."] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        let said = [said[0].clone(), long("Prefer courts.", "Leave out 1912."), said[1].clone()];
        let shown = shared(&said, 1_000);
        for part in ["Leave out 1911.", "Prefer courts.", "Leave out 1912.", "- In French."] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        let many: Vec<String> = (0..20).map(|n| format!("Wish {n}. {}", said[0])).collect();
        assert!(shared(&many, 1_000).contains("Wish 19."), "the latest");
        assert_eq!(shared(&[], 1_000), "none");
    }

    #[test]
    fn the_newest_wish_is_whole_and_those_before_it_have_what_it_leaves() {
        let long = |begins: &str| format!("{begins} {}.", "and more ".repeat(400));
        let said = [long("Prefer laws."), long("Leave out 1911."), "In French.".to_owned()];
        let (shown, missing) = newest_first(&said, 4_500);
        assert_eq!(missing, 1);
        for part in ["- Prefer laws.", "[…]", "- In French.\n", said[1].as_str()] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        assert!(shown.ends_with("- (for want of room not whole here: 1 of 3)"), "{shown}");
        let (shown, missing) = newest_first(&said, 8_000);
        assert_eq!((shown.lines().count(), missing), (3, 0), "all has room");
        // Of the oldest there is nothing where even a little of each is too much.
        let many: Vec<String> = (0..20).map(|n| format!("Wish {n}. {}", said[0])).collect();
        let (shown, missing) = newest_first(&many, 1_000);
        assert!(shown.contains("Wish 19.") && !shown.contains("Wish 0."), "{shown}");
        assert_eq!(missing, 20);
        assert_eq!(newest_first(&[], 1_000), ("none".to_owned(), 0));
    }

    proptest! {
        #[test]
        fn no_prompt_is_longer_than_its_context(
            window in prop_oneof![0_u64..60_000, 0..4_000_000_u64, Just(u64::MAX)],
            reply in 0_u32..40_000,
        ) {
            let tokens = window.saturating_sub(u64::from(reply) + OWN_TOKENS);
            let room = tokens.saturating_mul(CHARACTERS).max(LEAST);
            let rooms = Rooms::of(&sheet(Some(window)), reply);
            for prompt in prompts(rooms) {
                prop_assert!(prompt as u64 <= room, "{}: {:?}", prompt, rooms);
            }
        }

        #[test]
        fn a_task_takes_its_room_from_what_is_beside_it(
            window in prop_oneof![0_u64..60_000, Just(u64::MAX)],
            reply in 0_u32..5_000,
            task in 0_usize..40_000,
        ) {
            let all = left(&sheet(Some(window)), reply);
            let rooms = Rooms::beside(task, &sheet(Some(window)), reply);
            let more = rooms.task - WHOLE_TASK.min(all);
            for prompt in prompts(rooms) {
                prop_assert!(prompt + more <= all, "{}: {:?}", prompt, rooms);
            }
            prop_assert!(window < 32_000 || reply > 4_000 || task > 32_768 || rooms.task >= task, "{:?}", rooms);
        }

        #[test]
        fn wishes_keep_to_their_room(
            said in prop::collection::vec("\\PC{0,400}", 1..20),
            most in 200_usize..4_000,
        ) {
            let (newest, missing) = newest_first(&said, most);
            for shown in [shared(&said, most), newest] {
                prop_assert!(shown.chars().count() <= most, "{}", shown.chars().count());
            }
            let all: usize = said.iter().map(|text| text.chars().count() + OF_ITEM).sum();
            prop_assert_eq!(missing > 0, all > most);
        }

        #[test]
        fn the_latest_of_equal_worth_are_those_that_a_list_has(
            texts in prop::collection::vec("\\PC{0,80}", 0..60),
            most in 120_usize..2_000,
        ) {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let lines: Vec<Line> = texts.iter().map(|text| line(0, &format!("- {text}"))).collect();
            prop_assert_eq!(latest(&texts, most), listed(&lines, most));
        }

        #[test]
        fn no_list_is_longer_than_its_room(
            lines in prop::collection::vec((0_usize..3, "\\PC{0,80}"), 1..60),
            most in 120_usize..2_000,
        ) {
            let lines: Vec<Line> = lines.iter().map(|(worth, text)| line(*worth, text)).collect();
            let text = listed(&lines, most);
            prop_assert!(text.chars().count() <= most, "{}", text.chars().count());
            prop_assert_eq!(listed(&lines, most), text);
        }
    }
}

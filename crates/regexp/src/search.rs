//! One search through a text: which positions are worth a try, and which matcher does it.

use crate::{
    backtrack::{Backtracker, TooMuch, UNSET},
    input::Text,
    pike::Pike,
    program::{First, Program},
};

/// What a search found, and what it took.
pub(crate) struct Outcome {
    pub(crate) slots: Option<Vec<usize>>,
    pub(crate) steps: u64,
}

/// How to search: results are the same.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// What is fastest for the pattern and the text.
    Usual,
    /// With the memo from the first step on.
    Memo,
    /// With the Pike machine.
    Threads,
}

/// What to look for, and how.
pub(crate) struct Plan<'p, F> {
    pub(crate) program: &'p Program,
    /// Makes the program for the Pike machine, should it be needed.
    pub(crate) written: F,
    pub(crate) way: Way,
    /// Only a match at the very start counts.
    pub(crate) only: bool,
}

/// Looks for the first match at or behind `start`.
pub(crate) fn search<'p, T: Text, F: FnOnce() -> Option<&'p Program>>(
    plan: Plan<'p, F>,
    text: T,
    start: usize,
) -> Outcome {
    let Plan { program, written, way, only } = plan;
    if program.anchored && start > 0 {
        return Outcome { slots: None, steps: 0 };
    }
    let only = only || program.anchored;
    let mut backtracker = Backtracker::new(program, text, start);
    match way {
        Way::Usual => {}
        Way::Memo => backtracker.remember_from_now(),
        Way::Threads => return side_by_side(written(), text, start, only),
    }
    let (end, steps) = one_by_one(program, &mut backtracker, text, start, only);
    match end {
        End::Found => Outcome { slots: Some(backtracker.into_slots()), steps },
        End::Nothing => Outcome { slots: None, steps },
        End::TooMuch(position) => {
            drop(backtracker);
            let outcome = side_by_side(written(), text, position, only);
            Outcome { steps: steps + outcome.steps, ..outcome }
        }
    }
}

/// How backtracking ended.
enum End {
    Found,
    Nothing,
    /// No match begins before this position; from it on the Pike machine has to look.
    TooMuch(usize),
}

fn one_by_one<T: Text>(
    program: &Program,
    backtracker: &mut Backtracker<'_, T>,
    text: T,
    start: usize,
    only: bool,
) -> (End, u64) {
    let first = program.firsts.get(program.start_first as usize).copied().unwrap_or(First::OPEN);
    let wanted = if first.high { None } else { first.low.only() };
    let mut position = start;
    let end = loop {
        if !only {
            match next_start(program, &first, wanted, text, position) {
                Some(next) => position = next,
                None => break End::Nothing,
            }
        }
        match backtracker.run(position) {
            Ok(true) => break End::Found,
            Ok(false) if only => break End::Nothing,
            Ok(false) => {}
            Err(TooMuch) => break End::TooMuch(position),
        }
        match text.get(position) {
            Some((_, width)) => position += width,
            None => break End::Nothing,
        }
    };
    (end, backtracker.steps)
}

fn side_by_side<T: Text>(program: Option<&Program>, text: T, start: usize, only: bool) -> Outcome {
    let Some(program) = program else {
        return Outcome { slots: None, steps: 0 };
    };
    let mut pike = Pike::new(program, text);
    let slots = pike.run(start, only);
    Outcome { slots, steps: pike.steps }
}

/// The next position where a match could begin.
fn next_start<T: Text>(
    program: &Program,
    first: &First,
    wanted: Option<u8>,
    text: T,
    mut position: usize,
) -> Option<usize> {
    if first.open {
        return Some(position);
    }
    if let Some(wanted) = wanted {
        return text.next_unit(position, wanted);
    }
    loop {
        let (c, width) = text.get(position)?;
        if program.admits(program.start_first, Some(c)) {
            return Some(position);
        }
        position += width;
    }
}

/// A pair of slots as a range.
pub(crate) fn range(pair: &[usize]) -> Option<std::ops::Range<usize>> {
    match pair {
        [start, end] if *start != UNSET && *end != UNSET => Some(*start..*end),
        _ => None,
    }
}

//! Tries one way after the other, with a stack of its own and, once that takes long, a memo.
//!
//! Why the memo is sound: what can follow from a choice at a position depends on these two alone
//! (see `program`), whatever the groups hold and wherever the search began. A choice is marked
//! as it is entered. When it is reached again, the first visit cannot still be under way, since
//! no way leads from a choice at a position back to it; so the first visit failed in all its
//! ways, and the second would too. Visits from before the memo was turned on have no marks, which
//! costs time only. With it every choice is explored once for each position.

use crate::{
    ast::{Assertion, UNBOUNDED},
    class::is_line_end,
    input::Text,
    memo::Memo,
    program::{Instruction, Op, Program, Run},
};

/// No position.
pub(crate) const UNSET: usize = usize::MAX;
/// Frames on the stack; beyond it the Pike machine takes over.
const FRAMES: usize = 1 << 18;
/// The memo is turned on after this many steps for each unit of the text, and some more.
const STEPS_PER_UNIT: u64 = 8;
const STEPS: u64 = 2_000;

/// The text asks for more memory than backtracking may take.
#[derive(Debug)]
pub(crate) struct TooMuch;

/// What is left to try, and what to undo before.
#[derive(Clone, Copy, Debug)]
enum Frame {
    /// Go on at this instruction and position.
    Try { at: u32, position: usize },
    /// Give a slot its former value.
    Restore { slot: u32, value: usize },
    /// Give one character back, down to `least`, and go on behind this run.
    Less { at: u32, least: usize, position: usize },
    /// Take one character more, up to `left`, and go on behind this run.
    More { at: u32, left: u32, position: usize },
}

/// One search.
#[derive(Debug)]
pub(crate) struct Backtracker<'p, T> {
    program: &'p Program,
    text: T,
    slots: Vec<usize>,
    stack: Vec<Frame>,
    memo: Option<Memo>,
    /// The number of steps at which the memo is turned on.
    patience: u64,
    pub(crate) steps: u64,
}

/// Where to go on.
type Place = (u32, usize);

impl<'p, T: Text> Backtracker<'p, T> {
    /// A search from `start` on.
    pub(crate) fn new(program: &'p Program, text: T, start: usize) -> Self {
        let units = text.len().saturating_sub(start) as u64;
        Self {
            program,
            text,
            slots: vec![UNSET; program.slots],
            stack: Vec::new(),
            memo: None,
            patience: units.saturating_mul(STEPS_PER_UNIT).saturating_add(STEPS),
            steps: 0,
        }
    }

    /// Turns the memo on at the first failure.
    pub(crate) fn remember_from_now(&mut self) {
        self.patience = 0;
    }

    /// Looks for a match that begins at `start`. The slots hold it afterwards.
    pub(crate) fn run(&mut self, start: usize) -> Result<bool, TooMuch> {
        self.stack.clear();
        self.slots.fill(UNSET);
        let mut place = Some((self.program.start, start));
        loop {
            let Some((at, position)) = place else {
                if self.steps > self.patience {
                    self.remember(start)?;
                }
                match self.back() {
                    Some(next) => place = Some(next),
                    None => return Ok(false),
                }
                continue;
            };
            self.steps += 1;
            let Instruction { op, next } = self.program.instruction(at);
            place = match op {
                Op::Char(c) => match self.text.get(position) {
                    Some((found, width)) if found == c => Some((next, position + width)),
                    _ => None,
                },
                Op::Set(set) => match self.text.get(position) {
                    Some((found, width)) if self.program.set_contains(set, found) => {
                        Some((next, position + width))
                    }
                    _ => None,
                },
                Op::Run(run) => self.enter_run(at, run, next, position)?,
                Op::Split { other, row, first, other_first } => {
                    self.split([next, other], [first, other_first], row, position)?
                }
                Op::Save(slot) => {
                    self.save(slot, position)?;
                    Some((next, position))
                }
                Op::Reset(from, to) => {
                    for slot in from..to {
                        self.save(slot, UNSET)?;
                    }
                    Some((next, position))
                }
                Op::Assert(assertion) => {
                    let holds = holds(assertion, self.program, self.text, position);
                    holds.then_some((next, position))
                }
                Op::Match => return Ok(true),
                Op::Fail => None,
            };
        }
    }

    /// The positions of the groups.
    pub(crate) fn into_slots(self) -> Vec<usize> {
        self.slots
    }

    fn push(&mut self, frame: Frame) -> Result<(), TooMuch> {
        if self.stack.len() >= FRAMES {
            return Err(TooMuch);
        }
        self.stack.push(frame);
        Ok(())
    }

    fn remember(&mut self, base: usize) -> Result<(), TooMuch> {
        self.patience = u64::MAX;
        self.memo = Some(Memo::new(self.program.rows, base, self.text.len()).ok_or(TooMuch)?);
        Ok(())
    }

    #[inline(always)]
    fn is_new(&mut self, row: u32, position: usize) -> bool {
        self.memo.as_mut().is_none_or(|memo| memo.enter(row, position))
    }

    #[inline(always)]
    fn save(&mut self, slot: u32, position: usize) -> Result<(), TooMuch> {
        let Some(held) = self.slots.get_mut(slot as usize) else {
            return Ok(());
        };
        let value = std::mem::replace(held, position);
        if value != position && !self.stack.is_empty() {
            self.push(Frame::Restore { slot, value })?;
        }
        Ok(())
    }

    fn split(
        &mut self,
        ways: [u32; 2],
        firsts: [u32; 2],
        row: u32,
        position: usize,
    ) -> Result<Option<Place>, TooMuch> {
        if !self.is_new(row, position) {
            return Ok(None);
        }
        let ahead = self.text.get(position).map(|(c, _)| c);
        let [first, other] = firsts.map(|first| self.program.admits(first, ahead));
        if first && other {
            self.push(Frame::Try { at: ways[1], position })?;
        }
        Ok(if first { Some((ways[0], position)) } else { other.then_some((ways[1], position)) })
    }

    /// Begins a repeated set.
    fn enter_run(
        &mut self,
        at: u32,
        index: u32,
        next: u32,
        start: usize,
    ) -> Result<Option<Place>, TooMuch> {
        let Some(&run) = self.program.runs.get(index as usize) else {
            return Ok(None);
        };
        // With an upper bound how far it came matters: then its beginning is what is marked.
        let endless = run.max == UNBOUNDED;
        if !endless && run.min != run.max && !self.is_new(run.row, start) {
            return Ok(None);
        }
        let Some(least) = self.take(&run, start, run.min) else {
            return Ok(None);
        };
        if endless && !self.is_new(run.row, least) {
            return Ok(None);
        }
        let left = run.max.saturating_sub(run.min);
        if left == 0 {
            return Ok(Some((next, least)));
        }
        if !run.greedy {
            return self.lazy(at, &run, next, least, left);
        }
        let most = self.take_most(&run, least, left);
        if run.possessive || most == least {
            return Ok(Some((next, most)));
        }
        self.give_back(at, &run, next, least, most)
    }

    /// Takes exactly `count` characters.
    fn take(&mut self, run: &Run, mut position: usize, count: u32) -> Option<usize> {
        let set = self.program.sets.get(run.set as usize)?;
        for _ in 0..count {
            let (c, width) = self.text.get(position)?;
            self.steps += 1;
            if !set.contains(c) {
                return None;
            }
            position += width;
        }
        Some(position)
    }

    /// Takes as many as there are, but stops at a position from which the same run failed before.
    fn take_most(&mut self, run: &Run, from: usize, left: u32) -> usize {
        let Some(set) = self.program.sets.get(run.set as usize) else {
            return from;
        };
        let mut memo = self.memo.as_mut().filter(|_| run.max == UNBOUNDED);
        let (mut position, mut taken) = (from, 0);
        while taken < left {
            match self.text.get(position) {
                Some((c, width)) if set.contains(c) => {
                    let next = position + width;
                    if memo.as_mut().is_some_and(|memo| !memo.enter(run.row, next)) {
                        break;
                    }
                    position = next;
                    // An endless run is not counted, so that it never ends early.
                    taken += u32::from(run.max != UNBOUNDED);
                }
                _ => break,
            }
        }
        self.steps += (position - from) as u64;
        position
    }

    /// Goes on at `most` or the next place before it where what follows could begin.
    fn give_back(
        &mut self,
        at: u32,
        run: &Run,
        next: u32,
        least: usize,
        most: usize,
    ) -> Result<Option<Place>, TooMuch> {
        let mut position = most;
        loop {
            let ahead = self.text.get(position).map(|(c, _)| c);
            if self.program.admits(run.first, ahead) {
                if position > least {
                    let position = self.text.back(position);
                    self.push(Frame::Less { at, least, position })?;
                }
                return Ok(Some((next, position)));
            }
            if position <= least {
                return Ok(None);
            }
            self.steps += 1;
            position = self.text.back(position);
        }
    }

    /// Goes on at `position` or the next place behind it where what follows could begin.
    fn lazy(
        &mut self,
        at: u32,
        run: &Run,
        next: u32,
        mut position: usize,
        mut left: u32,
    ) -> Result<Option<Place>, TooMuch> {
        loop {
            let ahead = self.text.get(position).map(|(c, _)| c);
            if self.program.admits(run.first, ahead) {
                self.push(Frame::More { at, left, position })?;
                return Ok(Some((next, position)));
            }
            match self.more(run, position, left) {
                Some(further) => (position, left) = further,
                None => return Ok(None),
            }
        }
    }

    /// One character more for a lazy run.
    fn more(&mut self, run: &Run, position: usize, left: u32) -> Option<(usize, u32)> {
        let (c, width) = self.text.get(position)?;
        self.steps += 1;
        if left == 0 || !self.program.set_contains(run.set, c) {
            return None;
        }
        let position = position + width;
        if run.max == UNBOUNDED {
            return self.is_new(run.row, position).then_some((position, left));
        }
        Some((position, left - 1))
    }

    /// The next way that is left.
    fn back(&mut self) -> Option<Place> {
        loop {
            self.steps += 1;
            match self.stack.pop()? {
                Frame::Try { at, position } => return Some((at, position)),
                Frame::Restore { slot, value } => {
                    if let Some(held) = self.slots.get_mut(slot as usize) {
                        *held = value;
                    }
                }
                Frame::Less { at, least, position } => {
                    let (run, next) = self.run_at(at)?;
                    // There was room for this frame, which has just been taken away.
                    if let Ok(Some(place)) = self.give_back(at, &run, next, least, position) {
                        return Some(place);
                    }
                }
                Frame::More { at, left, position } => {
                    let (run, next) = self.run_at(at)?;
                    if let Some((position, left)) = self.more(&run, position, left)
                        && let Ok(Some(place)) = self.lazy(at, &run, next, position, left)
                    {
                        return Some(place);
                    }
                }
            }
        }
    }

    fn run_at(&self, at: u32) -> Option<(Run, u32)> {
        let Instruction { op: Op::Run(run), next } = self.program.instruction(at) else {
            return None;
        };
        Some((*self.program.runs.get(run as usize)?, next))
    }
}

/// Whether a condition holds at a position.
pub(crate) fn holds<T: Text>(assertion: Assertion, program: &Program, text: T, at: usize) -> bool {
    let (before, after) = (text.unit_before(at), text.get(at).map(|(c, _)| c));
    let in_word = |c: Option<u32>| c.is_some_and(|c| program.word.contains(c));
    match assertion {
        Assertion::TextStart => before.is_none(),
        Assertion::TextEnd => after.is_none(),
        Assertion::LineStart => before.is_none_or(is_line_end),
        Assertion::LineEnd => after.is_none_or(is_line_end),
        Assertion::WordEdge => in_word(before) != in_word(after),
        Assertion::NoWordEdge => in_word(before) == in_word(after),
        Assertion::Look(look) => program.looks.get(look as usize).is_some_and(|look| {
            // Behind, a pair of surrogates counts as one character where `u` is set.
            let behind = || text.get(text.back(at)).map(|(c, _)| c).filter(|_| at > 0);
            let seen = if look.behind { behind() } else { after };
            let found = seen.map_or(look.edge, |c| program.set_contains(look.set, c));
            found != look.negated
        }),
    }
}

//! Goes through the text once with all ways side by side: memory of the size of the pattern.
//! Takes over where backtracking would need too much; slower, and never more than a constant
//! number of steps for each unit. Threads are in the order of JavaScript's preferences, and of
//! two at the same instruction the first wins: what follows is the same for both.

use crate::{
    backtrack::{UNSET, holds},
    input::Text,
    program::{Instruction, Op, Program},
};

/// One search. The program must have its runs written out.
#[derive(Debug)]
pub(crate) struct Pike<'p, T> {
    program: &'p Program,
    text: T,
    now: Threads,
    then: Threads,
    stack: Vec<Frame>,
    pub(crate) steps: u64,
}

/// Instructions that wait for a character, in order of preference.
#[derive(Debug)]
struct Threads {
    waiting: Vec<u32>,
    /// The slots of each of them.
    slots: Vec<usize>,
    /// For each instruction when it was last reached.
    reached: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
enum Frame {
    Visit(u32),
    Restore { slot: u32, value: usize },
}

impl<'p, T: Text> Pike<'p, T> {
    /// A search with `program`.
    pub(crate) fn new(program: &'p Program, text: T) -> Self {
        let threads = || Threads {
            waiting: Vec::new(),
            slots: Vec::new(),
            reached: vec![UNSET; program.code.len()],
        };
        Self { program, text, now: threads(), then: threads(), stack: Vec::new(), steps: 0 }
    }

    /// The first match that begins at `start`, or unless `only` also behind it.
    pub(crate) fn run(&mut self, start: usize, only: bool) -> Option<Vec<usize>> {
        let mut found: Option<Vec<usize>> = None;
        let mut slots = vec![UNSET; self.program.slots];
        let mut position = start;
        loop {
            let ahead = self.text.get(position);
            let begins = found.is_none() && (position == start || !only);
            if begins && self.program.admits(self.program.start_first, ahead.map(|(c, _)| c)) {
                slots.fill(UNSET);
                self.visit(self.program.start, position, &mut slots);
            }
            if let Some(matched) = self.step(ahead, position, &mut slots) {
                found = Some(matched);
            }
            let Some((_, width)) = ahead else {
                return found;
            };
            std::mem::swap(&mut self.now, &mut self.then);
            self.then.waiting.clear();
            self.then.slots.clear();
            if self.now.waiting.is_empty() && (found.is_some() || only) {
                return found;
            }
            position += width;
        }
    }

    /// Moves every thread over the character ahead, up to the first that is at a match.
    fn step(
        &mut self,
        ahead: Option<(u32, usize)>,
        position: usize,
        slots: &mut [usize],
    ) -> Option<Vec<usize>> {
        let now = std::mem::take(&mut self.now.waiting);
        let held = std::mem::take(&mut self.now.slots);
        let mut matched = None;
        for (at, held) in now.iter().zip(held.chunks(self.program.slots)) {
            self.steps += 1;
            let Instruction { op, next } = self.program.instruction(*at);
            let taken = match (op, ahead) {
                (Op::Match, _) => {
                    matched = Some(held.to_vec());
                    break;
                }
                (Op::Char(c), Some((found, width))) if c == found => width,
                (Op::Set(set), Some((found, width))) if self.program.set_contains(set, found) => {
                    width
                }
                _ => continue,
            };
            slots.copy_from_slice(held);
            std::mem::swap(&mut self.now, &mut self.then);
            self.visit(next, position + taken, slots);
            std::mem::swap(&mut self.now, &mut self.then);
        }
        // Give the room back for the next step.
        (self.now.waiting, self.now.slots) = (now, held);
        matched
    }

    /// Adds to `now` all threads that `at` leads to without taking a character.
    fn visit(&mut self, at: u32, position: usize, slots: &mut [usize]) {
        self.stack.push(Frame::Visit(at));
        while let Some(frame) = self.stack.pop() {
            self.steps += 1;
            match frame {
                Frame::Restore { slot, value } => set(slots, slot, value),
                Frame::Visit(at) => {
                    let Some(reached) = self.now.reached.get_mut(at as usize) else {
                        continue;
                    };
                    if std::mem::replace(reached, position) != position {
                        self.follow(at, position, slots);
                    }
                }
            }
        }
    }

    fn follow(&mut self, at: u32, position: usize, slots: &mut [usize]) {
        let Instruction { op, next } = self.program.instruction(at);
        match op {
            Op::Char(_) | Op::Set(_) | Op::Match => {
                self.now.waiting.push(at);
                self.now.slots.extend_from_slice(slots);
            }
            Op::Split { other, .. } => {
                self.stack.push(Frame::Visit(other));
                self.stack.push(Frame::Visit(next));
            }
            Op::Save(slot) => {
                self.keep(slot, position, slots);
                self.stack.push(Frame::Visit(next));
            }
            Op::Reset(from, to) => {
                for slot in from..to {
                    self.keep(slot, UNSET, slots);
                }
                self.stack.push(Frame::Visit(next));
            }
            Op::Assert(assertion) => {
                if holds(assertion, self.program, self.text, position) {
                    self.stack.push(Frame::Visit(next));
                }
            }
            Op::Run(_) | Op::Fail => {}
        }
    }

    /// Sets a slot until the ways from here are explored.
    fn keep(&mut self, slot: u32, position: usize, slots: &mut [usize]) {
        let value = slots.get(slot as usize).copied().unwrap_or(UNSET);
        if value != position {
            self.stack.push(Frame::Restore { slot, value });
            set(slots, slot, position);
        }
    }
}

fn set(slots: &mut [usize], slot: u32, value: usize) {
    if let Some(held) = slots.get_mut(slot as usize) {
        *held = value;
    }
}

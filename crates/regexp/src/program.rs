//! The instructions that both matchers run, and what can come first behind each of them.

use crate::{
    ast::Assertion,
    set::{Low, Set},
};

/// An instruction and where it goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instruction {
    pub(crate) op: Op,
    pub(crate) next: u32,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Takes this character.
    Char(u32),
    /// Takes one character of the set.
    Set(u32),
    /// Takes several characters of a set.
    Run(u32),
    /// Goes on at `next`, and when that fails at `other`.
    Split { other: u32, row: u32, first: u32, other_first: u32 },
    /// Notes the position.
    Save(u32),
    /// Forgets the positions from the first to before the second slot.
    Reset(u32, u32),
    /// Goes on where the condition holds.
    Assert(Assertion),
    /// The pattern matched.
    Match,
    /// Leads nowhere.
    Fail,
}

/// A repeated set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) set: u32,
    pub(crate) min: u32,
    /// `ast::UNBOUNDED` for none.
    pub(crate) max: u32,
    pub(crate) greedy: bool,
    /// Its row in the memo.
    pub(crate) row: u32,
    /// What can come behind.
    pub(crate) first: u32,
    /// Nothing of the set can come behind: giving characters back never helps.
    pub(crate) possessive: bool,
}

/// A look at one character.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glance {
    pub(crate) set: u32,
    /// Whether the edge of the text will do too.
    pub(crate) edge: bool,
    pub(crate) behind: bool,
    pub(crate) negated: bool,
}

/// A compiled pattern. It begins at instruction `start`; instruction 0 is `Fail`.
///
/// There is no counter and no mark for "this iteration took nothing": the compiler put both
/// into the instructions. So what can follow from an instruction at a position depends on these
/// two alone, and no way leads from such a pair back to itself without taking a character.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) code: Vec<Instruction>,
    pub(crate) runs: Vec<Run>,
    pub(crate) sets: Vec<Set>,
    pub(crate) looks: Vec<Glance>,
    pub(crate) firsts: Vec<First>,
    pub(crate) start: u32,
    /// Rows of the memo: one for each choice.
    pub(crate) rows: u32,
    /// Two for each group, the whole match included.
    pub(crate) slots: usize,
    /// What a match can begin with.
    pub(crate) start_first: u32,
    pub(crate) anchored: bool,
    pub(crate) word: Set,
}

impl Program {
    /// The instruction at `at`.
    #[inline(always)]
    pub(crate) fn instruction(&self, at: u32) -> Instruction {
        let fail = Instruction { op: Op::Fail, next: 0 };
        self.code.get(at as usize).copied().unwrap_or(fail)
    }

    /// Whether `c` is in the set.
    #[inline(always)]
    pub(crate) fn set_contains(&self, set: u32, c: u32) -> bool {
        self.sets.get(set as usize).is_some_and(|set| set.contains(c))
    }

    /// Whether what stands behind `first` could go on at this character (`None`: at the end).
    #[inline(always)]
    pub(crate) fn admits(&self, first: u32, c: Option<u32>) -> bool {
        self.firsts.get(first as usize).is_none_or(|first| first.admits(c))
    }
}

/// The characters that can come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct First {
    pub(crate) low: Low,
    /// Characters from 256 on can.
    pub(crate) high: bool,
    /// Nothing has to come: the rest is ignored.
    pub(crate) open: bool,
}

impl First {
    /// Nothing is known.
    pub(crate) const OPEN: Self = Self { low: Low::NONE, high: true, open: true };

    #[inline(always)]
    fn admits(&self, c: Option<u32>) -> bool {
        match c {
            _ if self.open => true,
            Some(c) if c < 256 => self.low.contains(c),
            Some(_) => self.high,
            None => false,
        }
    }

    fn add(&mut self, other: &Self) {
        self.low.add(&other.low);
        self.high |= other.high;
        self.open |= other.open;
    }

    fn add_set(&mut self, set: &Set) {
        self.low.add(set.low());
        self.high |= set.has_high();
    }
}

/// Fills in what can come first at choices and at the start.
pub(crate) fn look_ahead(program: &mut Program) {
    let firsts = all_firsts(program);
    let mut table = vec![First::OPEN];
    let mut intern = |at: u32| {
        let first = firsts.get(at as usize).copied().flatten().unwrap_or(First::OPEN);
        let known = table.iter().rev().take(64).position(|known| *known == first);
        let index = known.map_or(table.len(), |back| table.len() - 1 - back);
        if known.is_none() {
            table.push(first);
        }
        index as u32
    };
    program.start_first = intern(program.start);
    for instruction in &mut program.code {
        match &mut instruction.op {
            Op::Split { other, first, other_first, .. } => {
                *first = intern(instruction.next);
                *other_first = intern(*other);
            }
            Op::Run(run) => {
                let behind = firsts.get(instruction.next as usize).copied().flatten();
                if let Some(run) = program.runs.get_mut(*run as usize) {
                    run.first = intern(instruction.next);
                    let set = program.sets.get(run.set as usize);
                    run.possessive = set.zip(behind).is_some_and(|(set, behind)| {
                        !(behind.open || behind.high && set.has_high())
                            && set.low().disjoint(&behind.low)
                    });
                }
            }
            _ => {}
        }
    }
    program.firsts = table;
}

/// For each instruction what can come first. Depth first over the ways that take nothing, which
/// make no circle.
fn all_firsts(program: &Program) -> Vec<Option<First>> {
    let mut done: Vec<Option<First>> = vec![None; program.code.len()];
    for start in 0..program.code.len() as u32 {
        let mut stack = vec![start];
        while let Some(&at) = stack.last() {
            let known = |at: u32| done.get(at as usize).copied().flatten();
            if known(at).is_some() {
                stack.pop();
                continue;
            }
            let behind = behind(program, at);
            let missing = behind.iter().flatten().find(|at| known(**at).is_none());
            if let Some(missing) = missing {
                stack.push(*missing);
                continue;
            }
            let mut first = own_first(program, at);
            for other in behind.iter().flatten().filter_map(|at| known(*at)) {
                first.add(&other);
            }
            if let Some(slot) = done.get_mut(at as usize) {
                *slot = Some(first);
            }
            stack.pop();
        }
    }
    done
}

/// Where an instruction can go on without taking a character.
fn behind(program: &Program, at: u32) -> [Option<u32>; 2] {
    let Instruction { op, next } = program.instruction(at);
    match op {
        Op::Split { other, .. } => [Some(next), Some(other)],
        Op::Save(_) | Op::Reset(..) | Op::Assert(_) => [Some(next), None],
        Op::Run(run) if program.runs.get(run as usize).is_some_and(|run| run.min == 0) => {
            [Some(next), None]
        }
        Op::Run(_) | Op::Char(_) | Op::Set(_) | Op::Match | Op::Fail => [None, None],
    }
}

/// What an instruction itself takes first.
fn own_first(program: &Program, at: u32) -> First {
    let mut first = First::default();
    let set = match program.instruction(at).op {
        Op::Char(c) if c < 256 => {
            first.low.insert(c);
            None
        }
        Op::Char(_) => {
            first.high = true;
            None
        }
        Op::Match => return First::OPEN,
        Op::Set(set) => Some(set),
        Op::Run(run) => program.runs.get(run as usize).map(|run| run.set),
        Op::Split { .. } | Op::Save(_) | Op::Reset(..) | Op::Assert(_) | Op::Fail => None,
    };
    if let Some(set) = set.and_then(|set| program.sets.get(set as usize)) {
        first.add_set(set);
    }
    first
}

//! Makes a program of a tree, in two steps: a linear draft, then its product with "how many of
//! the innermost loops have taken nothing yet".
//!
//! JavaScript gives up an iteration beyond the minimum that matched nothing. A check at run time
//! would need the position where the iteration began, and a failure would then hold for that
//! position only. But a position never goes back, so one number tells all: the `idle` innermost
//! loops began their iteration right here, those around them did not. Entering a loop adds one,
//! taking a character makes it zero, and the check at the end of an iteration fails unless it is
//! zero. The product over (draft instruction, idle) has the checks built in.
//!
//! It has no circle that takes nothing: such a circle would pass the end of some loop, of these
//! take the outermost. There the number has to be zero, and the circle goes on into the next
//! iteration, where it is at least one until a character is taken.

use crate::{
    Flags, NotTaken,
    ast::{Assertion, Look, Node, Repeat, UNBOUNDED},
    class,
    parse::Pattern,
    program::{Glance, Instruction, Op, Program, Run, look_ahead},
    set::{Ranges, Set},
};

/// Instructions of a program, repetitions written out.
const INSTRUCTIONS: usize = 4_000;
/// Instructions times slots: what the threads of the Pike machine may take.
const THREAD_SLOTS: usize = 250_000;

/// Whether repeated sets become one instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// For backtracking.
    Fused,
    /// For the Pike machine, whose threads stand at single characters.
    Written,
}

/// Makes a program of `pattern`.
pub(crate) fn compile(pattern: &Pattern, flags: Flags, runs: Runs) -> Result<Program, NotTaken> {
    let mut drafter =
        Drafter { draft: Vec::new(), cost: 0, sets: Vec::new(), looks: Vec::new(), runs };
    drafter.push(Draft::Save(0))?;
    drafter.node(&pattern.root)?;
    drafter.push(Draft::Save(1))?;
    drafter.push(Draft::Match)?;
    let slots = (pattern.groups as usize + 1) * 2;
    if drafter.cost.saturating_mul(slots) > THREAD_SLOTS {
        return Err(NotTaken::TooLarge);
    }
    let mut program = Program {
        code: Vec::new(),
        runs: Vec::new(),
        sets: drafter.sets.iter().map(Set::from).collect(),
        looks: drafter.looks,
        firsts: Vec::new(),
        start: 0,
        rows: 0,
        slots,
        start_first: 0,
        anchored: pattern.root.anchored(),
        word: Set::from(&class::word(flags)),
    };
    Product {
        draft: &drafter.draft,
        program: &mut program,
        known: vec![Vec::new(); drafter.draft.len()],
        cost: 0,
    }
    .build(runs)?;
    look_ahead(&mut program);
    Ok(program)
}

/// An instruction of the draft; it goes on at the next one unless it says otherwise.
#[derive(Clone, Copy, Debug)]
enum Draft {
    Char(u32),
    Set(u32),
    Run {
        set: u32,
        min: u32,
        max: u32,
        greedy: bool,
    },
    Split(u32, u32),
    Jump(u32),
    Save(u32),
    Reset(u32, u32),
    Assert(Assertion),
    /// An iteration begins that must take something.
    Enter,
    /// It ends.
    Check,
    Match,
}

struct Drafter {
    draft: Vec<Draft>,
    cost: usize,
    sets: Vec<Ranges>,
    looks: Vec<Glance>,
    runs: Runs,
}

impl Drafter {
    fn push(&mut self, draft: Draft) -> Result<u32, NotTaken> {
        let at = self.here();
        self.spend(cost(draft))?;
        self.draft.push(draft);
        Ok(at)
    }

    fn spend(&mut self, cost: usize) -> Result<(), NotTaken> {
        self.cost = self.cost.saturating_add(cost);
        if self.cost > INSTRUCTIONS { Err(NotTaken::TooLarge) } else { Ok(()) }
    }

    fn here(&self) -> u32 {
        self.draft.len() as u32
    }

    /// Fills in a choice that was pushed before its second way was known.
    fn patch(&mut self, at: u32, body: u32, rest: u32, greedy: bool) {
        let split = if greedy { Draft::Split(body, rest) } else { Draft::Split(rest, body) };
        if let Some(draft) = self.draft.get_mut(at as usize) {
            *draft = split;
        }
    }

    fn set(&mut self, ranges: &Ranges) -> u32 {
        // Not too far back: a pattern of nothing but sets shall compile in linear time.
        let count = self.sets.len();
        let known = self.sets.iter().rev().take(64).position(|known| known == ranges);
        if known.is_none() {
            self.sets.push(ranges.clone());
        }
        known.map_or(count, |back| count - 1 - back) as u32
    }

    fn node(&mut self, node: &Node) -> Result<(), NotTaken> {
        match node {
            // Free of code, but not of time when it stands in repetitions.
            Node::Empty => self.spend(1)?,
            Node::Char(c) => {
                self.push(Draft::Char(*c))?;
            }
            Node::Set(ranges) => {
                let set = self.set(ranges);
                self.push(Draft::Set(set))?;
            }
            Node::Assert(assertion) => {
                self.push(Draft::Assert(*assertion))?;
            }
            Node::Look(look) => {
                let Look { edge, behind, negated, .. } = **look;
                let glance = Glance { set: self.set(&look.set), edge, behind, negated };
                self.push(Draft::Assert(Assertion::Look(self.looks.len() as u32)))?;
                self.looks.push(glance);
            }
            Node::Cat(parts) => parts.iter().try_for_each(|part| self.node(part))?,
            Node::Alt(parts) => self.alternatives(parts)?,
            Node::Group(number, body) => {
                self.push(Draft::Save(number * 2))?;
                self.node(body)?;
                self.push(Draft::Save(number * 2 + 1))?;
            }
            Node::Repeat(repeat) => self.repeat(repeat)?,
        }
        Ok(())
    }

    fn alternatives(&mut self, parts: &[Node]) -> Result<(), NotTaken> {
        let mut ends = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            if index + 1 == parts.len() {
                self.node(part)?;
                break;
            }
            let split = self.push(Draft::Split(0, 0))?;
            self.node(part)?;
            ends.push(self.push(Draft::Jump(0))?);
            self.patch(split, split + 1, self.here(), true);
        }
        let here = self.here();
        for end in ends {
            if let Some(draft) = self.draft.get_mut(end as usize) {
                *draft = Draft::Jump(here);
            }
        }
        Ok(())
    }

    fn repeat(&mut self, repeat: &Repeat) -> Result<(), NotTaken> {
        let Repeat { body, min, max, greedy, .. } = repeat;
        if *max == 0 {
            return self.spend(1);
        }
        if self.runs == Runs::Fused
            && let Some(ranges) = body.single()
        {
            let set = self.set(&ranges);
            self.push(Draft::Run { set, min: *min, max: *max, greedy: *greedy })?;
            return Ok(());
        }
        // An unbounded loop whose body takes something needs no copy for its last required round.
        let plus = *max == UNBOUNDED && *min > 0 && !body.nullable();
        for _ in 0..(min - u32::from(plus)) {
            // Not even an empty body may make this loop long.
            self.spend(1)?;
            self.iteration(repeat, false)?;
        }
        if plus {
            let start = self.here();
            self.iteration(repeat, false)?;
            let split = self.push(Draft::Split(0, 0))?;
            self.patch(split, start, split + 1, *greedy);
        } else if *max == UNBOUNDED {
            let split = self.push(Draft::Split(0, 0))?;
            self.iteration(repeat, true)?;
            self.push(Draft::Jump(split))?;
            self.patch(split, split + 1, self.here(), *greedy);
        } else {
            let mut splits = Vec::new();
            for _ in 0..(max - min) {
                splits.push(self.push(Draft::Split(0, 0))?);
                self.iteration(repeat, true)?;
            }
            for split in splits {
                self.patch(split, split + 1, self.here(), *greedy);
            }
        }
        Ok(())
    }

    /// One round of a repetition, with its groups unset as it begins.
    fn iteration(&mut self, repeat: &Repeat, optional: bool) -> Result<(), NotTaken> {
        let checked = optional && repeat.body.nullable();
        if checked {
            self.push(Draft::Enter)?;
        }
        let (from, to) = repeat.groups;
        if from < to {
            self.push(Draft::Reset(from * 2, to * 2))?;
        }
        self.node(&repeat.body)?;
        if checked {
            self.push(Draft::Check)?;
        }
        Ok(())
    }
}

/// How many instructions this is when it is written out.
fn cost(draft: Draft) -> usize {
    match draft {
        Draft::Run { min, max: UNBOUNDED, .. } => min as usize + 2,
        Draft::Run { min, max, .. } => {
            (max as usize).saturating_mul(2).saturating_sub(min as usize)
        }
        _ => 1,
    }
}

/// A draft instruction and the number of idle loops.
type State = (u32, u32);

struct Product<'a> {
    draft: &'a [Draft],
    program: &'a mut Program,
    /// For each draft instruction the numbers by how many loops are idle.
    known: Vec<Vec<(u32, u32)>>,
    cost: usize,
}

impl Product<'_> {
    fn build(mut self, runs: Runs) -> Result<(), NotTaken> {
        self.program.code.push(Instruction { op: Op::Fail, next: 0 });
        let mut waiting = Vec::new();
        self.program.start = self.state((0, 0), &mut waiting);
        while let Some(state) = waiting.pop() {
            let instruction = self.instruction(state, &mut waiting);
            let at = self.number(state).unwrap_or(0);
            if let Some(slot) = self.program.code.get_mut(at as usize) {
                *slot = instruction;
            }
            // The form for the Pike machine is longer only by what was counted here.
            if runs == Runs::Fused && self.cost > INSTRUCTIONS {
                return Err(NotTaken::TooLarge);
            }
        }
        Ok(())
    }

    fn at(&self, at: u32) -> Draft {
        self.draft.get(at as usize).copied().unwrap_or(Draft::Match)
    }

    fn number(&self, (at, idle): State) -> Option<u32> {
        let numbers = self.known.get(at as usize)?;
        numbers.iter().find(|(known, _)| *known == idle).map(|(_, number)| *number)
    }

    /// The number of the instruction for `state`, behind jumps and checks.
    fn state(&mut self, (mut at, mut idle): State, waiting: &mut Vec<State>) -> u32 {
        loop {
            match self.at(at) {
                Draft::Jump(to) => at = to,
                Draft::Enter => (at, idle) = (at + 1, idle + 1),
                Draft::Check if idle > 0 => return 0,
                Draft::Check => at += 1,
                _ => break,
            }
        }
        if let Some(number) = self.number((at, idle)) {
            return number;
        }
        let next = self.program.code.len() as u32;
        waiting.push((at, idle));
        self.program.code.push(Instruction { op: Op::Fail, next: 0 });
        if let Some(numbers) = self.known.get_mut(at as usize) {
            numbers.push((idle, next));
        }
        next
    }

    fn instruction(&mut self, (at, idle): State, waiting: &mut Vec<State>) -> Instruction {
        let draft = self.at(at);
        self.cost = self.cost.saturating_add(cost(draft));
        let (op, next) = match draft {
            Draft::Char(c) => (Op::Char(c), (at + 1, 0)),
            Draft::Set(set) => (Op::Set(set), (at + 1, 0)),
            Draft::Run { set, min, max, greedy } => {
                let run = Run { set, min, max, greedy, row: 0, first: 0, possessive: false };
                return self.run((at, idle), run, waiting);
            }
            Draft::Split(first, other) => {
                // The second way first: the first then lies right behind.
                let other = self.state((other, idle), waiting);
                let row = self.row();
                (Op::Split { other, row, first: 0, other_first: 0 }, (first, idle))
            }
            Draft::Save(slot) => (Op::Save(slot), (at + 1, idle)),
            Draft::Reset(from, to) => (Op::Reset(from, to), (at + 1, idle)),
            Draft::Assert(assertion) => (Op::Assert(assertion), (at + 1, idle)),
            Draft::Match | Draft::Jump(_) | Draft::Enter | Draft::Check => (Op::Match, (at, idle)),
        };
        let next = if matches!(op, Op::Match) { 0 } else { self.state(next, waiting) };
        Instruction { op, next }
    }

    /// A repeated set. While loops are idle it matters whether it took anything: then that is a
    /// choice in front of it.
    fn run(&mut self, (at, idle): State, mut run: Run, waiting: &mut Vec<State>) -> Instruction {
        let behind = self.state((at + 1, 0), waiting);
        let choice = idle > 0 && run.min == 0;
        if choice {
            run.min = 1;
        }
        if run.min != run.max {
            run.row = self.row();
        }
        let index = self.program.runs.len() as u32;
        self.program.runs.push(run);
        let running = Instruction { op: Op::Run(index), next: behind };
        if !choice {
            return running;
        }
        let running_at = self.program.code.len() as u32;
        self.program.code.push(running);
        let without = self.state((at + 1, idle), waiting);
        let (next, other) = if run.greedy { (running_at, without) } else { (without, running_at) };
        Instruction { op: Op::Split { other, row: self.row(), first: 0, other_first: 0 }, next }
    }

    fn row(&mut self) -> u32 {
        let row = self.program.rows;
        self.program.rows += 1;
        row
    }
}

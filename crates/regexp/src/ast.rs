//! The pattern as a tree, as the parser makes it and the compiler reads it.

use crate::{class, set::Ranges};

/// No upper bound of a repetition.
pub(crate) const UNBOUNDED: u32 = u32::MAX;

/// A part of a pattern.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// Matches the empty string.
    Empty,
    /// One given character.
    Char(u32),
    /// One character of a set.
    Set(Ranges),
    /// A condition on the position.
    Assert(Assertion),
    /// A look at the character ahead or behind.
    Look(Box<Look>),
    /// One after the other.
    Cat(Vec<Node>),
    /// The first that leads to a match.
    Alt(Vec<Node>),
    /// A capturing group and its number.
    Group(u32, Box<Node>),
    /// A quantified part.
    Repeat(Box<Repeat>),
}

/// A quantifier and what it repeats.
#[derive(Clone, Debug)]
pub(crate) struct Repeat {
    pub(crate) body: Node,
    pub(crate) min: u32,
    /// `UNBOUNDED` for none.
    pub(crate) max: u32,
    pub(crate) greedy: bool,
    /// The capturing groups inside: from the first to before the second number.
    pub(crate) groups: (u32, u32),
}

/// A lookaround whose body is one character or the end (for a look behind the start) of the text.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) set: Ranges,
    /// Whether the end or the start of the text will do too.
    pub(crate) edge: bool,
    pub(crate) behind: bool,
    pub(crate) negated: bool,
}

/// A condition on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assertion {
    /// `^` without `m`.
    TextStart,
    /// `$` without `m`.
    TextEnd,
    /// `^` with `m`.
    LineStart,
    /// `$` with `m`.
    LineEnd,
    /// `\b`
    WordEdge,
    /// `\B`
    NoWordEdge,
    /// A look at one character, by its number in the program.
    Look(u32),
}

impl Node {
    /// Whether it can match without consuming anything; `true` where unsure.
    pub(crate) fn nullable(&self) -> bool {
        match self {
            Self::Empty | Self::Assert(_) | Self::Look(_) => true,
            Self::Char(_) | Self::Set(_) => false,
            Self::Cat(parts) => parts.iter().all(Self::nullable),
            Self::Alt(parts) => parts.iter().any(Self::nullable),
            Self::Group(_, body) => body.nullable(),
            Self::Repeat(repeat) => repeat.min == 0 || repeat.body.nullable(),
        }
    }

    /// Whether a match can begin only at the start of the text.
    pub(crate) fn anchored(&self) -> bool {
        match self {
            Self::Empty | Self::Char(_) | Self::Set(_) | Self::Look(_) => false,
            Self::Assert(assertion) => *assertion == Assertion::TextStart,
            Self::Cat(parts) => parts.first().is_some_and(Self::anchored),
            Self::Alt(parts) => !parts.is_empty() && parts.iter().all(Self::anchored),
            Self::Group(_, body) => body.anchored(),
            Self::Repeat(repeat) => repeat.min > 0 && repeat.body.anchored(),
        }
    }

    /// What a lookaround with this body looks for: a character of the set, or when the second is
    /// set also the edge of the text. `None` when it takes more than one character to tell.
    pub(crate) fn glance(&self, behind: bool) -> Option<(Ranges, bool)> {
        match (self, behind) {
            (Self::Assert(Assertion::TextEnd), false)
            | (Self::Assert(Assertion::TextStart), true) => Some((Ranges::default(), true)),
            (Self::Assert(Assertion::LineEnd), false)
            | (Self::Assert(Assertion::LineStart), true) => Some((class::line_ends(), true)),
            (Self::Alt(parts), _) => {
                let parts: Option<Vec<_>> = parts.iter().map(|part| part.glance(behind)).collect();
                let parts = parts?;
                let all: Vec<_> = parts.iter().flat_map(|(set, _)| set.ranges()).copied().collect();
                Some((Ranges::of(&all), parts.iter().any(|(_, edge)| *edge)))
            }
            _ => Some((self.single()?, false)),
        }
    }

    /// The set of a part that always matches exactly one character.
    pub(crate) fn single(&self) -> Option<Ranges> {
        match self {
            Self::Char(c) => Some(Ranges::of(&[(*c, *c)])),
            Self::Set(set) => Some(set.clone()),
            _ => None,
        }
    }
}

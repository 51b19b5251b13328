//! JavaScript regular expressions, matched in time linear in the input.
//!
//! Takes the patterns of ECMAScript with annex B that allow it, with exactly their semantics and
//! preferences, and says of every other pattern why it does not take it ([`NotTaken`]): lookaround
//! only at one character; no back references, no `v` flag, no properties, and no `i` with letters
//! beyond ASCII.
//!
//! Knows nothing of an engine: it reads UTF-16 or Latin-1 and returns positions.
//!
//! A pattern becomes a small program (`parse`, `compile`), which is run by backtracking with a
//! memo (`backtrack`), and where that would need too much memory by a Pike machine (`pike`).

mod ast;
mod backtrack;
mod class;
mod compile;
mod escape;
mod input;
mod memo;
mod parse;
mod pike;
mod program;
mod search;
mod set;

use std::{fmt, ops::Range, str::FromStr, sync::OnceLock};

pub use input::Input;
#[doc(hidden)]
pub use search::Way;

use crate::{
    compile::{Runs, compile},
    input::{Bytes, Pairs, Units},
    parse::Pattern,
    program::Program,
    search::{Outcome, Plan, search},
};

/// The flags that bear on matching. `d`, `g` and `y` are the caller's business.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `i`
    pub ignore_case: bool,
    /// `m`
    pub multiline: bool,
    /// `s`
    pub dot_all: bool,
    /// `u`
    pub unicode: bool,
    /// `v`; no pattern with it is taken.
    pub unicode_sets: bool,
}

impl FromStr for Flags {
    type Err = NotTaken;

    /// Reads flags as JavaScript writes them, in any order and none twice.
    fn from_str(text: &str) -> Result<Self, NotTaken> {
        let mut flags = Self::default();
        for (at, flag) in text.char_indices() {
            if text.get(..at).is_some_and(|before| before.contains(flag)) {
                return Err(NotTaken::Syntax);
            }
            match flag {
                'i' => flags.ignore_case = true,
                'm' => flags.multiline = true,
                's' => flags.dot_all = true,
                'u' => flags.unicode = true,
                'v' => flags.unicode_sets = true,
                'd' | 'g' | 'y' => {}
                _ => return Err(NotTaken::Syntax),
            }
        }
        Ok(flags)
    }
}

/// Why a pattern is not taken. Another engine has to match it, or to report its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotTaken {
    /// It looks further ahead or behind than one character.
    Lookaround,
    /// It refers back to a group.
    BackReference,
    /// It has the `v` flag.
    UnicodeSets,
    /// It names a Unicode property.
    Property,
    /// It changes flags inside.
    Modifiers,
    /// It ignores the case of letters beyond ASCII.
    CaseFolding,
    /// It is too long, too deeply nested, or too large with its repetitions written out.
    TooLarge,
    /// It is no valid pattern, or has a form that is left to the other engine.
    Syntax,
}

impl fmt::Display for NotTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lookaround => {
                "lookahead and lookbehind of more than one character are not supported here"
            }
            Self::BackReference => "back references cannot be matched in linear time",
            Self::UnicodeSets => "the v flag is not supported here",
            Self::Property => "Unicode properties are not supported here",
            Self::Modifiers => "flags inside a pattern are not supported here",
            Self::CaseFolding => "the i flag with letters beyond ASCII is not supported here",
            Self::TooLarge => "the pattern is too large; make its repetitions smaller",
            Self::Syntax => "the pattern is invalid, or of a form not supported here",
        })
    }
}

impl std::error::Error for NotTaken {}

/// A compiled pattern.
#[derive(Debug)]
pub struct Regexp {
    pattern: Pattern,
    flags: Flags,
    program: Program,
    /// The program for the Pike machine, made when first needed.
    written: OnceLock<Option<Program>>,
}

impl Regexp {
    /// Compiles a pattern, given as UTF-16 units without the slashes.
    ///
    /// # Errors
    /// Says why the pattern is not taken.
    pub fn new(pattern: &[u16], flags: Flags) -> Result<Self, NotTaken> {
        if flags.unicode_sets {
            return Err(NotTaken::UnicodeSets);
        }
        let pattern = parse::parse(pattern, flags)?;
        let program = compile(&pattern, flags, Runs::Fused)?;
        Ok(Self { pattern, flags, program, written: OnceLock::new() })
    }

    /// The number of capturing groups, without the whole match.
    pub fn groups(&self) -> usize {
        self.pattern.groups as usize
    }

    /// Names and numbers of the named groups, in the order of the pattern. A name comes twice
    /// when it stands in different alternatives; of these groups at most one is set.
    pub fn group_names(&self) -> impl Iterator<Item = (&str, usize)> {
        self.pattern.names.iter().map(|(name, group)| (name.as_str(), *group as usize))
    }

    /// The leftmost match at or behind `start`, a position in UTF-16 units; with `sticky` only
    /// there. As JavaScript has it, with the `u` flag a start within a pair of surrogates moves
    /// to the pair's beginning.
    pub fn find(&self, input: Input<'_>, start: usize, sticky: bool) -> Option<Captures> {
        self.find_by(Way::Usual, input, start, sticky).0
    }

    /// Like `find`, in a given way, and the number of steps it took: for tests.
    #[doc(hidden)]
    pub fn find_by(
        &self,
        way: Way,
        input: Input<'_>,
        start: usize,
        sticky: bool,
    ) -> (Option<Captures>, u64) {
        if start > input.len() {
            return (None, 0);
        }
        let plan = Plan { program: &self.program, written: || self.written(), way, only: sticky };
        let outcome = match input {
            Input::Latin1(bytes) => search(plan, Bytes(bytes), start),
            Input::Utf16(units) if self.flags.unicode => {
                let text = Pairs(units);
                let start = start - usize::from(text.splits_pair(start));
                search(plan, text, start)
            }
            Input::Utf16(units) => search(plan, Units(units), start),
        };
        let Outcome { slots, steps } = outcome;
        (slots.map(|slots| Captures { slots }), steps)
    }

    fn written(&self) -> Option<&Program> {
        self.written.get_or_init(|| compile(&self.pattern, self.flags, Runs::Written).ok()).as_ref()
    }
}

/// Where a match and its groups are, in UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captures {
    slots: Vec<usize>,
}

impl Captures {
    /// Where group `number` matched; 0 is the whole match.
    pub fn get(&self, number: usize) -> Option<Range<usize>> {
        search::range(self.slots.chunks(2).nth(number)?)
    }

    /// All groups in order, beginning with the whole match.
    pub fn iter(&self) -> impl Iterator<Item = Option<Range<usize>>> {
        self.slots.chunks(2).map(search::range)
    }
}

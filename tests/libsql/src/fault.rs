//! What goes wrong, and when.

use std::ops::Range;

/// What a server does with a statement instead of carrying it out and saying so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Answers with this status, and does nothing else.
    Status(u16),
    /// Breaks the connection, and does nothing else.
    CutBefore,
    /// Carries it out, and breaks the connection before it says so.
    CutAfter,
    /// Carries it out, and breaks the connection after the columns.
    CutInside,
    /// Says that somebody else has the database.
    Busy,
    /// Waits for a signal of this name, then carries it out.
    Hold(String),
    /// Carries it out, then waits for a signal of this name before it says so.
    HoldAfter(String),
}

/// Faults that are still to come.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Rule>);

#[derive(Debug)]
struct Rule {
    words: String,
    /// Which of the statements that have the words, from the first that comes.
    which: Range<u32>,
    seen: u32,
    fault: Fault,
}

impl Faults {
    pub(crate) fn add(&mut self, words: &str, which: Range<u32>, fault: Fault) {
        self.0.push(Rule { words: words.to_owned(), which, seen: 0, fault });
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// What goes wrong with this statement, by the first rule that it falls under.
    pub(crate) fn take(&mut self, statement: &str) -> Option<Fault> {
        let mut found = None;
        for rule in self.0.iter_mut().filter(|rule| statement.contains(&rule.words)) {
            if found.is_none() && rule.which.contains(&rule.seen) {
                found = Some(rule.fault.clone());
            }
            rule.seen += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_strikes_where_it_says() {
        let mut faults = Faults::default();
        faults.add("INSERT", 1..3, Fault::Busy);
        faults.add("INSERT INTO b", 3..4, Fault::CutAfter);
        assert_eq!(faults.take("SELECT 1"), None);
        for expected in [None, Some(Fault::Busy), Some(Fault::Busy), Some(Fault::CutAfter), None] {
            assert_eq!(faults.take("INSERT INTO b VALUES (1)"), expected);
        }
    }
}

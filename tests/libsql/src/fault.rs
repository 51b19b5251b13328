//! What goes wrong, and when.

use crate::wire::Statement;
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
    /// A text that is one of its values; none: whatever they are.
    value: Option<String>,
    /// Which of the statements that have the words, from the first that comes.
    which: Range<u32>,
    seen: u32,
    fault: Fault,
}

impl Faults {
    pub(crate) fn add(
        &mut self,
        (words, value): (&str, Option<&str>),
        which: Range<u32>,
        fault: Fault,
    ) {
        let (words, value) = (words.to_owned(), value.map(str::to_owned));
        self.0.push(Rule { words, value, which, seen: 0, fault });
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// What goes wrong with this statement, by the first rule that it falls under.
    pub(crate) fn take(&mut self, statement: &Statement) -> Option<Fault> {
        let mut found = None;
        for rule in self.0.iter_mut().filter(|rule| rule.is_of(statement)) {
            if found.is_none() && rule.which.contains(&rule.seen) {
                found = Some(rule.fault.clone());
            }
            rule.seen += 1;
        }
        found
    }
}

impl Rule {
    fn is_of(&self, statement: &Statement) -> bool {
        let has_value = |value: &String| statement.texts().any(|text| text == value);
        statement.sql.contains(&self.words) && self.value.as_ref().is_none_or(has_value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Argument;

    #[test]
    fn a_rule_strikes_where_it_says() {
        let mut faults = Faults::default();
        faults.add(("INSERT", None), 1..3, Fault::Busy);
        faults.add(("INSERT INTO b", None), 3..4, Fault::CutAfter);
        faults.add(("DELETE", Some("it")), 0..1, Fault::Busy);
        let mut take = |sql: &str, value: &str| {
            let args = vec![Argument::Null, Argument::Text { value: value.to_owned() }];
            faults.take(&Statement { sql: sql.to_owned(), args })
        };
        assert_eq!(take("SELECT 1", "it"), None);
        for expected in [None, Some(Fault::Busy), Some(Fault::Busy), Some(Fault::CutAfter), None] {
            assert_eq!(take("INSERT INTO b VALUES (1)", ""), expected);
        }
        for (value, expected) in [("other", None), ("it", Some(Fault::Busy)), ("it", None)] {
            assert_eq!(take("DELETE FROM b WHERE a = ?2", value), expected, "{value}");
        }
    }
}

//! What a model says, gathered into parts that are worth a step of a journal.
//!
//! Border: pieces with their times in, parts out. A reply that is there within half a second has none: it comes whole.

use quarry_types::Timestamp;

/// Milliseconds between two parts, and from the first word to the first part.
const EVERY_MS: u64 = 500;

/// What a model says in one call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hearing {
    text: String,
    since: Option<Timestamp>,
}

impl Hearing {
    /// It says more.
    pub fn hear(&mut self, text: &str, now: Timestamp) {
        self.since.get_or_insert(now);
        self.text.push_str(text);
    }

    /// The next part, when it is time for it.
    pub fn due(&mut self, now: Timestamp) -> Option<String> {
        let is_time = self.wake_at().is_some_and(|at| at <= now);
        is_time.then(|| {
            self.since = Some(now);
            std::mem::take(&mut self.text)
        })
    }

    /// When it is time for the next part; none: nothing was said since the last.
    #[must_use]
    pub fn wake_at(&self) -> Option<Timestamp> {
        let since = self.since.filter(|_| !self.text.is_empty())?;
        Some(Timestamp(since.0.saturating_add(EVERY_MS)))
    }

    /// What was said since the last part: a call that broke off is another than one that said nothing.
    pub fn rest(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.text);
        (!rest.is_empty()).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_in_parts_and_not_one_by_one() {
        let mut hearing = Hearing::default();
        let mut parts = Vec::new();
        for at in (0..=1_300).step_by(100) {
            hearing.hear("a", Timestamp(at));
            parts.extend(hearing.due(Timestamp(at)).map(|part| (at, part.len())));
        }
        assert_eq!(parts, [(500, 6), (1_000, 5)]);
        assert_eq!(hearing.wake_at(), Some(Timestamp(1_500)));
        assert_eq!(hearing.rest().as_deref(), Some("aaa"));
        assert_eq!((hearing.rest(), hearing.wake_at()), (None, None));
    }

    #[test]
    fn a_model_that_stops_in_the_middle_is_heard_all_the_same() {
        let mut hearing = Hearing::default();
        assert_eq!((hearing.due(Timestamp(9)), hearing.wake_at()), (None, None));
        hearing.hear("One sentence.", Timestamp(9));
        assert_eq!(hearing.due(Timestamp(508)), None);
        assert_eq!(hearing.due(Timestamp(509)).as_deref(), Some("One sentence."));
        assert_eq!(hearing.due(Timestamp(9_000)), None, "it said nothing more");
    }
}

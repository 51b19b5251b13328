//! What persons said, by names that make each of them count once.
//!
//! Words are told to the machine once. Their name goes with the next step, which takes it out of the inbox. A step
//! that is refused leaves its names to the one that is made instead. A look that comes late finds again what a step has
//! taken: the name goes once more, and the words do not.

use std::collections::BTreeMap;

/// All that was ever found in a run's inbox.
#[derive(Debug)]
pub(super) struct Inbox<I> {
    names: BTreeMap<String, Stands>,
    /// What the machine is to be told, in the order in which it came.
    words: Vec<I>,
    /// What lies there under this name, as somebody tells it who knows more than lies there.
    own: Option<(String, I)>,
}

/// Where a name stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// The next step has it.
    Due,
    /// A step has it that may not be written yet.
    Going,
    /// It was in a step that was written.
    Taken,
}

impl<I> Inbox<I> {
    pub const fn new() -> Self {
        Inbox { names: BTreeMap::new(), words: Vec::new(), own: None }
    }

    /// A look found these. What somebody tells in its place is told where it lies among them, or behind them where others
    /// have taken it out.
    pub fn found(&mut self, said: Vec<(String, I)>) {
        for (name, words) in said {
            let own = self.own.take_if(|(own, _)| *own == name);
            self.words.extend(own.map(|(_, own)| own));
            match self.names.get_mut(&name) {
                Some(stands @ Stands::Taken) => *stands = Stands::Due,
                Some(Stands::Due | Stands::Going) => {}
                None => {
                    self.names.insert(name, Stands::Due);
                    self.words.push(words);
                }
            }
        }
        self.words.extend(self.own.take().map(|(_, own)| own));
    }

    /// The machine is told this of what lies there under this name, behind the next look: the next step takes it out.
    pub fn told(&mut self, name: String, words: I) {
        self.names.entry(name.clone()).or_insert(Stands::Due);
        self.own = Some((name, words));
    }

    /// What the machine was not told yet.
    pub fn words(&mut self) -> Vec<I> {
        std::mem::take(&mut self.words)
    }

    /// Whether the next step takes anything out.
    pub fn is_due(&self) -> bool {
        self.names.values().any(|stands| *stands == Stands::Due)
    }

    /// The names that go with a step. Whoever asks has had the [`words`](Self::words) before.
    pub fn go(&mut self) -> Vec<String> {
        let is_due = |(_, stands): &(&String, &mut Stands)| **stands == Stands::Due;
        let due = self.names.iter_mut().filter(is_due);
        due.map(|(name, stands)| {
            *stands = Stands::Going;
            name.clone()
        })
        .collect()
    }

    /// The step was written.
    pub fn written(&mut self) {
        self.went(Stands::Taken);
    }

    /// The step was refused: its words are told to the machine anew, before all that is found later.
    pub fn refused(&mut self, words: Vec<I>) {
        self.words.splice(0..0, words);
        self.went(Stands::Due);
    }

    fn went(&mut self, to: Stands) {
        let going = self.names.values_mut().filter(|stands| **stands == Stands::Going);
        going.for_each(|stands| *stands = to);
    }
}

#[cfg(test)]
mod tests;

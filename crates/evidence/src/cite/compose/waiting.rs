//! Parts that wait for the one behind them, before anything becomes of them.

use super::super::known::Known;
use super::super::peek::{Peek, asks, first};
use super::super::scan::Scanned;
use super::{Answer, Out};

impl Answer {
    /// Takes in a part of the answer.
    pub(super) fn take(&mut self, part: Scanned, known: &Known, out: &mut Vec<Out>) {
        let part = match &mut self.peek {
            Some(peek) => match peek.take(part) {
                None => return,
                Some(part) => {
                    self.end_peek(Some(&part), known, out);
                    return self.take(part, known, out);
                }
            },
            None => part,
        };
        self.peek = Peek::of(&part, self.may_be_over())
            .filter(|peek| peek.word.is_some() || self.ahead.is_none());
        if self.peek.is_none() {
            self.pass(part, known, out);
        }
    }

    /// Whether the next word tells if the sentence is over.
    fn may_be_over(&self) -> bool {
        match &self.ahead {
            Some(ahead) => ahead.sentence.is_open && ahead.is_blank,
            None => self.sentence.is_open && !self.blanks.is_empty() && !self.is_new_line(),
        }
    }

    /// What waits goes on: this part is behind it, or none.
    fn end_peek(&mut self, behind: Option<&Scanned>, known: &Known, out: &mut Vec<Out>) {
        let Some(Peek { parts, word }) = self.peek.take() else { return };
        match (&word, &mut self.ahead) {
            (Some(word), Some(ahead)) => ahead.sentence.settle(word),
            (Some(word), None) => self.sentence.settle(word),
            (None, _) => self.sentence.asks |= behind.is_some_and(asks),
        }
        self.next = parts.get(1).or(behind).and_then(first);
        let mut parts = parts.into_iter();
        if let Some(part) = parts.next() {
            self.pass(part, known, out);
        }
        self.next = None;
        // They may wait for what is behind them in turn.
        for part in parts {
            self.take(part, known, out);
        }
    }

    /// What waits for a word goes on: something that is no part of the text follows.
    pub(super) fn end_word(&mut self, known: &Known, out: &mut Vec<Out>) {
        while self.peek.is_some() {
            self.end_peek(None, known, out);
        }
    }

    /// Nothing follows: nothing waits any more.
    pub(super) fn end_waiting(&mut self, known: &Known, out: &mut Vec<Out>) {
        while self.peek.is_some() || self.ahead.is_some() {
            self.end_word(known, out);
            if self.ahead.is_some() {
                self.cite_ahead(known, out);
            }
        }
    }
}

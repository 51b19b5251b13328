//! How an answer ends: what it is not, and how much it rests on.
//!
//! Border: what is shown in, a sentence out.

use super::answer::{Shown, Why};
use std::collections::BTreeSet;

/// What there is to show.
pub(super) struct Found {
    sources: usize,
    pub quoted: usize,
    answered: usize,
    /// Parts on which rules gave a verdict.
    judged: usize,
    calculations: usize,
}

impl Found {
    pub(super) fn of(parts: &[Shown<'_, '_>], sources: usize, calculations: usize) -> Self {
        let quoted: BTreeSet<usize> = parts.iter().flat_map(Shown::sources).collect();
        let answered = parts.iter().filter(|part| part.lead.is_some()).count();
        let is_judged =
            |part: &&Shown<'_, '_>| part.lead.as_ref().is_some_and(|lead| lead.verdict.is_some());
        let judged = parts.iter().filter(is_judged).count();
        Found { sources, quoted: quoted.len(), answered, judged, calculations }
    }

    /// The sentence that an answer ends with.
    pub(super) fn closing(&self, why: Why<'_>) -> String {
        let plain = "No language model was used for this answer";
        let why = why.sentence();
        let sources = self.sources;
        let noun = if sources == 1 { "source" } else { "sources" };
        let of =
            if self.quoted == sources { String::new() } else { format!("{} of ", self.quoted) };
        match (self.quoted, self.calculations) {
            (1.., _) if self.judged > 0 => format!(
                "{plain}: its sentences are quoted from {of}{sources} {noun}; rules chose them and judged what they come to.{why} Whether they are right is for the reader to judge."
            ),
            (1.., _) if self.answered > 0 => format!(
                "{plain}: its sentences are quoted from {of}{sources} {noun} and were chosen by rules.{why} Whether they answer the question is for the reader to judge."
            ),
            (_, 1..) => format!("{plain}: it is the result of a program.{why}"),
            (1.., 0) => format!(
                "{plain}, and the rules that choose quotations found none that answers in the {sources} {noun}.{why}"
            ),
            (0, 0) if sources == 0 => {
                format!("{plain}, and no source was found.{why} Nothing can be quoted.")
            }
            (0, 0) => format!(
                "{plain}, and no passage of the {sources} {noun} found shares words with the question.{why}"
            ),
        }
    }
}

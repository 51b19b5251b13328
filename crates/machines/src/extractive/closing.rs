//! How an answer ends: what it is not, and how much it rests on.
//!
//! Border: what is shown in, a sentence out.

use super::answer::{Shown, Why};
use std::collections::BTreeSet;

/// What helps whoever asks in another script.
const FOREIGN: &str = " The rules compare words and were made for English: the same question in English, or in the language of the sources, may find more.";

/// What there is to show.
pub(super) struct Found {
    sources: usize,
    pub quoted: usize,
    answered: usize,
    /// Parts on which rules gave a verdict.
    judged: usize,
    calculations: usize,
    /// Whether the question has words, and no letter of English.
    is_foreign: bool,
}

impl Found {
    pub(super) fn of(parts: &[Shown<'_, '_>], sources: usize, calculations: usize) -> Self {
        let quoted: BTreeSet<usize> = parts.iter().flat_map(Shown::sources).collect();
        let answered = parts.iter().filter(|part| part.lead.is_some()).count();
        let is_judged =
            |part: &&Shown<'_, '_>| part.lead.as_ref().is_some_and(|lead| lead.verdict.is_some());
        let judged = parts.iter().filter(is_judged).count();
        let asked = || parts.iter().flat_map(|part| part.part.text.chars());
        let is_foreign =
            asked().any(char::is_alphabetic) && !asked().any(|c| c.is_ascii_alphabetic());
        Found { sources, quoted: quoted.len(), answered, judged, calculations, is_foreign }
    }

    /// The sentence that an answer ends with.
    pub(super) fn closing(&self, why: Why<'_>) -> String {
        let plain = "No language model was used for this answer";
        let why = why.sentence();
        let hint = if self.is_foreign { FOREIGN } else { "" };
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
                format!("{plain}, and no source was found.{why} Nothing can be quoted.{hint}")
            }
            (0, 0) => format!(
                "{plain}, and no passage of the {sources} {noun} found shares words with the question.{why}{hint}"
            ),
        }
    }
}

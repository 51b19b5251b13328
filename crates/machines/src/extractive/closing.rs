//! How an answer ends: what it is not, and how much it rests on.
//!
//! Border: what is shown in, a sentence out.

use super::answer::{Shown, Why};
use super::words;
use std::collections::BTreeSet;

/// What helps whoever asks in another language.
const FOREIGN: &str = " The rules compare words and were made for English: the same question in English, or in the language of the sources, may find more.";

/// What there is to show.
pub(super) struct Found {
    sources: usize,
    pub quoted: usize,
    answered: usize,
    /// Parts on which rules gave a verdict.
    judged: usize,
    calculations: usize,
    /// Whether the question is not in English, as far as its letters and small words tell.
    is_foreign: bool,
}

/// Small words, lower case, of other languages.
const FOREIGN_WORDS: [&str; 37] = [
    "auf", "con", "cuando", "cuanto", "dans", "das", "der", "des", "die", "donde", "een", "ein",
    "eine", "est", "het", "il", "ist", "la", "las", "le", "les", "los", "mit", "por", "quand",
    "que", "quel", "quelle", "quien", "sind", "und", "une", "viele", "von", "wann", "wie", "wo",
];

/// Small words, lower case, of English and of none of those languages.
const ENGLISH_WORDS: [&str; 25] = [
    "and", "are", "by", "can", "did", "does", "for", "from", "has", "have", "how", "is", "it",
    "many", "of", "the", "there", "what", "when", "where", "which", "who", "why", "with", "you",
];

/// Other words, lower case, that a question of those languages may begin with.
const FOREIGN_BEGINNINGS: [&str; 6] = ["che", "combien", "qui", "was", "wat", "wer"];

impl Found {
    pub(super) fn of(parts: &[Shown<'_, '_>], sources: usize, calculations: usize) -> Self {
        let quoted: BTreeSet<usize> = parts.iter().flat_map(Shown::sources).collect();
        let answered = parts.iter().filter(|part| part.lead.is_some()).count();
        let is_judged =
            |part: &&Shown<'_, '_>| part.lead.as_ref().is_some_and(|lead| lead.verdict.is_some());
        let judged = parts.iter().filter(is_judged).count();
        let asked: Vec<&str> = parts.iter().map(|part| part.part.text.as_str()).collect();
        let is_foreign = is_foreign(&asked.join(" "));
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
                "{plain}: its sentences are quoted from {of}{sources} {noun} and were chosen by rules.{why} Whether they answer the question is for the reader to judge.{hint}"
            ),
            (_, 1..) => format!("{plain}: it is the result of a program.{why}"),
            (1.., 0) => format!(
                "{plain}, and the rules that choose quotations found none that answers in the {sources} {noun}.{why}{hint}"
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

/// Whether a question is in another language: it has no letter of English, or small words of another and none of English.
fn is_foreign(question: &str) -> bool {
    if !question.contains(|c: char| c.is_ascii_alphabetic()) {
        return question.contains(char::is_alphabetic);
    }
    let all = words::words(question);
    let begins = all.first().is_some_and(|word| FOREIGN_BEGINNINGS.contains(&word.as_str()));
    // `Los Angeles` is a name.
    let written = question.split(|c: char| !c.is_alphanumeric());
    let foreign = written.filter(|word| FOREIGN_WORDS.contains(word)).count();
    let is_english = all.iter().any(|word| ENGLISH_WORDS.contains(&word.as_str()));
    foreign + usize::from(begins) > 1 && !is_english
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_in_another_language_is_known_by_its_small_words() {
        for (question, foreign) in [
            ("灯塔有多高？", true),
            ("Wie hoch ist die Mahngebühr?", true),
            ("Was kostete die Orrin-Brücke?", true),
            ("Quelle est la longueur du pont?", true),
            ("How many people die in Los Angeles?", false),
            ("Was La Paz founded in 1548?", false),
            ("Was it Ludwig van Beethoven?", false),
            ("toll Orrin Bridge 2016", false),
            ("1 + 2?", false),
        ] {
            assert_eq!(is_foreign(question), foreign, "{question}");
        }
    }
}

//! The fixed words of a report, by language.
//!
//! A new language is a file here, a variant of [`Language`] and its words in `spoken`. What pages, models and policies
//! said stays in their own words.

mod assessed;
mod de;
mod doubts;
mod en;
mod es;
mod fr;
mod reasons;
mod spoken;

pub use assessed::assessed;
pub use doubts::doubted;
use quarry_events::run::{ConflictFound, CutShort, ResolutionReason, Role};
use quarry_evidence::{Difference, Level, Reason};
pub use reasons::tier_reason;
use serde::{Deserialize, Serialize};
pub use spoken::Spoken;
use std::cmp::Ordering;

/// A language that reports are written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ReportLanguage"))]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// German.
    De,
    /// French.
    Fr,
    /// Spanish.
    Es,
}

/// By which runs of before revision 4 told the language of their task. One was enough.
const TELLING: [(Language, &[&str]); 4] = [
    (
        Language::En,
        &[
            "the", "of", "what", "which", "how", "does", "is", "are", "why", "who", "when", "and",
            "did", "was", "were", "where", "has", "have", "with", "to", "in", "for",
        ],
    ),
    (
        Language::De,
        &[
            "der", "die", "das", "und", "ist", "wie", "was", "welche", "welcher", "welches",
            "warum", "wer", "wann", "wo", "den", "dem", "ein", "eine", "einen", "von", "mit",
            "nicht", "für", "über", "sind", "hat", "viele", "im", "zu", "in", "war", "wurde",
        ],
    ),
    (
        Language::Fr,
        &[
            "le", "la", "les", "des", "du", "et", "est", "quel", "quelle", "quels", "quelles",
            "comment", "pourquoi", "qui", "quand", "une", "un", "combien", "dans", "pour", "sur",
            "avec", "sont", "où", "que", "qu", "l", "d", "au", "aux", "de", "en", "a",
        ],
    ),
    (
        Language::Es,
        &[
            "el", "la", "los", "las", "del", "y", "es", "qué", "cuál", "cuáles", "cómo", "por",
            "quién", "cuándo", "una", "un", "cuántos", "cuántas", "en", "para", "sobre", "con",
            "son", "dónde", "que", "de", "cuánto", "fue", "tiene", "al",
        ],
    ),
];

/// Words of a task that are looked at.
const MOST_WORDS: usize = 400;

impl Language {
    /// The language that runs of before revision 4 took their task for; English where no word told.
    #[must_use]
    pub fn before(task: &str) -> Language {
        let words = task.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<String> = words.take(MOST_WORDS).map(str::to_lowercase).collect();
        let count =
            |telling: &[&str]| words.iter().filter(|word| telling.contains(&word.as_str())).count();
        let counts = TELLING.map(|(language, telling)| (count(telling), language));
        let best =
            counts.into_iter().reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.filter(|(count, _)| *count > 0).map_or(Language::En, |(_, language)| language)
    }

    /// Whether a word only holds others together, as far as runs of before knew.
    fn was_function_word(self, word: &str) -> bool {
        let own = TELLING.iter().filter(|(language, _)| *language == self);
        own.flat_map(|(_, words)| *words).any(|it| *it == word)
    }

    /// As HTML names it.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::De => "de",
            Language::Fr => "fr",
            Language::Es => "es",
        }
    }

    /// As prompts call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Language::En => "English",
            Language::De => "German",
            Language::Fr => "French",
            Language::Es => "Spanish",
        }
    }

    /// Its words.
    pub(super) const fn words(self) -> &'static Words {
        match self {
            Language::En => &en::WORDS,
            Language::De => &de::WORDS,
            Language::Fr => &fr::WORDS,
            Language::Es => &es::WORDS,
        }
    }
}

/// The fixed words of a report. `{}` stands for what is filled in.
#[derive(Debug)]
pub(super) struct Words {
    pub titles: [&'static str; 8],
    /// What stands between a number and its fraction.
    pub point: char,
    pub report: &'static str,
    pub contents: &'static str,
    // 1
    pub no_model: &'static str,
    pub fell_back: &'static str,
    pub partial: [&'static str; 2],
    pub so_far: &'static str,
    pub ended_without: &'static str,
    pub none_resolved: &'static str,
    pub nothing_verified: &'static str,
    pub same: &'static str,
    pub more_on_this: &'static str,
    pub other_figures: &'static str,
    pub ages: [&'static str; 3],
    pub may_explain: &'static str,
    pub nobody_says: &'static str,
    pub none_mentions: &'static str,
    pub nearest: &'static str,
    pub thin_answer: &'static str,
    pub left_out: &'static str,
    // 2
    pub method: &'static str,
    pub started: &'static str,
    pub time: &'static str,
    pub rounds: &'static str,
    pub questions: &'static str,
    pub questions_are: &'static str,
    pub queries: &'static str,
    pub queries_are: &'static str,
    pub pages: &'static str,
    pub pages_are: &'static str,
    pub findings: &'static str,
    pub tokens: &'static str,
    pub cost: &'static str,
    pub cost_unknown: &'static str,
    pub cost_at_least: &'static str,
    pub unsettled: &'static str,
    pub models: &'static str,
    pub rules_alone: &'static str,
    pub roles: [&'static str; 4],
    pub guidance: &'static str,
    pub too_late: &'static str,
    pub was_down: &'static str,
    pub none: &'static str,
    // 3
    pub no_finding: &'static str,
    pub other_findings: &'static str,
    pub thin: &'static str,
    pub thin_means: &'static str,
    pub in_part: &'static str,
    pub trust: &'static str,
    // 4
    pub tier: &'static str,
    pub tier_unknown: &'static str,
    pub published: &'static str,
    pub undated: &'static str,
    pub retrieved: &'static str,
    pub copy_of: &'static str,
    pub also_consulted: &'static str,
    pub no_source: &'static str,
    // 5
    pub differences: [&'static str; 3],
    pub explained: &'static str,
    pub open: &'static str,
    pub reasons: [&'static str; 3],
    pub no_conflict: &'static str,
    pub uncertainties: &'static str,
    // 6
    pub open_questions: &'static str,
    pub why_open: [&'static str; 10],
    pub not_taken_up: &'static str,
    pub under_way: &'static str,
    pub judged: &'static str,
    pub missing: &'static str,
    pub not_verified: &'static str,
    pub left_out_sentences: &'static str,
    pub unverified: &'static str,
    pub more: &'static str,
    pub no_gap: &'static str,
    // 7
    pub confidence: &'static str,
    pub levels: [&'static str; 3],
    pub part: &'static str,
    pub value: &'static str,
    pub says: &'static str,
    pub limitations: &'static str,
    pub cut_short: [&'static str; 2],
    pub not_ended: &'static str,
    pub ended_early: &'static str,
    pub no_model_limit: &'static str,
    pub open_limit: &'static str,
    pub unread_limit: &'static str,
    /// How many sources were read whole and are kept in part, of how many.
    pub cut_limit: &'static str,
    /// How much of what people said was too long for a model, of how much.
    pub guidance_limit: &'static str,
    pub newest_limit: &'static str,
    pub undated_limit: &'static str,
    pub conflict_limit: &'static str,
    pub one_voice_limit: &'static str,
    pub check_limit: &'static str,
    pub search_limit: &'static str,
    // 8
    pub ask_gap: &'static str,
    pub ask_confirm: &'static str,
    pub ask_conflict: &'static str,
    pub no_follow_up: &'static str,
}

impl Words {
    pub(super) const fn cut_short(&self, cut: CutShort) -> &'static str {
        let [timeout, budget] = self.cut_short;
        of_cut(cut, timeout, budget)
    }

    pub(super) const fn partial(&self, cut: CutShort) -> &'static str {
        let [timeout, budget] = self.partial;
        of_cut(cut, timeout, budget)
    }

    pub(super) const fn role(&self, role: Role) -> &'static str {
        let [plan, read, judge, write] = self.roles;
        match role {
            Role::Plan => plan,
            Role::Read => read,
            Role::Judge => judge,
            Role::Write => write,
        }
    }

    pub(super) const fn difference(&self, difference: Difference) -> &'static str {
        let [number, date, polarity] = self.differences;
        match difference {
            Difference::Number => number,
            Difference::Date => date,
            Difference::Polarity => polarity,
        }
    }

    pub(super) const fn reason(&self, found: &ConflictFound) -> &'static str {
        let [primary, newer, corrected] = self.reasons;
        match (found.conflict.reason, &found.explained_by) {
            (Some(Reason::Primary), _) => primary,
            (Some(Reason::Newer), _) => newer,
            (Some(Reason::Corrected), _) => corrected,
            (None, Some(_)) => self.explained,
            (None, None) => self.open,
        }
    }

    /// How old something is against something else.
    pub(super) const fn age(&self, age: Ordering) -> &'static str {
        let [older, same, newer] = self.ages;
        match age {
            Ordering::Less => older,
            Ordering::Equal => same,
            Ordering::Greater => newer,
        }
    }

    pub(super) const fn level(&self, level: Level) -> &'static str {
        let [low, medium, high] = self.levels;
        match level {
            Level::Low => low,
            Level::Medium => medium,
            Level::High => high,
        }
    }

    pub(super) const fn why_open(&self, reason: ResolutionReason) -> &'static str {
        let [direct, children, depth, policy, no_gain, duplicate, budget, timeout, error, aborted] =
            self.why_open;
        match reason {
            ResolutionReason::Direct => direct,
            ResolutionReason::Children => children,
            ResolutionReason::Depth => depth,
            ResolutionReason::Policy => policy,
            ResolutionReason::NoGain => no_gain,
            ResolutionReason::Duplicate => duplicate,
            ResolutionReason::Budget => budget,
            ResolutionReason::Timeout => timeout,
            ResolutionReason::Error => error,
            ResolutionReason::Aborted => aborted,
        }
    }

    /// A number with so many digits behind the point.
    pub(super) fn number(&self, value: f64, digits: usize) -> String {
        let value = super::facts::finite(value);
        format!("{value:.digits$}").replace('.', &self.point.to_string())
    }
}

const fn of_cut(cut: CutShort, timeout: &'static str, budget: &'static str) -> &'static str {
    match cut {
        CutShort::Timeout => timeout,
        CutShort::Budget => budget,
    }
}

/// Words with what stands for each `{}`, in order.
pub(super) fn fill(words: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    let mut out = String::new();
    for (at, part) in words.split("{}").enumerate() {
        if at > 0 {
            out.push_str(values.next().copied().unwrap_or_default());
        }
        out.push_str(part);
    }
    out
}

/// What a sentence says before its colon, for where what it says behind that is not so.
pub(super) fn head(sentence: &str) -> String {
    let (head, _) = sentence.split_once(':').unwrap_or((sentence, ""));
    format!("{}.", head.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_function_word_told_the_language_of_runs_of_before() {
        for (task, language) in [
            ("How many steps does the lighthouse of Sker have?", Language::En),
            ("Wie viele Stufen hat der Leuchtturm von Sker?", Language::De),
            ("Combien de marches a le phare de Sker ?", Language::Fr),
            ("¿Cuántos escalones tiene el faro de Sker?", Language::Es),
            ("Sker lighthouse", Language::En),
            ("灯台は何段ありますか", Language::En),
            ("", Language::En),
        ] {
            assert_eq!(Language::before(task), language, "{task}");
        }
    }

    #[test]
    fn every_language_has_the_same_places_to_fill() {
        let places = |language: Language| {
            let shown = format!("{:?}", language.words());
            shown.split("\", ").map(|part| part.matches("{}").count()).collect::<Vec<_>>()
        };
        for language in [Language::De, Language::Fr, Language::Es] {
            assert_eq!(places(language), places(Language::En), "{language:?}");
        }
    }

    #[test]
    fn what_is_filled_in_is_not_filled_again() {
        assert_eq!(fill("{} of {}.", &["{}", "x"]), "{} of x.");
        assert_eq!(
            (Language::De.words().number(0.5, 2), fill("a {}", &[])),
            ("0,50".to_owned(), "a ".to_owned())
        );
        assert_eq!(Language::En.words().number(f64::NAN, 2), "0.00");
    }
}

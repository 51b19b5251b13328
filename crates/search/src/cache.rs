//! Answers that are kept for a while, and searches that wait for the same search of somebody else.

use crate::rank::Ranked;
use crate::{Provider, Query};
use serde::{Deserialize, Serialize};
use url::Url;

/// Seconds for which others wait for a search that is under way.
pub const LEASE: u64 = 10;
/// Seconds that an answer may be kept at most.
pub const MAX_KEEP: u64 = 24 * 60 * 60;

/// What a search asks whom, in a form in which equal searches are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question(String);

impl Question {
    /// Letters' case does not count, nor does white space, which [`Query`] has cleaned.
    pub fn new(query: &Query, providers: &[Provider], fusion: usize) -> Self {
        let names: Vec<&str> = providers.iter().map(|provider| provider.name()).collect();
        let words = query.text.to_lowercase();
        Self(format!("{words}\n{} {fusion} {}", query.limit, names.join(",")))
    }

    /// Where its answer is kept. Two questions can share a place: the entry says whose it is.
    pub fn key(&self) -> String {
        // FNV-1a.
        let sum = self.0.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        format!("web/search/{sum:016x}")
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The providers that answered, joined by `+`.
    pub provider: String,
    /// The results, each with the providers that found it.
    pub results: Vec<(Ranked, String)>,
    /// What went wrong on the way.
    pub notes: Vec<String>,
}

/// What an entry says to whoever has the same question.
#[derive(Debug, Clone, PartialEq)]
pub enum Look {
    /// The answer.
    Answer(Found),
    /// Somebody is asking; the answer may come.
    UnderWay,
    /// Nothing that counts.
    Nothing,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    question: String,
    /// Seconds since 1970.
    until: u64,
    /// None while the search is under way.
    found: Option<Kept>,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    provider: String,
    results: Vec<KeptResult>,
    notes: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct KeptResult {
    title: String,
    url: String,
    description: String,
    score: f64,
    provider_score: Option<f64>,
    provider: String,
}

/// Reads an entry.
pub fn look(bytes: &[u8], question: &Question, now: u64) -> Look {
    let Ok(entry) = serde_json::from_slice::<Entry>(bytes) else { return Look::Nothing };
    let counts = (now..=now.saturating_add(MAX_KEEP)).contains(&entry.until);
    if entry.question != question.0 || !counts {
        return Look::Nothing;
    }
    let Some(kept) = entry.found else { return Look::UnderWay };
    let results = kept.results.into_iter().filter_map(|result| {
        let url = Url::parse(&result.url).ok()?;
        let KeptResult { title, description, score, provider_score, provider, .. } = result;
        Some((Ranked { title, url, description, score, provider_score }, provider))
    });
    Look::Answer(Found { provider: kept.provider, results: results.collect(), notes: kept.notes })
}

/// The entry of a search that begins.
pub fn begin(question: &Question, now: u64) -> Vec<u8> {
    write(question, now.saturating_add(LEASE), None)
}

/// The entry of an answer that counts for so many seconds.
pub fn keep(question: &Question, found: &Found, seconds: u64, now: u64) -> Vec<u8> {
    let results = found.results.iter().map(|(ranked, provider)| KeptResult {
        title: ranked.title.clone(),
        url: ranked.url.to_string(),
        description: ranked.description.clone(),
        score: ranked.score,
        provider_score: ranked.provider_score,
        provider: provider.clone(),
    });
    let kept = Kept {
        provider: found.provider.clone(),
        results: results.collect(),
        notes: found.notes.clone(),
    };
    write(question, now.saturating_add(seconds.min(MAX_KEEP)), Some(kept))
}

fn write(question: &Question, until: u64, found: Option<Kept>) -> Vec<u8> {
    let entry = Entry { question: question.0.clone(), until, found };
    // Numbers and strings always have a JSON form; an empty entry says nothing to anyone.
    serde_json::to_vec(&entry).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(text: &str) -> Question {
        Question::new(&Query::new(text, 5).unwrap(), &[Provider::Searxng], 1)
    }

    fn found() -> Found {
        let ranked = Ranked {
            title: "T".into(),
            url: Url::parse("https://example.com/").unwrap(),
            description: "D".into(),
            score: 0.5,
            provider_score: Some(2.0),
        };
        Found {
            provider: "searxng".into(),
            results: vec![(ranked, "searxng".into())],
            notes: vec!["n".into()],
        }
    }

    #[test]
    fn equal_searches_are_one_question() {
        assert_eq!(question("What  IS\tthis"), question(" what is this "));
        let other = Question::new(&Query::new("what is this", 6).unwrap(), &[Provider::Searxng], 1);
        assert_ne!(question("what is this"), other);
        assert_ne!(question("a").key(), question("b").key());
    }

    #[test]
    fn an_answer_is_kept_for_its_time_and_for_its_question() {
        let bytes = keep(&question("a"), &found(), 600, 1_000);
        assert_eq!(look(&bytes, &question("A"), 1_600), Look::Answer(found()));
        assert_eq!(look(&bytes, &question("A"), 1_601), Look::Nothing);
        assert_eq!(look(&bytes, &question("b"), 1_000), Look::Nothing);
        // From a clock that was a year ahead.
        assert_eq!(look(&bytes, &question("a"), 0).clone(), Look::Answer(found()));
        let ahead = keep(&question("a"), &found(), 600, 40_000_000);
        assert_eq!(look(&ahead, &question("a"), 1_000), Look::Nothing);
    }

    #[test]
    fn a_search_under_way_is_waited_for_a_little() {
        let bytes = begin(&question("a"), 1_000);
        assert_eq!(look(&bytes, &question("a"), 1_000 + LEASE), Look::UnderWay);
        assert_eq!(look(&bytes, &question("a"), 1_001 + LEASE), Look::Nothing);
        assert_eq!(look(b"", &question("a"), 0), Look::Nothing);
        assert_eq!(look(b"{}", &question("a"), 0), Look::Nothing);
    }
}

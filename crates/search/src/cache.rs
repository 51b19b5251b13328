//! Answers that are kept for a while, and searches that wait for the same search of somebody else.
//! Keys and entries only; the store is the component's.
//!
//! Questions share places ([`places`]), so the store does not grow with what is asked.

use crate::providers::Reach;
use crate::query::Query;
use crate::rank::Ranked;
use crate::searching::Found;
use quarry_types::places;
use serde::{Deserialize, Serialize};
use url::Url;

/// Seconds for which others wait for a search that is under way.
pub const LEASE: u64 = 10;
/// Seconds that an answer may be kept at most.
pub const MAX_KEEP: u64 = 24 * 60 * 60;

/// Milliseconds of the first and of the longest pause between two looks.
const PAUSES: (u64, u64) = (20, 400);

/// What a search asks whom, in a form in which equal searches are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question(String);

impl Question {
    /// Letters' case does not count, nor does white space, which [`Query`] has cleaned. Where a
    /// provider is does count: after it has moved, its answers are of another web. Its key does not.
    pub fn new(query: &Query, plan: &[Reach], fusion: usize) -> Self {
        let ways: Vec<String> = plan
            .iter()
            .map(|reach| format!("{}={}", reach.provider.name(), reach.access.url))
            .collect();
        let words = query.text.to_lowercase();
        let sites = query.domains.iter().map(|name| format!(" {name}")).collect::<String>();
        Self(format!("{words}\n{} {fusion} {}{sites}", query.limit, ways.join(" ")))
    }

    /// Where its answer is kept. Two questions can share a place: the entry says whose it is.
    pub fn key(&self) -> String {
        places::key("web/answer", &self.0)
    }
}

/// Looking for an answer that is kept, or that somebody else is about to get.
#[derive(Debug, Clone)]
pub struct Looking<'a> {
    question: &'a Question,
    pause: u64,
}

/// What follows from a look.
#[derive(Debug, Clone, PartialEq)]
pub enum Look {
    /// The answer.
    Answer(Found),
    /// Somebody is asking; look again in so many milliseconds.
    Again(u64),
    /// Search, after this entry was set: it tells others that somebody does.
    Search(Vec<u8>),
}

impl<'a> Looking<'a> {
    /// Begins to look.
    pub fn new(question: &'a Question) -> Self {
        Self { question, pause: PAUSES.0 }
    }

    /// Takes what stands under the key, `now` in seconds since 1970, and the milliseconds that are left
    /// for the search as a whole.
    pub fn seen(&mut self, entry: Option<&[u8]>, now: u64, remaining_ms: u64) -> Look {
        let begin = || write(self.question, now.saturating_add(LEASE), None);
        let entry = entry.and_then(|bytes| serde_json::from_slice::<Entry>(bytes).ok());
        let counts = |entry: &Entry| {
            entry.question == self.question.0
                && (now..=now.saturating_add(MAX_KEEP)).contains(&entry.until)
        };
        match entry.filter(counts).map(|entry| entry.found) {
            Some(Some(kept)) => Look::Answer(kept.into()),
            Some(None) if self.pause < remaining_ms => {
                let pause = self.pause;
                self.pause = (pause * 2).min(PAUSES.1);
                Look::Again(pause)
            }
            Some(None) | None => Look::Search(begin()),
        }
    }
}

/// What is done with the entry when the search has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// This stands there from now on.
    Keep(Vec<u8>),
    /// Nothing: whoever waits has to search for itself.
    Forget,
    /// What stood there before.
    Leave,
}

/// An answer is kept for so many seconds. A failure is not, nor is that nothing was found where somebody who
/// did not answer may know better. Whoever asked `anew` has told nobody: what stands there then is somebody
/// else's, an answer that is as good as it was or a search that is under way.
pub fn ending(
    question: &Question,
    found: Option<&Found>,
    anew: bool,
    seconds: u64,
    now: u64,
) -> Ending {
    match found {
        Some(found) if found.certain || !found.results.is_empty() => {
            let until = now.saturating_add(seconds.min(MAX_KEEP));
            Ending::Keep(write(question, until, Some(found.into())))
        }
        Some(_) | None if anew => Ending::Leave,
        Some(_) | None => Ending::Forget,
    }
}

fn write(question: &Question, until: u64, found: Option<Kept>) -> Vec<u8> {
    let entry = Entry { question: question.0.clone(), until, found };
    // Numbers and strings always have a JSON form; an empty entry says nothing to anyone.
    serde_json::to_vec(&entry).unwrap_or_default()
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
    #[serde(default)]
    certain: bool,
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

impl From<&Found> for Kept {
    fn from(found: &Found) -> Self {
        let results = found.results.iter().map(|(ranked, provider)| KeptResult {
            title: ranked.title.clone(),
            url: ranked.url.to_string(),
            description: ranked.description.clone(),
            score: ranked.score,
            provider_score: ranked.provider_score,
            provider: provider.clone(),
        });
        Self {
            provider: found.provider.clone(),
            results: results.collect(),
            notes: found.notes.clone(),
            certain: found.certain,
        }
    }
}

impl From<Kept> for Found {
    fn from(kept: Kept) -> Self {
        let results = kept.results.into_iter().filter_map(|result| {
            let url = Url::parse(&result.url).ok()?;
            let KeptResult { title, description, score, provider_score, provider, .. } = result;
            Some((Ranked { title, url, description, score, provider_score }, provider))
        });
        let results = results.collect();
        Self { provider: kept.provider, results, notes: kept.notes, certain: kept.certain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::{Access, Provider};

    fn plan(url: &str) -> Vec<Reach> {
        let access = Access { url: Url::parse(url).unwrap(), key: None };
        vec![Reach { provider: Provider::named("searxng").unwrap(), access }]
    }

    fn question(text: &str) -> Question {
        Question::new(&Query::new(text, 5).unwrap(), &plan("http://127.0.0.1:8080"), 1)
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
            certain: true,
        }
    }

    /// What one look at an entry says, with time enough.
    fn look(entry: &[u8], question: &Question, now: u64) -> Look {
        Looking::new(question).seen(Some(entry), now, 10_000)
    }

    fn kept(question: &Question, now: u64) -> Vec<u8> {
        match ending(question, Some(&found()), false, 600, now) {
            Ending::Keep(bytes) => bytes,
            Ending::Forget | Ending::Leave => panic!("an answer is kept"),
        }
    }

    fn is_search(look: &Look) -> bool {
        matches!(look, Look::Search(_))
    }

    #[test]
    fn equal_searches_are_one_question() {
        assert_eq!(question("What  IS\tthis"), question(" what is this "));
        let query = Query::new("what is this", 6).unwrap();
        let other = Question::new(&query, &plan("http://127.0.0.1:8080"), 1);
        assert_ne!(question("what is this"), other);
        assert_ne!(question("a").key(), question("b").key());
        assert_eq!(question("what is this").key(), "web/answer/1850", "as it was kept");
    }

    #[test]
    fn a_provider_that_has_moved_is_asked_anew() {
        let query = Query::new("a", 5).unwrap();
        let before = Question::new(&query, &plan("http://127.0.0.1:8080"), 1);
        let after = Question::new(&query, &plan("http://127.0.0.1:8081"), 1);
        assert!(is_search(&look(&kept(&before, 1_000), &after, 1_000)));
        assert_ne!(before.key(), after.key());
    }

    #[test]
    fn however_much_is_asked_there_are_so_many_places_and_each_answer_is_its_own_questions() {
        let mut used = std::collections::BTreeMap::new();
        for number in 0..2 * places::COUNT {
            let asked = question(&format!("question {number}"));
            if let Some(earlier) = used.insert(asked.key(), asked.clone()) {
                let bytes = kept(&earlier, 1_000);
                assert!(is_search(&look(&bytes, &asked, 1_000)), "{earlier:?} answers {asked:?}");
            }
        }
        assert!(used.len() as u64 <= places::COUNT);
        assert!(used.len() as u64 > places::COUNT / 2, "most of them are used");
    }

    #[test]
    fn an_answer_is_kept_for_its_time_and_for_its_question() {
        let bytes = kept(&question("a"), 1_000);
        assert_eq!(look(&bytes, &question("A"), 1_600), Look::Answer(found()));
        assert!(is_search(&look(&bytes, &question("A"), 1_601)));
        assert!(is_search(&look(&bytes, &question("b"), 1_000)));
        // From a clock that was a year ahead.
        let ahead = kept(&question("a"), 40_000_000);
        assert!(is_search(&look(&ahead, &question("a"), 1_000)));
        assert_eq!(ending(&question("a"), None, false, 600, 1_000), Ending::Forget);
    }

    #[test]
    fn who_asks_anew_and_fails_takes_nothing_from_others() {
        let question = question("a");
        let unsure = Found { results: Vec::new(), certain: false, ..found() };
        for failed in [None, Some(&unsure)] {
            assert_eq!(ending(&question, failed, true, 600, 1_000), Ending::Leave);
        }
        let answered = ending(&question, Some(&found()), true, 600, 1_000);
        assert_eq!(answered, Ending::Keep(kept(&question, 1_000)), "a new answer stands for it");
    }

    #[test]
    fn that_nothing_was_found_is_kept_only_when_all_answered() {
        let question = question("a");
        let is_kept = |found: &Found| {
            matches!(ending(&question, Some(found), false, 600, 1_000), Ending::Keep(_))
        };
        let nothing = Found { results: Vec::new(), ..found() };
        assert!(is_kept(&nothing));
        assert!(!is_kept(&Found { certain: false, ..nothing }), "ten minutes later they may");
        assert!(is_kept(&Found { certain: false, ..found() }));
    }

    #[test]
    fn a_search_under_way_is_waited_for_a_little() {
        let question = question("a");
        let Look::Search(mark) = Looking::new(&question).seen(None, 1_000, 10_000) else {
            panic!("nothing is kept")
        };
        let mut looking = Looking::new(&question);
        let pauses: Vec<Look> =
            (0..7).map(|_| looking.seen(Some(&mark), 1_000 + LEASE, 10_000)).collect();
        assert_eq!(pauses, [20, 40, 80, 160, 320, 400, 400].map(Look::Again));
        assert!(is_search(&looking.seen(Some(&mark), 1_000, 400)), "no time is left to wait");
        assert!(is_search(&look(&mark, &question, 1_001 + LEASE)), "who asks has died");
        for odd in [b"".as_slice(), b"{}", b"null"] {
            assert!(is_search(&look(odd, &question, 1_000)));
        }
    }
}

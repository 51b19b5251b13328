//! What searches bring: pages that a query makes, or those of the demo web.

use quarry_demo_web::{DemoSite, hosts::SEARCH_HOST};
use quarry_evidence::{Anchor, Passage};
use quarry_tools::{
    Errand, FailureKind, Found, Hit, Outcome, OwnPassage, Page, Passages, SearchFailure, Spent,
};
use quarry_types::{Timestamp, fnv};

#[path = "../answers/read.rs"]
#[expect(dead_code, reason = "shared with another test, which uses the rest")]
mod read;

/// The web.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Web {
    /// Two pages of authorities for each query, which say of it what no other page says.
    Scripted,
    /// The same pages whatever is asked.
    Same,
    /// The same, more and long ones.
    Long,
    /// Nothing is ever found.
    Empty,
    /// Every so many searches one fails, by the hash of its query.
    Failing(u64),
    /// The demo web.
    Demo,
    /// No provider answers before that time; then as the scripted one.
    Down(Timestamp),
    /// The server has no search provider.
    Unset,
    /// As the scripted one, and each page says [`WITNESSED`] behind what it says alone.
    Witnesses,
    /// The same, but for pages on [`FULLER`] and on [`DISPUTED`], which say these.
    Disputed,
    /// As the scripted one, and no search of one's documents ends in time.
    OwnSilent,
    /// As the scripted one, and one's document is replaced before each search: it says other things in the same places.
    OwnReplaced,
    /// Of each query either the web or one's documents know something, by its hash; the other finds nothing.
    Apart,
}

impl Web {
    pub fn run(self, errand: &Errand, now: Timestamp) -> Outcome {
        let (query, limit) = match errand {
            Errand::Search { query, limit, .. } => (query, limit),
            Errand::SearchKnowledge(_) if self == Web::OwnSilent => {
                return Outcome::failed(FailureKind::Timeout, "it did not end in time");
            }
            Errand::SearchKnowledge(query) if self == Web::Apart && is_of_web(&query.text) => {
                return Outcome::Passages(Passages::default());
            }
            Errand::SearchKnowledge(query) => {
                let found = own(&query.text, query.limit);
                return Outcome::Passages(match self {
                    Web::OwnReplaced => replaced(found, &query.text),
                    _ => found,
                });
            }
            Errand::ReadPage { .. } | Errand::RunProgram { .. } => panic!("{errand:?}"),
        };
        let results = match self {
            Web::Failing(every) if hash(query).is_multiple_of(every) => {
                return Outcome::failed(FailureKind::Failed, "the engine is down");
            }
            Web::Down(until) if now < until => {
                return Outcome::failed(FailureKind::Unavailable, "no search provider answered");
            }
            Web::Unset => {
                let reason = "no search provider is configured: set BRAVE_API_KEY".to_owned();
                return Outcome::Failed(SearchFailure::NotConfigured(reason).into());
            }
            Web::Scripted | Web::OwnSilent | Web::OwnReplaced | Web::Failing(_) | Web::Down(_) => {
                scripted(query)
            }
            Web::Witnesses => witnesses(query, WITNESSED),
            Web::Disputed => {
                let other = [FULLER, DISPUTED].into_iter().find(|(on, _)| query.starts_with(on));
                witnesses(query, other.map_or(WITNESSED, |(_, says)| says))
            }
            Web::Same => scripted("alder tower"),
            Web::Long => long(),
            Web::Apart if is_of_web(query) => scripted(query),
            Web::Empty | Web::Apart => Vec::new(),
            Web::Demo => read::found_at(SEARCH_HOST, query, *limit).into_iter().map(demo).collect(),
        };
        let results = results.into_iter().take(*limit as usize).collect();
        Outcome::Found(Found { provider: "scripted".to_owned(), results, ..Found::default() })
    }
}

/// All that a page of the demo web says.
pub fn page(url: &str) -> String {
    let page = read::fetch(&DemoSite::load().unwrap(), url).unwrap_or_else(|| panic!("{url}"));
    page.passages.into_iter().map(|passage| passage.text).collect::<Vec<_>>().join("\n")
}

fn demo(page: read::Read) -> Hit {
    let read = Page {
        url: page.url.clone(),
        title: Some(page.title.clone()),
        date: page.date,
        signals: page.signals,
        passages: page.passages,
        extracted: true,
        ..Page::default()
    };
    Hit { title: page.title, url: page.url, page: Some(Ok(read)), ..Hit::default() }
}

/// What the vector of a question costs, of eight tokens.
pub const VECTOR: f64 = 8e-6;

/// Whether the web knows something of a query, where it and one's documents know different things.
fn is_of_web(query: &str) -> bool {
    hash(query).is_multiple_of(2)
}

/// Two passages of one document for each query, which say of it what no page says; no more than are asked for.
fn own(query: &str, limit: u32) -> Passages {
    let passage = |number: u32| OwnPassage {
        document: "chronicle".to_owned(),
        title: "Our own chronicle".to_owned(),
        number,
        text: format!("Our archive calls {query} {}.", word(query, 50 + u64::from(number))),
        address: format!("/knowledge/documents/chronicle/chunks?from={number}"),
        score: 0.7,
        date: Some("2026-09-01".to_owned()),
        ..OwnPassage::default()
    };
    // Each query has places of its own.
    let first = u32::try_from(hash(query) % 1_000).unwrap() * 2;
    let passages = (first..first + limit.min(2)).map(passage).collect();
    let spent = Some(Spent { model: "openai:embeds".to_owned(), tokens: 8, cost: Some(VECTOR) });
    Passages { passages, spent, ..Passages::default() }
}

/// The same in the first places of the document, which is in a state of its own.
fn replaced(mut found: Passages, query: &str) -> Passages {
    for (passage, number) in found.passages.iter_mut().zip(0..) {
        let state = hash(query);
        passage.number = number;
        passage.address =
            format!("/knowledge/documents/chronicle/chunks?from={number}&as_of={state:x}");
    }
    found
}

/// What every page says of whatever is asked, where pages are witnesses.
pub const WITNESSED: &str = "The harbour of Brankmoor has 12 berths for barges.";

/// What pages on this say in its place where it is disputed: the same with more, or otherwise.
pub const FULLER: (&str, &str) =
    ("Kelder", "The harbour of Brankmoor has 12 berths for barges and one crane.");
pub const DISPUTED: (&str, &str) = ("Torvin", "The harbour of Brankmoor has 14 berths for barges.");

/// Four pages for a prompt that has no room for all.
fn long() -> Vec<Hit> {
    let mut hits: Vec<Hit> =
        ["alder tower", "birch tower"].into_iter().flat_map(scripted).collect();
    let pages = hits.iter_mut().flat_map(|hit| hit.page.iter_mut().flatten());
    let passages = pages.flat_map(|page| &mut page.passages);
    passages.for_each(|passage| passage.text = format!("{} ", passage.text).repeat(30));
    hits
}

fn witnesses(query: &str, says: &str) -> Vec<Hit> {
    let mut hits = scripted(query);
    let pages = hits.iter_mut().flat_map(|hit| hit.page.iter_mut().flatten());
    let passages = pages.flat_map(|page| &mut page.passages);
    passages.for_each(|passage| passage.text = format!("{} {says}", passage.text));
    hits
}

fn scripted(query: &str) -> Vec<Hit> {
    let said = [
        format!("The chronicle calls {query} {} and {}.", word(query, 1), word(query, 2)),
        format!("Surveyors found beside {query} a {} of {}.", word(query, 3), word(query, 4)),
    ];
    let hit = |(n, text): (u64, String)| {
        let url = format!("https://{}.gov/{}", word(query, 10 + n), word(query, 20));
        let passage = Passage::new(Anchor::new(format!("p{n}")), Vec::new(), text, &url);
        let page = Page {
            url: url.clone(),
            title: Some(format!("Record {}", word(query, 30 + n))),
            date: Some("2026-10-02".to_owned()),
            passages: vec![passage],
            extracted: true,
            ..Page::default()
        };
        let title = format!("Record {}", word(query, 30 + n));
        Hit { title, url, page: Some(Ok(page)), ..Hit::default() }
    };
    (0..).zip(said).map(hit).collect()
}

/// What makes chances of a text, the same ones in every build.
pub fn hash(text: &str) -> u64 {
    fnv::bits64(text.bytes())
}

/// A word that stands nowhere else: the `n`th of this text.
pub fn word(text: &str, n: u64) -> String {
    let mut bits = random(hash(text) ^ n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut word = String::new();
    for _ in 0..4 {
        let (consonant, vowel) = ((bits % 14) as usize, (bits / 14 % 4) as usize);
        word.push_str(&"bdfgklmnprtvwz"[consonant..=consonant]);
        word.push_str(&"aiou"[vowel..=vowel]);
        bits /= 56;
    }
    word
}

/// The next of a sequence of random numbers.
pub fn random(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

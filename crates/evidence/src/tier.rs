//! How near a source is to what it tells of.

use crate::hosts::{self, Publisher};
use crate::own::{OWN_DOCUMENTS, OWN_VOICE, is_own};
use quarry_types::Signal;
use serde::{Deserialize, Serialize};

/// How near a source is to what it tells of, as far as its address says. In the order of what is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Anything else.
    Other,
    /// Who reports and answers for it: news agencies, papers of record, encyclopaedias.
    Secondary,
    /// Public bodies, universities, publishers of research, makers on their own work.
    Primary,
}

impl Tier {
    /// Every tier, best first.
    pub const ALL: [Tier; 3] = [Tier::Primary, Tier::Secondary, Tier::Other];

    /// The tier of an address.
    #[must_use]
    pub fn of(url: &str) -> Tier {
        standing(url).tier
    }

    /// 1, 2 or 3; 1 is best.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Tier::Primary => 1,
            Tier::Secondary => 2,
            Tier::Other => 3,
        }
    }

    /// The tier with this number; what has none is other.
    #[must_use]
    pub const fn numbered(number: u8) -> Tier {
        match number {
            1 => Tier::Primary,
            2 => Tier::Secondary,
            _ => Tier::Other,
        }
    }
}

/// What an address says of who publishes there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// How near it is to what it tells of.
    pub tier: Tier,
    /// What kind of publisher it is, where its host is known.
    pub publisher: Option<Publisher>,
    /// Why it has that tier, in a few words.
    pub reason: &'static str,
}

const NO_ADDRESS: &str = "no address";
const HAS_DOI: &str = "its address has a DOI";
const UNKNOWN: &str = "nothing is known of its host";

/// What an address says of who publishes there: by its host, else by its path. A path can be made by
/// anyone, so that of an unknown host never makes it primary.
#[must_use]
pub fn standing(url: &str) -> Standing {
    if is_own(url) {
        let reason = "a document of one's own: whoever asks chose it";
        return Standing { tier: Tier::Primary, publisher: None, reason };
    }
    let Some(url) = url::Url::parse(url).ok() else {
        return Standing { tier: Tier::Other, publisher: None, reason: NO_ADDRESS };
    };
    if let Some(row) = hosts::find(url.host_str().unwrap_or_default()) {
        let hosts::Row { publisher, tier, reason } = row;
        return Standing { tier, publisher: Some(publisher), reason };
    }
    let (tier, reason) =
        if has_doi(url.path()) { (Tier::Secondary, HAS_DOI) } else { (Tier::Other, UNKNOWN) };
    Standing { tier, publisher: None, reason }
}

/// What an address and the page behind it say of who publishes there. Where the address tells, the page has no
/// say; what a page says of itself never makes it primary, as anyone can write it.
#[must_use]
pub fn standing_of_page(url: &str, signals: &[Signal]) -> Standing {
    let known = standing(url);
    if known.publisher.is_some() || known.tier != Tier::Other {
        return known;
    }
    match by_signals(signals) {
        Some(reason) => Standing { tier: Tier::Secondary, reason, ..known },
        None => known,
    }
}

/// Signals that a page has all of, and why it is one that somebody answers for.
const BY_SIGNALS: [(&[Signal], &str); 4] = [
    (&[Signal::Doi, Signal::Journal], "its page names its journal and its DOI"),
    (&[Signal::PublicBody], "its page names a public body as its publisher"),
    (&[Signal::ScholarlyArticle, Signal::Byline], "a scholarly article with its author's name"),
    (&[Signal::NewsArticle, Signal::Byline], "a news article with its author's name"),
];

/// Every reason for a tier that is given here.
#[must_use]
pub fn tier_reasons() -> Vec<&'static str> {
    let signals = BY_SIGNALS.iter().map(|(_, reason)| *reason);
    hosts::reasons().chain([NO_ADDRESS, HAS_DOI, UNKNOWN]).chain(signals).collect()
}

/// Why signals of a page make it one that somebody answers for.
fn by_signals(signals: &[Signal]) -> Option<&'static str> {
    let has = |wanted: &[Signal]| wanted.iter().all(|signal| signals.contains(signal));
    BY_SIGNALS.into_iter().find(|(wanted, _)| has(wanted)).map(|(_, reason)| reason)
}

/// Whether a path names an article as publishers do: `/doi/…/10.1234/…`.
fn has_doi(path: &str) -> bool {
    let mut parts = path.split('/').skip_while(|part| *part != "doi").skip(1);
    let is_prefix = |part: &str| {
        let digits = part.strip_prefix("10.").unwrap_or_default();
        (4..=9).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    parts.any(is_prefix) && parts.next().is_some_and(|name| !name.is_empty())
}

/// The host of an address, lower case.
fn host(url: &str) -> String {
    let parsed = url::Url::parse(url).ok();
    parsed.as_ref().and_then(url::Url::host_str).unwrap_or_default().to_owned()
}

/// Who speaks at an address: sites of one owner are one voice, and all documents of one's own are. By the last two labels of the host, three
/// where the second is one under which a country gives names; a number is a host of its own.
#[must_use]
pub fn voice(url: &str) -> String {
    if is_own(url) {
        return OWN_VOICE.to_owned();
    }
    let host = host(url);
    if host.parse::<std::net::Ipv4Addr>().is_ok() {
        return host;
    }
    let labels: Vec<&str> = host.split('.').collect();
    let is_shared = |label: &&str| {
        matches!(*label, "co" | "com" | "org" | "net" | "gov" | "ac" | "edu" | "or" | "ne" | "go")
    };
    let second = labels.len().checked_sub(2).and_then(|at| labels.get(at));
    let is_country = labels.last().is_some_and(|last| last.len() == 2);
    let kept = if is_country && second.is_some_and(is_shared) { 3 } else { 2 };
    let from = labels.len().saturating_sub(kept);
    labels.get(from..).unwrap_or_default().join(".")
}

/// Who contradicts whom: each document of one's own speaks for itself, as one may be out of date and another not,
/// though all are one voice where voices are counted.
#[must_use]
pub(crate) fn speaker(url: &str) -> String {
    match url.strip_prefix(OWN_DOCUMENTS).filter(|_| is_own(url)) {
        Some(rest) => rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned(),
        None => voice(url),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signals_of_a_page_speak_where_its_address_says_nothing() {
        use Signal::{Byline, Doi, Journal, NewsArticle, PublicBody, ScholarlyArticle};
        let table: [(&[Signal], bool); 9] = [
            (&[Doi, Journal], true),
            (&[PublicBody], true),
            (&[ScholarlyArticle, Byline], true),
            (&[NewsArticle, Byline], true),
            (&[Doi, Byline], false),
            (&[Journal], false),
            (&[NewsArticle], false),
            (&[Byline], false),
            (&[], false),
        ];
        for (signals, is_secondary) in table {
            let found = standing_of_page("https://unknown.example/", signals);
            let tier = if is_secondary { Tier::Secondary } else { Tier::Other };
            assert_eq!((found.tier, found.publisher), (tier, None), "{signals:?}");
            assert_eq!(is_secondary, found.reason != "nothing is known of its host");
        }
        // Whose address is known stays what it is, whatever its pages claim.
        for url in ["https://someone.medium.com/x", "https://www.reuters.com/x", "https://a.gov/"] {
            assert_eq!(standing_of_page(url, &[Doi, Journal, PublicBody]), standing(url), "{url}");
        }
    }

    #[test]
    fn addresses_tell_tiers_and_voices() {
        for url in [
            "https://www.nih.gov/x",
            "https://a.ox.ac.uk/",
            "https://doi.org/10.1/x",
            "https://www.gouv.example.gouv.fr/",
        ] {
            assert_eq!(Tier::of(url), Tier::Primary, "{url}");
        }
        for url in [
            "https://www.reuters.com/x",
            "https://press.example/doi/full/10.1234/abc",
            "https://press.example/doi/10.1234/abc",
        ] {
            assert_eq!(Tier::of(url), Tier::Secondary, "{url}");
        }
        for url in [
            "https://blog.example.com/",
            "https://notdoi.org/",
            "https://gov.example.com/",
            "http://127.0.0.1:8090/light",
            "https://press.example/doi/10.1234/",
            "https://press.example/10.1234/abc",
            "https://en.wikipedia.org.example/",
            "https://user.medium.com/doi/10.1234/abc",
            "x",
            "",
        ] {
            assert_eq!(Tier::of(url), Tier::Other, "{url}");
        }
        let own = "/knowledge/documents/d1/chunks?from=7";
        assert_eq!(Tier::of(own), Tier::Primary);
        assert_eq!(voice(own), voice("/knowledge/documents/d2/chunks"));
        assert_ne!(voice(own), voice(""));
        assert_eq!(voice("https://en.wikipedia.org/wiki/X"), voice("https://de.wikipedia.org/"));
        assert_ne!(voice("https://one.co.uk/"), voice("https://two.co.uk/"));
        assert_ne!(voice("http://127.0.0.1/"), voice("http://10.0.0.1/"));
        for tier in Tier::ALL {
            assert_eq!(Tier::numbered(tier.number()), tier);
        }
    }

    #[test]
    fn each_document_speaks_for_itself_and_a_host_with_one_voice() {
        let speaks = |document: &str| speaker(&format!("/knowledge/documents/{document}"));
        assert_eq!(speaks("d1/chunks?from=7"), speaks("d1/chunks?from=9"));
        assert_ne!(speaks("d1/chunks?from=7"), speaks("d2/chunks?from=7"));
        let page = |host: &str| speaker(&format!("https://{host}/page"));
        assert_eq!(page("www.a.example"), page("a.example"));
    }
}

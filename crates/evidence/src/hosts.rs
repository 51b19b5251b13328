//! Hosts that are known: what kind of publisher each is, and how near that is to what it tells of.
//!
//! Border: a host in, its kind out. The list is `data/tiers.toml`, read once.

use crate::Tier;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What kind of publisher a host is. By the names of the tables in `data/tiers.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Publisher {
    /// A public authority.
    Government,
    /// A central bank.
    CentralBank,
    /// A body that sets standards.
    Standards,
    /// A register of companies, species, packages and the like.
    Registry,
    /// A statistics office.
    Statistics,
    /// A court, or who publishes its decisions.
    Court,
    /// An organisation of states.
    Intergovernmental,
    /// A university.
    University,
    /// A journal, or a repository of research.
    Journal,
    /// A research institute or academy.
    Research,
    /// A library, an archive, a museum.
    Institution,
    /// Who governs a sport.
    Federation,
    /// Who makes what is documented.
    Documentation,
    /// A research organisation with a view of its own.
    ThinkTank,
    /// A medical reference for patients.
    Health,
    /// A news agency.
    NewsAgency,
    /// A broadcaster.
    Broadcaster,
    /// A newspaper or magazine.
    Newspaper,
    /// A work of reference.
    Encyclopaedia,
    /// The press of one trade.
    TradePress,
    /// Press releases.
    PressRelease,
    /// A platform on which anyone may publish.
    OpenPlatform,
}

impl Publisher {
    /// Every kind.
    pub const ALL: [Publisher; 22] = [
        Publisher::Government,
        Publisher::CentralBank,
        Publisher::Standards,
        Publisher::Registry,
        Publisher::Statistics,
        Publisher::Court,
        Publisher::Intergovernmental,
        Publisher::University,
        Publisher::Journal,
        Publisher::Research,
        Publisher::Institution,
        Publisher::Federation,
        Publisher::Documentation,
        Publisher::ThinkTank,
        Publisher::Health,
        Publisher::NewsAgency,
        Publisher::Broadcaster,
        Publisher::Newspaper,
        Publisher::Encyclopaedia,
        Publisher::TradePress,
        Publisher::PressRelease,
        Publisher::OpenPlatform,
    ];

    /// As the list and clients write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Publisher::Government => "government",
            Publisher::CentralBank => "central_bank",
            Publisher::Standards => "standards",
            Publisher::Registry => "registry",
            Publisher::Statistics => "statistics",
            Publisher::Court => "court",
            Publisher::Intergovernmental => "intergovernmental",
            Publisher::University => "university",
            Publisher::Journal => "journal",
            Publisher::Research => "research",
            Publisher::Institution => "institution",
            Publisher::Federation => "federation",
            Publisher::Documentation => "documentation",
            Publisher::ThinkTank => "think_tank",
            Publisher::Health => "health",
            Publisher::NewsAgency => "news_agency",
            Publisher::Broadcaster => "broadcaster",
            Publisher::Newspaper => "newspaper",
            Publisher::Encyclopaedia => "encyclopaedia",
            Publisher::TradePress => "trade_press",
            Publisher::PressRelease => "press_release",
            Publisher::OpenPlatform => "open_platform",
        }
    }
}

/// A table of the list.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// What kind of publisher.
    pub publisher: Publisher,
    /// Its tier.
    pub tier: Tier,
    /// Why, in a few words.
    pub reason: &'static str,
}

#[derive(Default)]
struct List {
    rows: Vec<Row>,
    /// By host, or by the label that stands below a country: `gov.??`.
    places: BTreeMap<&'static str, usize>,
}

static LIST: LazyLock<List> = LazyLock::new(|| List::read(include_str!("../data/tiers.toml")));

impl List {
    /// Reads the list. What is not in its form says nothing; a test holds the file to it.
    fn read(text: &'static str) -> List {
        let mut list = List::default();
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            let quoted = || line.split('"').skip(1).step_by(2);
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                let known = Publisher::ALL.into_iter().find(|known| known.as_str() == name);
                let row = |publisher| Row { publisher, tier: Tier::Other, reason: "" };
                list.rows.extend(known.map(row));
            } else if let Some(tier) = line.strip_prefix("tier = ") {
                let tier = Tier::ALL.into_iter().find(|known| known.number().to_string() == tier);
                if let Some((row, tier)) = list.rows.last_mut().zip(tier) {
                    row.tier = tier;
                }
            } else if line.starts_with("reason = ") {
                if let Some((row, reason)) = list.rows.last_mut().zip(quoted().next()) {
                    row.reason = reason;
                }
            } else if let Some(at) = list.rows.len().checked_sub(1) {
                list.places.extend(quoted().map(|host| (host, at)));
            }
        }
        list
    }

    fn get(&self, name: &str) -> Option<Row> {
        self.places.get(name).and_then(|at| self.rows.get(*at)).copied()
    }
}

/// Why any host of the list has its tier.
pub fn reasons() -> impl Iterator<Item = &'static str> {
    LIST.rows.iter().map(|row| row.reason)
}

/// Labels of a host that are looked at, from its end: more than any name on the list has.
const MOST_LABELS: usize = 6;

/// The table that a host stands in, by the longest name that fits. `host` in lower case.
pub fn find(host: &str) -> Option<Row> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let labels: Vec<&str> = host.rsplit('.').take(MOST_LABELS).collect();
    let is_country = labels.first().is_some_and(|last| last.len() == 2);
    (1..=labels.len()).rev().find_map(|count| {
        let kept = labels.get(..count)?;
        let length = kept.iter().map(|label| label.len() + 1).sum::<usize>() - 1;
        let exact = host.get(host.len() - length..).and_then(|name| LIST.get(name));
        let below = || {
            let second = kept.last().filter(|_| count == 2 && is_country)?;
            LIST.get(&format!("{second}.??"))
        };
        exact.or_else(below)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_line_of_the_list_has_its_form() {
        let text = include_str!("../data/tiers.toml");
        let mut tables = Vec::new();
        for line in text.lines().map(str::trim) {
            let is_name = |name: &str| {
                let is_plain =
                    |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.?".contains(c);
                !name.is_empty() && name.chars().all(is_plain)
            };
            let is_list = line.strip_suffix(',').is_some_and(|line| {
                line.split(", ").all(|name| {
                    let inner = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
                    inner.is_some_and(is_name)
                })
            });
            if let Some(name) = line.strip_prefix('[') {
                tables.push(name.trim_end_matches(']'));
                continue;
            }
            let is_fixed =
                matches!(line, "" | "hosts = [" | "]" | "tier = 1" | "tier = 2" | "tier = 3");
            let is_reason = line.starts_with("reason = \"") && line.matches('"').count() == 2;
            assert!(is_fixed || is_list || is_reason || line.starts_with('#'), "{line}");
        }
        let kinds: Vec<&str> = Publisher::ALL.into_iter().map(Publisher::as_str).collect();
        assert_eq!(tables, kinds, "a table for each kind");
        assert!(LIST.rows.iter().all(|row| !row.reason.is_empty()));
        assert!(LIST.rows.iter().zip(Publisher::ALL).all(|(row, kind)| row.publisher == kind));
        let named = text.matches('"').count() / 2 - tables.len();
        assert_eq!(LIST.places.len(), named, "no host stands there twice");
    }

    #[test]
    fn the_longest_name_that_fits_holds() {
        let of = |host: &str| find(host).map(|row| row.publisher.as_str());
        for (host, kind) in [
            ("www.nih.gov", "government"),
            ("www.legifrance.gouv.fr", "government"),
            ("gov.example.gov.uk", "government"),
            ("plato.stanford.edu", "encyclopaedia"),
            ("cs.stanford.edu", "university"),
            ("www.brookings.edu", "think_tank"),
            ("a.ox.ac.uk", "university"),
            ("dictionary.cambridge.org", "encyclopaedia"),
            ("www.cambridge.org", "journal"),
            ("spectrum.ieee.org", "trade_press"),
            ("www.bbc.co.uk.", "broadcaster"),
            ("someone.substack.com", "open_platform"),
        ] {
            assert_eq!(of(host), Some(kind), "{host}");
        }
        for host in ["", "com", "uk", "co.uk", "notdoi.org", "gov.example.com", "127.0.0.1", "x.??"]
        {
            assert_eq!(of(host), None, "{host}");
        }
    }

    proptest! {
        #[test]
        fn any_host_is_survived(host in "(\\PC{0,6}|[a-z.?]{0,40})") {
            let _ = find(&host);
        }
    }
}

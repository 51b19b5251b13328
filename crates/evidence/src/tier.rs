//! How near a source is to what it tells of.

use serde::{Deserialize, Serialize};

/// How near a source is to what it tells of, as far as its address says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Anything else.
    Secondary,
    /// Public bodies, universities, publishers of research.
    Primary,
}

/// Hosts of research and of public bodies outside the endings for them.
const PRIMARY_HOSTS: &[&str] =
    &["doi.org", "arxiv.org", "europa.eu", "who.int", "un.org", "worldbank.org", "oecd.org"];

impl Tier {
    /// The tier of an address.
    #[must_use]
    pub fn of(url: &str) -> Tier {
        let host = host(url);
        let mut labels = host.rsplit('.');
        let ends = [labels.next().unwrap_or_default(), labels.next().unwrap_or_default()];
        let is_public = matches!(ends[0], "gov" | "edu" | "mil" | "int")
            || (ends[0].len() == 2
                && matches!(ends[1], "gov" | "edu" | "ac" | "gob" | "gouv" | "go"));
        let is_known = PRIMARY_HOSTS.iter().any(|known| {
            host.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        });
        if is_public || is_known { Tier::Primary } else { Tier::Secondary }
    }
}

/// The host of an address, lower case.
fn host(url: &str) -> String {
    let parsed = url::Url::parse(url).ok();
    parsed.as_ref().and_then(url::Url::host_str).unwrap_or_default().to_owned()
}

/// Who speaks at an address: sites of one owner are one voice. By the last two labels of the host, three
/// where the second is one under which a country gives names.
#[must_use]
pub fn voice(url: &str) -> String {
    let host = host(url);
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

#[cfg(test)]
mod tests {
    use super::*;

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
            "https://blog.example.com/",
            "https://notdoi.org/",
            "https://gov.example.com/",
            "x",
            "",
        ] {
            assert_eq!(Tier::of(url), Tier::Secondary, "{url}");
        }
        assert_eq!(voice("https://en.wikipedia.org/wiki/X"), voice("https://de.wikipedia.org/"));
        assert_ne!(voice("https://one.co.uk/"), voice("https://two.co.uk/"));
    }
}

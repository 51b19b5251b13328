//! The sites that the pages belong to, each with a host of its own and its own way to answer.
//!
//! Names under `localhost` stay on this machine (RFC 6761), so none can lead outside, and each of
//! these is a registrable domain of its own.

/// Whoever asks for a search here is told pages under their own hosts.
pub const SEARCH_HOST: &str = "search.localhost";

/// How a site answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// At once and whole.
    Prompt,
    /// Whole, after a delay that is the server's to choose.
    Slow,
    /// The head says how long the body is, and its second half never comes.
    BreaksOff,
}

/// A site of the small web.
#[derive(Debug, PartialEq, Eq)]
pub struct Site {
    /// What its pages give as `og:site_name`.
    pub name: &'static str,
    /// Its host, without a port.
    pub host: &'static str,
    /// How it answers.
    pub manner: Manner,
}

/// Every site, by name.
pub const SITES: [Site; 25] = [
    site("Axle Notes", "axle-notes.localhost", Manner::Prompt),
    site("Coastal Ecology Letters", "coastal-ecology-letters.localhost", Manner::Prompt),
    site("Compendium of Islands", "compendium-of-islands.localhost", Manner::Prompt),
    site("County Statistics Office", "county-statistics.localhost", Manner::Prompt),
    site("Hydrographic Service", "hydrographic-service.localhost", Manner::Prompt),
    site("Journal of Coastal Structures", "coastal-structures.localhost", Manner::Prompt),
    site("Kestwick County", "kestwick-county.localhost", Manner::Prompt),
    site("Kestwick Courier", "kestwick-courier.localhost", Manner::Prompt),
    site("Kestwick Harbour Board", "kestwick-harbour.localhost", Manner::Prompt),
    site("Kestwick Hauliers' Association", "kestwick-hauliers.localhost", Manner::Prompt),
    site("National Energy Agency", "energy-agency.localhost", Manner::Prompt),
    site("National Parliament", "parliament.localhost", Manner::Prompt),
    site("Orrin Bridge Authority", "orrin-bridge.localhost", Manner::Prompt),
    site("Orrin Community Fund", "orrin-community-fund.localhost", Manner::Prompt),
    site("Orrin Island Council", "orrin-council.localhost", Manner::Prompt),
    site("Orrin Maritime Museum", "orrin-museum.localhost", Manner::Prompt),
    site("Orrin Sound Almanac", "orrin-almanac.localhost", Manner::Prompt),
    site("Radio Orrin", "radio-orrin.localhost", Manner::BreaksOff),
    site("Register of Coastal Heritage", "coastal-heritage.localhost", Manner::Prompt),
    site("Saltwater Diaries", "saltwater-diaries.localhost", Manner::Prompt),
    site("Sound Power Cooperative", "sound-power.localhost", Manner::Prompt),
    site("State Gazette", "state-gazette.localhost", Manner::Slow),
    site("Torp & Varr, Consulting Engineers", "torp-varr.localhost", Manner::Prompt),
    site("Visit Orrin", "visit-orrin.localhost", Manner::Prompt),
    site("Western Post", "western-post.localhost", Manner::Prompt),
];

const fn site(name: &'static str, host: &'static str, manner: Manner) -> Site {
    Site { name, host, manner }
}

/// The site of this name.
pub(crate) fn named(name: &str) -> Option<&'static Site> {
    SITES.iter().find(|site| site.name == name)
}

/// The site at this host.
pub(crate) fn at(host: &str) -> Option<&'static Site> {
    SITES.iter().find(|site| site.host == host)
}

/// Every host of the small web, the search's among them.
pub fn hosts() -> impl Iterator<Item = &'static str> {
    SITES.iter().map(|site| site.host).chain([SEARCH_HOST])
}

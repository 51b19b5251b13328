//! The way to a page: its address is checked, its site's robots.txt asked, its redirects followed, and
//! each of them checked and asked in the same manner. A machine without I/O: each state says what is
//! to be done, and takes what came of it.

use crate::address::{self, Allow, Refusal, Target};
use crate::cookies::Cookies;
use crate::redirect::{Hops, RedirectError};
use crate::robots::{self, Forbidden, Policy};
use serde::{Deserialize, Serialize};

/// Milliseconds that a page may take as a whole, whatever the caller allows.
pub const MAX_TIME_MS: u64 = 15_000;
/// Milliseconds that a robots.txt may take, its redirects included.
pub const ROBOTS_TIME_MS: u64 = 5_000;

const ROBOTS_PATH: &str = "/robots.txt";

/// What the operator decides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// Authorities that may be read although a rule refuses them.
    pub allow: Allow,
    /// Whether a site's robots.txt is asked before its pages are read.
    pub respect_robots: bool,
}

/// Why a page is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Denial {
    /// The address that was asked for. A retry will not help.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A redirect. A retry will not help.
    #[error(transparent)]
    Redirect(#[from] RedirectError),
    /// The host's network rules: the name leads inside, or the address is not allowed. A retry will
    /// not help.
    #[error("the host's network rules forbid this address")]
    Network,
    /// The robots.txt of this host; the reason says whether a retry may help.
    #[error("robots.txt of {0} {1}")]
    Robots(String, Forbidden),
    /// The site cannot be reached; the words are for people. A retry may help.
    #[error("{0}")]
    Unreachable(String),
    /// The time is over. A retry may help.
    #[error("the page did not come in time")]
    Timeout,
}

/// What a denial is for whoever wants the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DenialKind {
    /// A rule forbids the page.
    Refused,
    /// The address is malformed.
    InvalidUrl,
    /// The redirects do not end at a page.
    TooManyRedirects,
    /// A redirect that says nothing of where to.
    Unreadable,
    /// The site cannot be had, or its rules cannot.
    Unreachable,
    /// The time is over.
    Timeout,
}

impl Denial {
    /// What it is for whoever wants the page.
    #[must_use]
    pub fn kind(&self) -> DenialKind {
        match self {
            Self::Refused(refusal) if refusal.is_invalid() => DenialKind::InvalidUrl,
            Self::Redirect(RedirectError::TooMany | RedirectError::Loop) => {
                DenialKind::TooManyRedirects
            }
            Self::Redirect(RedirectError::NoLocation) => DenialKind::Unreadable,
            Self::Refused(_)
            | Self::Redirect(RedirectError::Refused(_))
            | Self::Network
            | Self::Robots(_, Forbidden::Disallowed) => DenialKind::Refused,
            Self::Robots(_, Forbidden::Unavailable) | Self::Unreachable(_) => {
                DenialKind::Unreachable
            }
            Self::Timeout => DenialKind::Timeout,
        }
    }
}

/// Why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The time is over.
    Timeout,
    /// The host forbids it.
    Denied,
    /// No connection, or it broke; the words are for people.
    Unreachable(String),
}

impl From<Failure> for Denial {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Timeout => Self::Timeout,
            Failure::Denied => Self::Network,
            Failure::Unreachable(why) => Self::Unreachable(why),
        }
    }
}

/// What is to be done next.
#[derive(Debug)]
pub enum Step {
    /// Look up what is kept of a site's robots.txt.
    Look(Look),
    /// Fetch a site's robots.txt.
    Robots(AskRobots),
    /// Keep what it said.
    Keep(Keep),
    /// Fetch the page.
    Page(AskPage),
}

/// Begins a visit.
///
/// # Errors
/// When the address is refused.
pub fn start(address: &str, rules: Rules) -> Result<Step, Denial> {
    let target = address::check(address, &rules.allow)?;
    let (hops, cookies) = (Hops::new(target.clone()), Cookies::default());
    Ok(Way { rules, hops, cookies, at: target }.robots_first())
}

/// How far the visit has come.
#[derive(Debug)]
struct Way {
    rules: Rules,
    hops: Hops,
    cookies: Cookies,
    /// The address that is read next.
    at: Target,
}

impl Way {
    fn robots_first(self) -> Step {
        let exempt = !self.rules.respect_robots || self.at.url().path() == ROBOTS_PATH;
        if exempt { Step::Page(AskPage(self)) } else { Step::Look(Look(self)) }
    }

    fn host(&self) -> String {
        self.at.url().host_str().unwrap_or_default().to_owned()
    }

    fn origin(&self) -> String {
        self.at.url().origin().ascii_serialization()
    }

    fn key(&self) -> String {
        robots::key(&self.origin())
    }

    fn obey(self, policy: &Policy) -> Result<Step, Denial> {
        let url = self.at.url();
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        match policy.check(&path) {
            Ok(()) => Ok(Step::Page(AskPage(self))),
            Err(why) => Err(Denial::Robots(self.host(), why)),
        }
    }
}

/// A site's robots.txt may be kept.
#[derive(Debug)]
pub struct Look(Way);

impl Look {
    /// Where.
    pub fn key(&self) -> String {
        self.0.key()
    }

    /// Takes what stands there; `now` in seconds since 1970.
    ///
    /// # Errors
    /// When it forbids the page, or the file's own address is refused.
    pub fn seen(self, kept: Option<&[u8]>, now: u64) -> Result<Step, Denial> {
        let kept = kept.and_then(|bytes| serde_json::from_slice::<Kept>(bytes).ok());
        let kept = kept.filter(|kept| kept.origin == self.0.origin());
        if let Some(policy) = kept.map(|kept| kept.policy).filter(|policy| policy.is_fresh(now)) {
            return self.0.obey(&policy);
        }
        let mut file = self.0.at.url().clone();
        file.set_path(ROBOTS_PATH);
        file.set_query(None);
        let file = address::check_url(file, &self.0.rules.allow)?;
        Ok(Step::Robots(AskRobots { way: self.0, hops: Hops::new(file.clone()), at: file }))
    }
}

/// A site's robots.txt is wanted.
#[derive(Debug)]
pub struct AskRobots {
    way: Way,
    hops: Hops,
    at: Target,
}

impl AskRobots {
    /// Where it is; at most [`robots::MAX_BYTES`] of it are read.
    pub fn target(&self) -> &Target {
        &self.at
    }

    /// Takes the answer; `location` is the header of that name, `now` in seconds since 1970.
    pub fn answered(mut self, status: u16, location: Option<&str>, body: &[u8], now: u64) -> Step {
        match self.hops.next(status, location, &self.way.rules.allow) {
            Ok(Some(next)) => Step::Robots(Self { at: next, ..self }),
            // A way that leads nowhere leads to no rules (RFC 9309, 2.3.1.2).
            Ok(None) | Err(_) => self.keep(Policy::from_response(status, body, now)),
        }
    }

    /// Takes that there is none.
    ///
    /// # Errors
    /// When the page will not be had either, which says so better.
    pub fn failed(self, failure: Failure, now: u64) -> Result<Step, Denial> {
        match failure {
            Failure::Timeout => Ok(self.keep(Policy::unreachable(now))),
            other => Err(other.into()),
        }
    }

    fn keep(self, policy: Policy) -> Step {
        Step::Keep(Keep { way: self.way, policy })
    }
}

/// What stands at a place that sites share.
#[derive(Serialize, Deserialize)]
struct Kept {
    origin: String,
    policy: Policy,
}

/// What a site's robots.txt said is worth keeping.
#[derive(Debug)]
pub struct Keep {
    way: Way,
    policy: Policy,
}

impl Keep {
    /// Where.
    pub fn key(&self) -> String {
        self.way.key()
    }

    /// What.
    pub fn value(&self) -> Vec<u8> {
        let kept = Kept { origin: self.way.origin(), policy: self.policy.clone() };
        // Rules always have a JSON form; nothing at all is asked for again.
        serde_json::to_vec(&kept).unwrap_or_default()
    }

    /// Goes on, whether it could be kept or not.
    ///
    /// # Errors
    /// When the policy forbids the page.
    pub fn done(self) -> Result<Step, Denial> {
        self.way.obey(&self.policy)
    }
}

/// The page is wanted.
#[derive(Debug)]
pub struct AskPage(Way);

/// What an answer to the request for the page is.
#[derive(Debug)]
pub enum Arrival {
    /// The page.
    Page(Landed),
    /// A redirect.
    Moved(Step),
}

impl AskPage {
    /// Where it is.
    pub fn target(&self) -> &Target {
        &self.0.at
    }

    /// Its `Cookie` header; none: none is sent.
    pub fn cookie(&self) -> Option<String> {
        self.0.cookies.of(self.0.at.url())
    }

    /// Takes the answer; `location` is the header of that name, and `cookies` are those named `Set-Cookie`.
    ///
    /// # Errors
    /// When it redirects to where nothing is read.
    pub fn answered<'a>(
        mut self,
        status: u16,
        location: Option<&str>,
        cookies: impl IntoIterator<Item = &'a str>,
    ) -> Result<Arrival, Denial> {
        let Way { rules, hops, cookies: known, at } = &mut self.0;
        let mut is_new = false;
        for cookie in cookies {
            is_new |= known.set(at.url(), cookie);
        }
        let next = match is_new {
            true => hops.next_with_cookie(status, location, &rules.allow)?,
            false => hops.next(status, location, &rules.allow)?,
        };
        match next {
            None => Ok(Arrival::Page(Landed(self.0))),
            Some(next) => Ok(Arrival::Moved(Way { at: next, ..self.0 }.robots_first())),
        }
    }
}

/// The page that answered.
#[derive(Debug)]
pub struct Landed(Way);

impl Landed {
    /// Where it is.
    pub fn target(&self) -> &Target {
        &self.0.at
    }

    /// Goes where it leads itself, though it answered as a page does.
    ///
    /// # Errors
    /// When nothing is read there.
    pub fn led(mut self, location: &str) -> Result<Step, Denial> {
        let next = self.0.hops.lead(location, &self.0.rules.allow)?;
        Ok(Way { at: next, ..self.0 }.robots_first())
    }
}

#[cfg(test)]
#[path = "visit_tests.rs"]
mod tests;

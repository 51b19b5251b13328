//! Searching and reading the small web: what the `web` component performs, on virtual time.
//!
//! Whom to ask, what may be read and what an answer says is decided by the same crates. A request
//! takes no time, and one for another place than the small web is an error of the scenario's.

use super::variables::Variables;
use crate::quarry::WEB;
use anyhow::{Result, bail};
use quarry_access::address::{Allow, Target};
use quarry_access::visit::{self, Arrival, Denial, DenialKind, Rules, Step};
use quarry_demo_web::hosts::{self, Manner};
use quarry_demo_web::{Answer, DemoSite};
use quarry_evidence::{Anchor, Passage, address};
use quarry_pages::page::{Headers, Page as ReadPage, PageError, Wanted};
use quarry_pages::reader::Reader;
use quarry_search::cache::{self, Ending, Look, Looking, Question};
use quarry_search::searching::Outcome as Brought;
use quarry_search::standing::{self, Standing};
use quarry_search::{
    Failure, Found as Results, Next, Query, QueryError, Reach, SearchFailed, Searching,
};
use quarry_tools::{Found, Hit, Outcome, Page, PageFailure, SearchFailure, ToolFailure};
use quarry_types::{Timestamp, setting};
use std::collections::BTreeMap;
use url::Url;

/// The small web, and who reads it.
pub struct Web {
    site: DemoSite,
    settings: quarry_search::Settings,
    rules: Rules,
    /// What is kept of sites' rules, of answers, and of how providers stand with us.
    store: BTreeMap<String, Vec<u8>>,
}

/// Seconds since 1970.
fn seconds(now: Timestamp) -> u64 {
    now.0 / 1_000
}

impl Web {
    /// With the settings that searching and reading have.
    pub fn new(variables: &Variables) -> Result<Web> {
        let texts = quarry_search::settings::variables();
        let texts = texts.into_iter().map(|name| (name, variables.get(name).to_owned())).collect();
        let (allow, unread) = Allow::parse(variables.get("web_allowed_hosts"));
        if !unread.is_empty() {
            bail!("web_allowed_hosts has {unread:?}");
        }
        let robots = "respect_robots";
        let respect_robots = setting::flag(robots, variables.get(robots), true)?;
        Ok(Web {
            site: DemoSite::load()?,
            settings: quarry_search::Settings::read(&texts)?,
            rules: Rules { allow, respect_robots },
            store: BTreeMap::new(),
        })
    }

    /// Searches, and reads the pages found where that is wanted.
    pub fn search(
        &mut self,
        query: Result<Query, QueryError>,
        timeout_ms: u64,
        load_content: bool,
        now: Timestamp,
    ) -> Result<Outcome> {
        let query = match query {
            Ok(query) => query,
            Err(error) => {
                let failure = SearchFailure::InvalidQuery(error.to_string());
                return Ok(Outcome::Failed(failure.into()));
            }
        };
        let found = match self.find(&query, timeout_ms, now)? {
            Ok(found) => found,
            Err(failed) => return Ok(Outcome::Failed(failure(failed).into())),
        };
        let mut results = Vec::new();
        for (ranked, provider) in found.results {
            let page = match load_content {
                true => Some(self.page(ranked.url.as_str(), now)?.map_err(|failed| failed.message)),
                false => None,
            };
            results.push(Hit {
                title: ranked.title,
                url: ranked.url.to_string(),
                description: ranked.description,
                score: ranked.score,
                provider_score: ranked.provider_score,
                provider,
                page,
                fetch_ms: 0,
                truncated: false,
            });
        }
        let (provider, notes) = (found.provider, found.notes);
        let found = Found { provider, results, notes, truncated: false, digest: None };
        Ok(Outcome::Found(found.settled()))
    }

    /// Reads a page.
    pub fn read(&mut self, url: &str, now: Timestamp) -> Result<Outcome> {
        Ok(match self.page(url, now)? {
            Ok(page) => Outcome::Page(page),
            Err(failure) => Outcome::Failed(failure),
        })
    }

    /// The answer that is kept, else a new one.
    fn find(
        &mut self,
        query: &Query,
        timeout_ms: u64,
        now: Timestamp,
    ) -> Result<Result<Results, SearchFailed>> {
        let settings = self.settings.clone();
        if settings.cache_seconds == 0 {
            return self.ask_around(query, timeout_ms, now, &settings);
        }
        let question = Question::new(query, &settings.plan, settings.fusion);
        let key = question.key();
        let kept = self.store.get(&key).map(Vec::as_slice);
        match Looking::new(&question).seen(kept, seconds(now), timeout_ms) {
            Look::Answer(found) => return Ok(Ok(found)),
            // Requests take no time, so nobody else is in the middle of this search.
            Look::Again(_) | Look::Search(_) => {}
        }
        let found = self.ask_around(query, timeout_ms, now, &settings)?;
        let kept = found.as_ref().ok();
        match cache::ending(&question, kept, false, settings.cache_seconds, seconds(now)) {
            Ending::Keep(entry) => self.store.insert(key, entry),
            Ending::Forget => self.store.remove(&key),
            Ending::Leave => None,
        };
        Ok(found)
    }

    fn ask_around(
        &mut self,
        query: &Query,
        timeout_ms: u64,
        now: Timestamp,
        settings: &quarry_search::Settings,
    ) -> Result<Result<Results, SearchFailed>> {
        let mut searching = match Searching::new(query, &settings.plan, settings.fusion) {
            Ok(searching) => searching,
            Err(failed) => return Ok(Err(failed)),
        };
        loop {
            match searching.next(timeout_ms) {
                Next::Ended(found) => return Ok(found),
                Next::Ask { providers, .. } => {
                    for reach in providers {
                        let brought = self.ask(reach, query, now)?;
                        searching.heard(reach.provider, brought);
                    }
                }
            }
        }
    }

    /// Asks one provider, if it may be asked now.
    fn ask(&mut self, reach: &Reach, query: &Query, now: Timestamp) -> Result<Brought> {
        let key = standing::key(reach.provider);
        let mut standing = Standing::read(self.store.get(&key).map(Vec::as_slice));
        let limit = self.settings.limits.of(reach.provider);
        if let Err(wait) = standing.admit(limit, now.0) {
            return Ok(Err(Failure::Wait(wait)));
        }
        let request = reach.request(query);
        let method = if request.body.is_some() { "POST" } else { "GET" };
        let answer = self.get(method, &request.url)?;
        let brought = reach.provider.parse(answer.status, &answer.body).map_err(Failure::Answer);
        standing.heard(&brought, None, now.0);
        self.store.insert(key, standing.write());
        Ok(brought)
    }

    fn page(&mut self, address: &str, now: Timestamp) -> Result<Result<Page, ToolFailure>> {
        Ok(match self.visit(address, now)? {
            Ok((target, answer)) => text(&target, &answer).map_err(ToolFailure::from),
            Err(denial) => Err(denied(&denial).into()),
        })
    }

    /// Goes the way to a page: its address and what it answered.
    fn visit(&mut self, address: &str, now: Timestamp) -> Result<Result<(Target, Answer), Denial>> {
        let mut next = visit::start(address, self.rules.clone());
        loop {
            let step = match next {
                Ok(step) => step,
                Err(denial) => return Ok(Err(denial)),
            };
            next = match step {
                Step::Look(look) => {
                    let kept = self.store.get(&look.key()).map(Vec::as_slice);
                    look.seen(kept, seconds(now))
                }
                Step::Robots(file) => {
                    let answer = self.get("GET", file.target().url())?;
                    let (status, location) = (answer.status, answer.location.as_deref());
                    Ok(file.answered(status, location, answer.sent().as_bytes(), seconds(now)))
                }
                Step::Keep(keep) => {
                    self.store.insert(keep.key(), keep.value());
                    keep.done()
                }
                Step::Page(page) => {
                    let answer = self.get("GET", page.target().url())?;
                    match page.answered(answer.status, answer.location.as_deref(), []) {
                        Ok(Arrival::Page(page)) => return Ok(Ok((page.target().clone(), answer))),
                        Ok(Arrival::Moved(step)) => Ok(step),
                        Err(denial) => Err(denial),
                    }
                }
            };
        }
    }

    /// Asks the small web; nothing else can be reached.
    fn get(&self, method: &str, url: &Url) -> Result<Answer> {
        let host = url.host_str().unwrap_or_default();
        let port = url.port_or_known_default().unwrap_or_default();
        let authority = format!("{host}:{port}");
        let is_named = port == WEB.port() && hosts::hosts().any(|name| name == host);
        if authority != WEB.to_string() && !is_named {
            bail!("a scenario without components reaches {WEB} alone, and not {authority}");
        }
        let target = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        Ok(self.site.answer(method, &target, &authority))
    }
}

/// A page's answer as text.
fn text(target: &Target, answer: &Answer) -> Result<Page, PageFailure> {
    if !(200..=299).contains(&answer.status) {
        return Err(PageFailure::Status(answer.status));
    }
    let headers = Headers { content_type: answer.media_type, ..Headers::default() };
    let mut reader =
        Reader::new(&headers, target.url(), Wanted { passages: true, ..Wanted::default() });
    reader.write(answer.sent().as_bytes());
    let page = reader.end(answer.manner == Manner::BreaksOff).map_err(|error| match error {
        error if error.may_pass() => PageFailure::Unavailable(error.to_string()),
        PageError::UnsupportedType(_) => PageFailure::UnsupportedType(error.to_string()),
        PageError::Inflate(_)
        | PageError::Pdf(_)
        | PageError::Docx(_)
        | PageError::TooLong(_)
        | PageError::NoText => PageFailure::Unreadable(error.to_string()),
    })?;
    Ok(told(page, target.url()))
}

/// Between the reader's words and those of tools.
fn told(page: ReadPage, url: &Url) -> Page {
    let fields = page.metadata;
    let value = |field: quarry_pages::metadata::Field| field.map(|(value, _)| value);
    let canonical = value(fields.canonical);
    let read = Page {
        url: address::known_as(url.to_string(), canonical.as_deref()),
        title: value(fields.title),
        author: value(fields.author),
        date: value(fields.published),
        language: value(fields.language),
        signals: fields.signals,
        content: page.markdown,
        passages: page.passages.into_iter().map(passage).collect(),
        cut_from: None,
        extracted: page.extracted,
        truncated: page.truncated,
        needs_script: page.needs_script,
    };
    read.or_summary(value(fields.description))
}

fn passage(passage: quarry_pages::passages::Passage) -> Passage {
    let quarry_pages::passages::Passage { anchor, headings, text, url } = passage;
    Passage::new(Anchor::new(anchor), headings, text, &url)
}

fn denied(denial: &Denial) -> PageFailure {
    let why = denial.to_string();
    match denial.kind() {
        DenialKind::Refused => PageFailure::Refused(why),
        DenialKind::InvalidUrl => PageFailure::InvalidUrl(why),
        DenialKind::TooManyRedirects => PageFailure::TooManyRedirects,
        DenialKind::Unreadable => PageFailure::Unreadable(why),
        DenialKind::Unreachable => PageFailure::Unreachable(why),
        DenialKind::Timeout => PageFailure::Timeout,
    }
}

fn failure(failed: SearchFailed) -> SearchFailure {
    match failed {
        SearchFailed::NotConfigured(what) => SearchFailure::NotConfigured(what),
        SearchFailed::Timeout => SearchFailure::Timeout,
        SearchFailed::AllFailed(notes) => SearchFailure::AllFailed(notes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the small web at the hosts of its sites, as a search tells them.
    fn web() -> Web {
        let port = WEB.port();
        let allowed: Vec<String> = hosts::hosts().map(|host| format!("{host}:{port}")).collect();
        let search = format!("http://{}:{port}", hosts::SEARCH_HOST);
        let variables = BTreeMap::from([
            ("web_allowed_hosts".to_owned(), allowed.join(",")),
            ("searxng_url".to_owned(), search),
        ]);
        Web::new(&Variables::of(&variables).unwrap()).unwrap()
    }

    fn found(web: &mut Web, query: &str) -> Vec<Hit> {
        match web.search(Query::new(query, 6), 1_000, true, Timestamp(0)).unwrap() {
            Outcome::Found(found) => found.results,
            other => panic!("{query}: {other:?}"),
        }
    }

    #[test]
    fn one_search_finds_pages_of_several_sites_and_reads_them_there() {
        let hits = found(&mut web(), "limit of 26 tonnes for lorries");
        let mut sites: Vec<String> = hits
            .iter()
            .filter(|hit| hit.page.as_ref().is_some_and(Result::is_ok))
            .filter_map(|hit| Some(Url::parse(&hit.url).ok()?.host_str()?.to_owned()))
            .collect();
        sites.sort();
        sites.dedup();
        assert!(sites.len() >= 3, "{sites:?}");
    }

    #[test]
    fn what_breaks_off_is_cut_and_what_does_not_come_says_why() {
        let mut web = web();
        let mut read = |host: &str, page: &str| {
            let url = format!("http://{host}.localhost:{}/{page}", WEB.port());
            web.page(&url, Timestamp(0)).unwrap()
        };
        let cut = read("radio-orrin", "radio-orrin-shelves.html").unwrap();
        assert!(cut.truncated && cut.content.contains("When did you notice?"), "{cut:?}");
        let failed = read("orrin-bridge", "bridge-live.html").unwrap_err();
        assert!(failed.message.contains("500"), "{failed:?}");
        let lost = read("orrin-community-fund", "fund-apply.html").unwrap_err();
        assert_eq!(lost.message, ToolFailure::from(PageFailure::TooManyRedirects).message);
    }
}

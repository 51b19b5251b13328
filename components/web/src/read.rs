//! Reads a page: performs what a visit wants, and makes text of what it ends at.

use crate::beside::Beside;
use crate::bindings::network::Guard;
use crate::bindings::pages::{Document, Page, PageError, PageRequest};
use crate::config::{self, PageConfig};
use crate::convert;
use crate::fetch::{self, Arrived, Ask};
use crate::kept::Kept;
use quarry_access::address::Target;
use quarry_access::network::{Network, PROBE};
use quarry_access::redirect;
use quarry_access::robots;
use quarry_access::visit::{self, Arrival, Landed, Step};
use quarry_pages::body::{inflate, media};
use quarry_pages::bounded;
use quarry_pages::extent::Extent;
use quarry_pages::page::{self, Wanted};
use quarry_rim::clock;
use quarry_rim::http::{self, Fetched, Headers, HttpError, Request, Timeouts};
use std::time::{Duration, Instant};
use url::Url;

/// Time for the request that tells whether the host has network rules.
const PROBE_TIME: Duration = Duration::from_millis(500);

/// The address of what came from none.
const NOWHERE: &str = "about:blank";

/// What of a page a caller wants.
#[derive(Clone, Copy)]
pub struct Share {
    /// Of Markdown, and as many of text and of passages.
    pub max_characters: u64,
    /// Also the text without marks.
    pub with_text: bool,
}

impl Share {
    /// The same, as the crates know it.
    pub fn wanted(self) -> Wanted {
        Wanted { text: self.with_text, passages: true, ..Wanted::default() }
    }
}

/// A page that was read, and where.
pub struct Read {
    pub page: page::Page,
    pub url: Url,
}

pub async fn requested(request: PageRequest) -> Result<Page, PageError> {
    let deadline = Instant::now() + crate::timeout(request.timeout_ms);
    let config =
        config::pages().await.map_err(|error| PageError::Misconfigured(error.to_string()))?;
    let share = Share { max_characters: request.max_characters, with_text: request.with_text };
    let Read { page, url } = read(&request.url, share, deadline, &config).await?;
    Ok(convert::page(page, &request.url, &url, share.wanted()))
}

/// Reads the page at `address`, by `deadline` at the latest.
pub async fn read(
    address: &str,
    share: Share,
    deadline: Instant,
    config: &PageConfig,
) -> Result<Read, PageError> {
    let deadline = deadline.min(Instant::now() + Duration::from_millis(visit::MAX_TIME_MS));
    let wanted = share.wanted();
    let mut step = visit::start(address, config.rules.clone()).map_err(convert::denial)?;
    let (page, target) = loop {
        let (landed, arrived) = arrive(step, wanted, deadline, config).await?;
        if !(200..=299).contains(&arrived.status) {
            return Err(PageError::Status(arrived.status));
        }
        let page = arrived.reader.end_beside(arrived.cut, &mut Beside::new()).await;
        let page = page.map_err(convert::page_error)?;
        let target = landed.target().clone();
        match page.leads_to().map(|to| landed.led(to)) {
            Some(Ok(next)) => step = next,
            // Where it leads nowhere, what it says is all there is.
            Some(Err(_)) | None => break (page.if_any().map_err(convert::page_error)?, target),
        }
    };
    let page = bounded::bounded(page, usize::try_from(share.max_characters).unwrap_or(usize::MAX));
    Ok(Read { page, url: target.url().clone() })
}

/// Reads what is at hand.
pub async fn extract(document: Document) -> Result<Page, PageError> {
    let Document { bytes, media_type, max_characters } = document;
    let other = |error: url::ParseError| PageError::Unreadable(error.to_string());
    let url = Url::parse(NOWHERE).map_err(other)?;
    let headers = page::Headers { content_type: &media_type, ..page::Headers::default() };
    let wanted = Wanted { extent: Extent::AtHand, ..Wanted::default() };
    let page = page::read_beside(&headers, &bytes, &url, wanted, &mut Beside::new()).await;
    let page = page.map_err(convert::page_error)?;
    let page = bounded::bounded(page, usize::try_from(max_characters).unwrap_or(usize::MAX));
    Ok(convert::page(page, NOWHERE, &url, wanted))
}

/// Makes the visit from here on: the page and what it answered.
async fn arrive(
    mut step: Step,
    wanted: Wanted,
    deadline: Instant,
    config: &PageConfig,
) -> Result<(Landed, Arrived), PageError> {
    // A site's rules have a time of their own, counted from the first request for them.
    let mut rules_until = None;
    // Without a store every page costs a request more, and that is all.
    let mut store = None;
    loop {
        let next = match step {
            Step::Look(look) => {
                rules_until = None;
                if store.is_none() {
                    store = Some(Kept::open().await);
                }
                let kept = match &store {
                    Some(store) => store.get(&look.key()).await,
                    None => None,
                };
                look.seen(kept.as_deref(), clock::unix_seconds())
            }
            Step::Robots(file) => {
                let time = Duration::from_millis(visit::ROBOTS_TIME_MS);
                let until = *rules_until.get_or_insert_with(|| deadline.min(Instant::now() + time));
                match get_rules(file.target(), until, config).await {
                    Ok(answer) => {
                        let location = location(&answer.headers);
                        let now = clock::unix_seconds();
                        Ok(file.answered(answer.status, location.as_deref(), &answer.body, now))
                    }
                    Err(error) => file.failed(convert::failure(error), clock::unix_seconds()),
                }
            }
            Step::Keep(keep) => {
                if let Some(store) = &store {
                    // What cannot be kept is asked for again.
                    store.set(&keep.key(), keep.value()).await;
                }
                keep.done()
            }
            Step::Page(page) => {
                let cookie = page.cookie();
                let answer = get_page(page.target(), cookie, wanted, deadline, config).await;
                let answer =
                    answer.map_err(|error| convert::denial(convert::failure(error).into()))?;
                let (to, cookies) = (location(&answer.headers), cookies(&answer.headers));
                match page.answered(answer.status, to.as_deref(), cookies) {
                    Ok(Arrival::Page(page)) => return Ok((page, answer)),
                    Ok(Arrival::Moved(step)) => Ok(step),
                    Err(denial) => Err(denial),
                }
            }
        };
        step = next.map_err(convert::denial)?;
    }
}

fn location(headers: &Headers) -> Option<String> {
    let (_, value) = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("location"))?;
    Some(redirect::location(value)).filter(|location| !location.is_empty())
}

fn cookies(headers: &Headers) -> impl Iterator<Item = &str> {
    let set = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
    set.filter_map(|(_, value)| std::str::from_utf8(value).ok())
}

async fn get_rules(
    target: &Target,
    deadline: Instant,
    config: &PageConfig,
) -> Result<Fetched, HttpError> {
    let headers = vec![("user-agent", config.user_agent.clone())];
    let ask = Ask { url: target.url(), headers, body: None, deadline };
    fetch::fetch(ask, robots::MAX_BYTES).await
}

async fn get_page(
    target: &Target,
    cookie: Option<String>,
    wanted: Wanted,
    deadline: Instant,
    config: &PageConfig,
) -> Result<Arrived, HttpError> {
    let mut headers = vec![
        ("user-agent", config.user_agent.clone()),
        ("accept", media::ACCEPT.to_owned()),
        ("accept-encoding", inflate::ACCEPT_ENCODING.to_owned()),
        ("accept-language", "en;q=0.9, *;q=0.5".to_owned()),
    ];
    headers.extend(cookie.map(|cookie| ("cookie", cookie)));
    let ask = Ask { url: target.url(), headers, body: None, deadline };
    fetch::page(ask, wanted).await
}

/// Whether the host keeps us out of private networks.
pub async fn network() -> Guard {
    let answer = match Request::get(PROBE) {
        Ok(probe) => {
            http::fetch(probe, Timeouts::each(PROBE_TIME), PROBE_TIME, |_| 0).await.map(|_| ())
        }
        Err(error) => Err(error),
    };
    convert::guard(Network::from_probe(convert::probe(answer)))
}

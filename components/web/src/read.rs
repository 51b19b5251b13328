//! Reads a page: follows its redirects, each checked, and makes text of what comes last.

use crate::bindings::pages::{Page, PageError};
use crate::config::PageConfig;
use crate::fetch::{self, Ask, FetchError};
use crate::{convert, robots};
use quarry_pages::address::{self, Target};
use quarry_pages::body::{inflate, media};
use quarry_pages::page::{self, Wanted};
use quarry_pages::reader::Reader;
use quarry_pages::redirect::Hops;
use std::time::{Duration, Instant};

/// No page takes longer, whatever the caller allows.
const MAX_TIME: Duration = Duration::from_secs(15);

/// Reads the page at `address`, by `deadline` at the latest.
pub async fn read(
    address: &str,
    wanted: Wanted,
    deadline: Instant,
    config: &PageConfig,
) -> Result<Page, PageError> {
    let deadline = deadline.min(Instant::now() + MAX_TIME);
    let first = address::check(address, &config.allow).map_err(convert::refusal)?;
    let mut hops = Hops::new(first.clone());
    let mut target = first;
    loop {
        robots::check(&target, deadline, config).await?;
        let response = get(&target, deadline, config).await?;
        let location = Some(response.header("location")).filter(|location| !location.is_empty());
        match hops.next(response.status, location, &config.allow).map_err(convert::redirect)? {
            Some(next) => target = next,
            None => return finish(address, &target, response, wanted),
        }
    }
}

async fn get(
    target: &Target,
    deadline: Instant,
    config: &PageConfig,
) -> Result<fetch::Response, PageError> {
    let headers = vec![
        ("user-agent", config.user_agent.clone()),
        ("accept", media::ACCEPT.to_owned()),
        ("accept-encoding", inflate::ACCEPT_ENCODING.to_owned()),
        ("accept-language", "en;q=0.9, *;q=0.5".to_owned()),
    ];
    let ask = Ask { url: target.url(), headers, body: None, limit: page::body_limit, deadline };
    fetch::fetch(ask).await.map_err(|error| match error {
        FetchError::Timeout => PageError::Timeout,
        FetchError::Unreachable(why) => PageError::Unreachable(why),
        FetchError::Denied => denied(),
    })
}

/// The host does not let us go there.
pub fn denied() -> PageError {
    PageError::Refused("the host's network rules forbid this address".to_owned())
}

fn finish(
    asked: &str,
    target: &Target,
    response: fetch::Response,
    wanted: Wanted,
) -> Result<Page, PageError> {
    if !(200..=299).contains(&response.status) {
        return Err(PageError::Status(response.status));
    }
    let (content_type, content_encoding, content_language) = (
        response.header("content-type").to_owned(),
        response.header("content-encoding").to_owned(),
        response.header("content-language").to_owned(),
    );
    let headers = page::Headers {
        content_type: &content_type,
        content_encoding: &content_encoding,
        content_language: &content_language,
    };
    let mut reader = Reader::new(&headers, target.url(), wanted).map_err(convert::page_error)?;
    reader.write(&response.body).map_err(convert::page_error)?;
    let page = reader.end(response.cut).map_err(convert::page_error)?;
    Ok(convert::page(page, asked, target.url(), wanted))
}

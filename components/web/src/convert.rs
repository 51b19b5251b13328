//! Between the contract's types and those of the crates.

use crate::bindings::{network, pages, search};
use quarry_access::network::{Network, Probe};
use quarry_access::visit::{Denial, DenialKind, Failure};
use quarry_pages::metadata::{Signal, Source};
use quarry_pages::page;
use quarry_pages::passages::Passage;
use quarry_rim::http::HttpError;
use quarry_search::rank::Ranked;
use quarry_search::{Failure as SearchFailure, SearchFailed};
use url::Url;

pub fn failure(error: HttpError) -> Failure {
    match error {
        HttpError::Denied | HttpError::Blocked => Failure::Denied,
        error if error.is_timeout() => Failure::Timeout,
        error => Failure::Unreachable(error.to_string()),
    }
}

pub fn search_failure(error: HttpError) -> SearchFailure {
    match failure(error) {
        Failure::Denied => SearchFailure::Denied,
        Failure::Timeout => SearchFailure::Timeout,
        Failure::Unreachable(why) => SearchFailure::Unreachable(why),
    }
}

pub fn search_failed(failed: SearchFailed) -> search::SearchError {
    match failed {
        SearchFailed::NotConfigured(what) => search::SearchError::NotConfigured(what),
        SearchFailed::Timeout => search::SearchError::Timeout,
        SearchFailed::AllFailed(notes) => search::SearchError::AllFailed(notes),
    }
}

pub fn probe(outcome: Result<(), HttpError>) -> Probe {
    match outcome {
        Err(HttpError::Blocked) => Probe::Blocked,
        Err(HttpError::Denied | HttpError::NoAddress | HttpError::Unsendable) => Probe::NotSent,
        Err(error) if error.is_timeout() => Probe::Silent,
        Ok(()) | Err(_) => Probe::Through,
    }
}

pub fn guard(network: Network) -> network::Guard {
    match network {
        Network::Guarded => network::Guard::Guarded,
        Network::Open => network::Guard::Open,
        Network::Unknown => network::Guard::Unknown,
    }
}

pub fn denial(denial: Denial) -> pages::PageError {
    let why = denial.to_string();
    match denial.kind() {
        DenialKind::Refused => pages::PageError::Refused(why),
        DenialKind::InvalidUrl => pages::PageError::InvalidUrl(why),
        DenialKind::TooManyRedirects => pages::PageError::TooManyRedirects,
        DenialKind::Unreadable => pages::PageError::Unreadable(why),
        DenialKind::Unreachable => pages::PageError::Unreachable(why),
        DenialKind::Timeout => pages::PageError::Timeout,
    }
}

pub fn page_error(error: page::PageError) -> pages::PageError {
    match error {
        error if error.may_pass() => pages::PageError::Unavailable(error.to_string()),
        page::PageError::UnsupportedType(_) => pages::PageError::UnsupportedType(error.to_string()),
        page::PageError::Inflate(_)
        | page::PageError::Pdf(_)
        | page::PageError::Docx(_)
        | page::PageError::TooLong(_)
        | page::PageError::NoText => pages::PageError::Unreadable(error.to_string()),
    }
}

pub fn page(page: page::Page, asked: &str, url: &Url, wanted: page::Wanted) -> pages::Page {
    let fields = page.metadata;
    pages::Page {
        requested_url: asked.to_owned(),
        url: url.to_string(),
        canonical_url: fields.canonical.map(field),
        title: fields.title.map(field),
        author: fields.author.map(field),
        published: fields.published.map(field),
        language: fields.language.map(field),
        description: fields.description.map(field),
        signals: fields.signals.into_iter().map(signal).collect(),
        media_type: page.media_type,
        markdown: page.markdown,
        text: wanted.text.then_some(page.text),
        passages: page.passages.into_iter().map(passage).collect(),
        pages: page
            .pages
            .into_iter()
            .map(|start| u64::try_from(start).unwrap_or(u64::MAX))
            .collect(),
        bytes: page.bytes,
        truncated: page.truncated,
        extracted: page.extracted,
        needs_script: page.needs_script,
    }
}

fn field((value, source): (String, Source)) -> pages::Field {
    let source = match source {
        Source::JsonLd => pages::Source::JsonLd,
        Source::OpenGraph => pages::Source::OpenGraph,
        Source::Meta => pages::Source::Meta,
        Source::Time => pages::Source::Time,
        Source::Microdata => pages::Source::Microdata,
        Source::Byline => pages::Source::Byline,
        Source::Document => pages::Source::Document,
        Source::Header => pages::Source::Header,
    };
    pages::Field { value, source }
}

const fn signal(signal: Signal) -> pages::Signal {
    match signal {
        Signal::Doi => pages::Signal::Doi,
        Signal::Journal => pages::Signal::Journal,
        Signal::ScholarlyArticle => pages::Signal::ScholarlyArticle,
        Signal::NewsArticle => pages::Signal::NewsArticle,
        Signal::PublicBody => pages::Signal::PublicBody,
        Signal::Byline => pages::Signal::Byline,
    }
}

fn passage(passage: Passage) -> pages::Passage {
    let Passage { anchor, headings, text, url } = passage;
    pages::Passage { anchor, headings, text, url }
}

pub fn result((ranked, provider): (Ranked, String)) -> search::SearchResult {
    search::SearchResult {
        title: ranked.title,
        url: ranked.url.to_string(),
        description: ranked.description,
        score: ranked.score,
        provider_score: ranked.provider_score,
        provider,
        content: None,
        fetch_ms: 0,
    }
}

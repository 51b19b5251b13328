//! Between the contract's types and those of `quarry-pages`.

use crate::bindings::{pages, search};
use quarry_pages::address::Refusal;
use quarry_pages::page;
use quarry_pages::redirect::RedirectError;
use quarry_pages::search::rank::Ranked;
use url::Url;

pub fn refusal(refusal: Refusal) -> pages::PageError {
    if refusal.is_invalid() {
        pages::PageError::InvalidUrl(refusal.to_string())
    } else {
        pages::PageError::Refused(refusal.to_string())
    }
}

pub fn redirect(error: RedirectError) -> pages::PageError {
    match error {
        RedirectError::TooMany | RedirectError::Loop => pages::PageError::TooManyRedirects,
        RedirectError::NoLocation => pages::PageError::Unreadable(error.to_string()),
        RedirectError::Refused(_) => pages::PageError::Refused(error.to_string()),
    }
}

pub fn page_error(error: page::PageError) -> pages::PageError {
    match error {
        page::PageError::UnsupportedType(_) => pages::PageError::UnsupportedType(error.to_string()),
        page::PageError::Inflate(_) | page::PageError::NoText => {
            pages::PageError::Unreadable(error.to_string())
        }
    }
}

pub fn page(page: page::Page, asked: &str, url: &Url) -> pages::Page {
    let fields = page.metadata;
    let text = |field: quarry_pages::metadata::Field| field.map(|(value, _)| value);
    pages::Page {
        requested_url: asked.to_owned(),
        url: url.to_string(),
        canonical_url: text(fields.canonical),
        title: text(fields.title),
        author: text(fields.author),
        published: text(fields.published),
        language: text(fields.language),
        description: text(fields.description),
        media_type: page.media_type,
        markdown: page.markdown,
        bytes: page.bytes,
        truncated: page.truncated,
        extracted: page.extracted,
    }
}

pub fn result(ranked: Ranked, provider: &str) -> search::SearchResult {
    search::SearchResult {
        title: ranked.title,
        url: ranked.url.to_string(),
        description: ranked.description,
        score: ranked.score,
        provider_score: ranked.provider_score,
        provider: provider.to_owned(),
        content: None,
        fetch_ms: 0,
    }
}

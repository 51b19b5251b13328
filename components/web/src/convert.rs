//! Between the contract's types and those of `quarry-pages`.

use crate::bindings::{pages, search};
use quarry_access::address::Refusal;
use quarry_access::redirect::RedirectError;
use quarry_pages::metadata::Source;
use quarry_pages::page;
use quarry_pages::passages::Passage;
use quarry_search::rank::Ranked;
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
        page::PageError::Inflate(_) | page::PageError::Pdf(_) | page::PageError::NoText => {
            pages::PageError::Unreadable(error.to_string())
        }
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
        media_type: page.media_type,
        markdown: page.markdown,
        text: wanted.text.then_some(page.text),
        passages: page.passages.into_iter().map(passage).collect(),
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

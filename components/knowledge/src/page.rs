//! Documents that are pages, read by whoever reads pages.
//!
//! Border: asks `quarry:web/pages` and translates; what becomes of the text is decided in `quarry-knowledge`.

use crate::bindings::quarry::web::pages::{self, Page, PageError, PageRequest};
use crate::bindings::types::KnowledgeError;
use quarry_knowledge::document::MAX_BYTES;
use quarry_knowledge::intake::{Loading, PageText, Pending, Wanted};

/// What reading an address may take, in milliseconds.
const TIMEOUT_MS: u64 = 60_000;

pub async fn read(pending: Pending) -> Result<Loading, KnowledgeError> {
    let max_characters = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX);
    let page = match pending.wanted() {
        Wanted::Address(url) => {
            let url = url.clone();
            pages::read(PageRequest {
                url,
                timeout_ms: TIMEOUT_MS,
                max_characters,
                with_text: false,
            })
            .await
        }
        Wanted::Bytes { kind, bytes } => {
            let (media_type, bytes) = (pending.media_type(*kind), bytes.clone());
            pages::extract(pages::Document { bytes, media_type, max_characters }).await
        }
    };
    let page = page.map_err(|error| failed(error, pending.shown()))?;
    pending.read(text(page)).map_err(crate::convert::error)
}

fn text(page: Page) -> PageText {
    PageText {
        media_type: page.media_type,
        markdown: page.markdown,
        pages: page.pages.into_iter().filter_map(|start| usize::try_from(start).ok()).collect(),
        title: page.title.map(|field| field.value),
        published: page.published.map(|field| field.value),
        truncated: page.truncated,
    }
}

fn failed(error: PageError, shown: &str) -> KnowledgeError {
    let unreadable = |why: &str| KnowledgeError::Unreadable(format!("{shown}: {why}"));
    let unreachable = |why: &str| KnowledgeError::Unreachable(format!("{shown}: {why}; try again"));
    match error {
        PageError::Refused(why) | PageError::InvalidUrl(why) | PageError::Unreadable(why) => {
            unreadable(&why)
        }
        PageError::UnsupportedType(why) => KnowledgeError::Unsupported(format!("{shown}: {why}")),
        PageError::TooManyRedirects => unreadable("it redirects without end"),
        PageError::Status(status @ (408 | 425 | 429 | 500..)) => {
            unreachable(&format!("its server answers {status}"))
        }
        PageError::Status(status) => unreadable(&format!("its server answers {status}")),
        PageError::Timeout => unreachable("it does not answer in time"),
        PageError::Unreachable(why) => unreachable(&why),
        PageError::Misconfigured(why) => KnowledgeError::Other(format!("{shown}: {why}")),
        // The database is there all the same. The words say what to do.
        PageError::Unavailable(why) => KnowledgeError::Unreachable(format!("{shown}: {why}")),
    }
}

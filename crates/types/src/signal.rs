//! What a page says of its kind, or of who answers for it: who reads pages finds it, and who ranks sources weighs it.
//!
//! Border: the words alone.

use serde::{Deserialize, Serialize};

/// A sign of a text's kind, or of who answers for it. Anyone can write it into a page of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// Its meta tags have a DOI, the name of an article that publishers registered.
    Doi,
    /// Its meta tags name the journal, the conference or the institution that published it.
    Journal,
    /// Its JSON-LD calls it a scholarly article.
    ScholarlyArticle,
    /// Its JSON-LD calls it a news article.
    NewsArticle,
    /// Its JSON-LD names a public body as the one who publishes or made it.
    PublicBody,
    /// It names its author.
    Byline,
}

//! Where a question is looked into, as options say it.

use anyhow::{Context, Result, ensure};
use std::str::FromStr;

/// Where evidence may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Places {
    /// The web.
    Web,
    /// Documents of one's own.
    Knowledge,
    /// Both.
    Both,
}

impl Places {
    /// As a request says it.
    pub const fn word(self) -> &'static str {
        match self {
            Places::Web => "web",
            Places::Knowledge => "knowledge",
            Places::Both => "both",
        }
    }

    /// Whether documents are among them.
    pub const fn has_knowledge(self) -> bool {
        matches!(self, Places::Knowledge | Places::Both)
    }

    /// Holds that a collection is named only where documents are looked into.
    ///
    /// # Errors
    /// What to add, where they are not.
    pub fn check(places: Option<Places>, collection: Option<&str>) -> Result<()> {
        let is_searched = places.is_some_and(Places::has_knowledge);
        ensure!(
            collection.is_none() || is_searched,
            "--collection names documents, and none are looked into; add --sources knowledge or --sources both"
        );
        Ok(())
    }
}

impl FromStr for Places {
    type Err = anyhow::Error;

    fn from_str(word: &str) -> Result<Self> {
        let all = [Places::Web, Places::Knowledge, Places::Both];
        let found = all.into_iter().find(|places| places.word() == word);
        found.with_context(|| format!("--sources {word} is none of web, knowledge and both"))
    }
}

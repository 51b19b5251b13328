//! What tools want done outside: the closed list that a driver performs.

use quarry_types::CollectionName;
use serde::{Deserialize, Serialize};

/// One thing to do outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Errand {
    /// Search the web.
    Search {
        /// What for.
        query: String,
        /// Results wanted, 1 to 50.
        limit: u32,
        /// Milliseconds.
        timeout_ms: u64,
        /// Whether to read the pages found.
        load_content: bool,
        /// Sites that count, with all that is below their names; none: all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        domains: Vec<String>,
        /// Whether an answer that is kept does not do.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        anew: bool,
    },
    /// Read a page.
    ReadPage {
        /// Its address.
        url: String,
        /// Milliseconds.
        timeout_ms: u64,
    },
    /// Search a collection of documents of one's own.
    SearchKnowledge(KnowledgeQuery),
    /// Run a program.
    RunProgram {
        /// The program.
        code: String,
        /// Milliseconds.
        timeout_ms: u64,
    },
}

impl Errand {
    /// Whether it reaches beyond Quarry. Such an errand is recorded before it starts; a program
    /// in the sandbox costs nobody anything and can be run again.
    #[must_use]
    pub const fn touches_the_outside(&self) -> bool {
        match self {
            Errand::Search { .. } | Errand::ReadPage { .. } => true,
            // It changes nothing, and asks nobody but our own documents.
            Errand::SearchKnowledge(_) | Errand::RunProgram { .. } => false,
        }
    }

    /// Whether who does it is told how long it may take, and brings what it has when that is over. What does not is
    /// given up then, by whoever waits for it.
    #[must_use]
    pub const fn keeps_time(&self) -> bool {
        match self {
            Errand::Search { .. } | Errand::ReadPage { .. } | Errand::RunProgram { .. } => true,
            Errand::SearchKnowledge(_) => false,
        }
    }

    /// The errand, with this collection where it searches documents and names none itself.
    #[must_use]
    pub fn in_collection(mut self, collection: Option<&CollectionName>) -> Self {
        if let (Errand::SearchKnowledge(query), Some(name)) = (&mut self, collection) {
            query.collection.get_or_insert_with(|| name.to_string());
        }
        self
    }
}

/// A question to a collection of documents. Source: the interface `quarry:knowledge/search`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeQuery {
    /// What for, 1 to 32,768 characters.
    pub text: String,
    /// Which collection; none: the default one.
    pub collection: Option<String>,
    /// Passages wanted, 1 to 100.
    pub limit: u32,
    /// The least score.
    pub threshold: Share,
    /// Documents that count.
    pub filter: KnowledgeFilter,
}

/// Documents that count. An empty list lets all through; of several lists, all have to let a document through.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnowledgeFilter {
    /// Categories as documents write them.
    pub categories: Vec<String>,
    /// Who published them.
    pub source_orgs: Vec<String>,
    /// Ids of documents.
    pub documents: Vec<String>,
}

/// A share of one, in billionths: what a checkpoint keeps is the same number again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "KeptShare", into = "KeptShare")]
pub struct Share(u32);

/// A share as it is kept. Whole thousandths are numbers, as all of them were once.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum KeptShare {
    Thousandths(u16),
    Finer { billionths: u32 },
}

const THOUSANDTH: u32 = 1_000_000;

impl From<KeptShare> for Share {
    fn from(kept: KeptShare) -> Self {
        let billionths = match kept {
            KeptShare::Thousandths(count) => u32::from(count).saturating_mul(THOUSANDTH),
            KeptShare::Finer { billionths } => billionths,
        };
        Share(billionths.min(1_000 * THOUSANDTH))
    }
}

impl From<Share> for KeptShare {
    fn from(share: Share) -> Self {
        let billionths = share.0;
        match u16::try_from(billionths / THOUSANDTH) {
            Ok(count) if billionths.is_multiple_of(THOUSANDTH) => KeptShare::Thousandths(count),
            Ok(_) | Err(_) => KeptShare::Finer { billionths },
        }
    }
}

impl Share {
    /// The score below which a passage is not worth showing, where nothing else is wanted.
    pub const USUAL: Share = Share(150 * THOUSANDTH);

    /// The nearest to a share; what is outside counts as the nearer end.
    #[must_use]
    pub fn of(share: f64) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and a billion"
        )]
        let billionths = (share.clamp(0.0, 1.0) * 1e9).round() as u32;
        Share(billionths)
    }

    /// As a share of one.
    #[must_use]
    pub fn share(self) -> f64 {
        f64::from(self.0) / 1e9
    }
}

/// Seconds as models give them, in milliseconds.
pub const fn milliseconds(seconds: u32) -> u64 {
    seconds as u64 * 1_000
}

#[cfg(test)]
mod tests {
    use super::Share;

    #[test]
    fn a_share_keeps_its_digits_and_reads_as_it_was_kept() {
        for (share, kept) in [
            (0.0, "0"),
            (0.15, "150"),
            (1.0, "1000"),
            (0.0004, r#"{"billionths":400000}"#),
            (0.123_456_789, r#"{"billionths":123456789}"#),
        ] {
            let of = Share::of(share);
            assert_eq!(of.share().to_bits(), share.to_bits());
            assert_eq!(serde_json::to_string(&of).unwrap(), kept);
            assert_eq!(serde_json::from_str::<Share>(kept).unwrap(), of);
        }
        assert_eq!((Share::of(7.0), Share::of(-1.0)), (Share::of(1.0), Share::of(0.0)));
        assert_eq!(Share::of(f64::NAN), Share::of(0.0));
        assert_eq!(Share::USUAL, Share::of(0.15));
    }
}

//! Why the provider of a model that is called beside the answer, such as one of embeddings, does not serve us.
//!
//! Border: the kind of the fault; its words come with it.

use serde::{Deserialize, Serialize};

/// What keeps a provider from serving us until somebody has seen to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unserved {
    /// It refuses the key.
    KeyRefused,
    /// There is no key for it.
    MissingKey,
    /// Its account has no credit.
    NoCredit,
    /// It refuses what it was sent, serves nobody where we are, or gave what is no reply.
    Failed,
}

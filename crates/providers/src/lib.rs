//! Wire formats of model providers, which model is meant, retry policy, and prices.
//!
//! Border: pure. Requests become bytes, bytes become replies, failures become decisions. The
//! clock, random numbers, HTTP and configuration are arguments; `components/models` performs.

mod call;
pub mod catalogue;
mod chat_completions;
pub mod choose;
mod embeddings;
mod exchange;
pub mod failure;
mod json;
mod messages;
pub mod pricing;
pub mod refused;
pub mod remembered;
pub mod reply;
pub mod request;
mod responses;
pub mod retry;
pub mod target;
mod told;
pub mod wait;

pub use call::{Call, Next};
pub use catalogue::Wire;
pub use embeddings::{Embedded, EmbeddingCall, EmbeddingExchange};
pub use exchange::{Exchange, Lost};
pub use failure::Failure;
pub use remembered::Remembered;
pub use reply::{Progress, Reply, ReplyReader};
pub use request::{Address, HttpRequest, Method, build};
pub use retry::{Retry, Step};

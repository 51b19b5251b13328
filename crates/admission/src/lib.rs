//! Who may call, how often, from which pages, whose key pays, and who waits for its turn.
//!
//! Border: configuration, identity and the clock are arguments; decisions come out. Fetching keys
//! and keeping counts is for whoever calls.

mod access;
pub mod cors;
pub mod crowded;
mod denial;
mod email;
pub mod identity;
pub mod lane;
mod payer;
mod rate;
mod secret;
pub mod shared;

pub use access::{Access, Caller};
pub use cors::Cors;
pub use denial::{Denial, Proof, Unproven};
pub use email::{EmailAddress, EmailPattern};
pub use payer::{OwnKey, Payer, Payment, payment, payment_instead};
pub use rate::{CallerKey, Rate, Verdict};
pub use secret::DriveSecret;

//! Which addresses of the web may be read, and on which way.
//!
//! Everything here is a decision. Fetching, clocks and stores are the `web` component's; addresses,
//! statuses, headers and times come in as arguments. What pages say is none of this crate's business.

pub mod address;
mod cookies;
pub mod network;
pub mod redirect;
pub mod robots;
pub mod visit;

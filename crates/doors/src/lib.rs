//! The doors: requests in, orders and answers out, the routes and the OpenAPI document.
//!
//! Border: text and bytes of a request in, decisions and bytes of a response out. No I/O, no
//! clock, no configuration look-ups: time and settings are arguments.

pub mod native;
mod openapi;
mod refusal;
mod reply;
mod route;

pub use openapi::DOCUMENT as OPENAPI;
pub use refusal::Refusal;
pub use reply::{Headers, Reply, health, stopping, stream_head};
pub use route::{ROUTES, Route, RouteEntry, route, streams};

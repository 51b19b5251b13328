//! The doors: requests in, orders and answers out, the routes and the OpenAPI document.
//!
//! Border: text and bytes of a request in, decisions and bytes of a response out. No I/O, no
//! clock, no configuration look-ups: time and settings are arguments.
//!
//! A new door is a file here that has the traits of [`door`], and a line in the route table.

mod accept;
mod agui;
mod body;
mod bounds;
pub mod chat;
mod consult;
pub mod door;
mod event;
mod frames;
mod head;
mod hidden;
mod json_field;
pub mod knowledge;
pub mod mcp;
pub mod native;
mod nearest;
mod once;
mod openapi;
mod order;
mod own_key;
mod parameters;
mod refusal;
mod reply;
pub mod responses;
mod route;
pub mod runs;
mod said;
mod service;
mod status;
mod talk;
mod ui;
mod variable;
mod vigil;

pub use body::{DRAIN_BYTES, DRAIN_SECONDS, Intake, body_timeout_seconds};
pub use consult::{ConsultFilter, ConsultRequest};
pub use event::{Event, Named};
pub use head::{Head, McpHead};
pub use hidden::Hidden;
pub use openapi::text as openapi_text;
#[cfg(feature = "schema")]
pub use openapi::{Contradiction, document};
pub use order::{
    AskRequest, Budget, Continuation, Form, Join, Manners, Order, Said, Seeks, Sources, Speaker,
    Unkept, Wish,
};
pub use refusal::{Keyless, Refusal};
pub use reply::{Database, Headers, Network, Reply, stream_head};
pub use route::{Entrance, ROUTES, RouteEntry, Visit, enter, judges_pages};
pub use said::name_answer;
pub use status::status;
pub use talk::{Deep, GivenKey, OwnName, Sender};
pub use variable::{grace_seconds, keep_alive_seconds};
pub use vigil::{Due, Vigil};

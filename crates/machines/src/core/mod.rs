//! What machines share: a turn, model calls and their accounts, the conversation with its tools,
//! and the inquiry that these make together.
//!
//! Border: knows no machine. What differs between machines is a type of theirs ([`Purpose`]) or an
//! argument ([`Rules`]).

mod calls;
mod collection;
mod conversation;
mod draft;
mod fence;
mod inquiry;
pub mod judging;
mod ledger;
mod machine;
mod profile;
pub mod reply;
mod secret;
mod shown;
mod stops;
mod tool_round;
mod turn;

/// Whether a number is none, and so left out of what is kept.
pub(crate) fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

pub use calls::{
    Calls, ModelSheet, Purpose, Settled, failure_kind, failure_message, request_estimate,
};
pub use collection::NoDocuments;
pub use conversation::{Conversation, estimate};
pub use draft::Draft;
pub use fence::Fence;
pub use inquiry::{Inquiry, InquiryStep, Next, Round, Rules, Why};
pub use ledger::{Budget, Ledger, Reservation, Room, Step, Unsettled};
pub use machine::Machine;
pub use profile::ContextProfile;
pub use secret::Secret;
pub use shown::{Request, Response, Used, listing, numbered, usage};
pub use stops::Stops;
pub use tool_round::{Beside, DoneCall, OpenCall, ToolRound};
pub use turn::{Effect, Input, Numbering, Reaction, Ticket, Turn};

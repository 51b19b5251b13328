//! One opening of the database at a time within an instance, for all who want it meanwhile.
//!
//! Whoever waits for it may stop waiting: half-way through a migration a connection that is let go of would keep everybody
//! else from writing, on a server for as long as that remembers it. A host that does not answer keeps nobody: until it does,
//! whoever wants the database is told so.

use super::{Database, Opened, no_answer};
use crate::bell::{Bell, bell};
use futures::poll;
use quarry_types::single_flight::{Role, SingleFlight};
use std::cell::RefCell;

thread_local! {
    /// The one that is under way.
    static OPENING: RefCell<SingleFlight<(), Opened, Bell>> = RefCell::default();
}

/// What comes of the one that is under way, begun where there is none; none: whoever was opening it is gone. It goes on
/// beside the request that began it.
pub(super) async fn opened() -> Option<Opened> {
    let waiter = match OPENING.with_borrow_mut(|opening| opening.join(())) {
        Role::Waits(waiter) => waiter,
        Role::Leads(opener) => {
            let waiter = opener.waiter();
            let mut work = Box::pin(async move {
                let opened = Database::opened(|| opener.tell(no_answer())).await;
                opener.tell(opened);
            });
            // Begun here: what is only spawned may wait for the next event of its request, and there might be none.
            if poll!(&mut work).is_pending() {
                wit_bindgen::spawn(work);
            }
            waiter
        }
    };
    if waiter.told().is_none() {
        let (bell, rings) = bell();
        waiter.leave(bell);
        rings.await;
    }
    waiter.told()
}

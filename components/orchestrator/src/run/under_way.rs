//! What a driver has under way, and lets go of.
//!
//! Border: which calls a run has given up is the run's to say; here they end.

use futures::StreamExt;
use futures::channel::oneshot;
use futures::future::{Either, LocalBoxFuture, select};
use futures::stream::FuturesUnordered;
use quarry_machines::core::Ticket;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::pin;

/// What is under way of a run: each brings something once, and what belongs to a call or an errand can be let go of.
pub struct UnderWay<T> {
    pool: FuturesUnordered<LocalBoxFuture<'static, Option<T>>>,
    /// By whose end each of them ends.
    kept: BTreeMap<Ticket, oneshot::Sender<Infallible>>,
}

impl<T: 'static> UnderWay<T> {
    pub fn new() -> Self {
        UnderWay { pool: FuturesUnordered::new(), kept: BTreeMap::new() }
    }

    /// This is waited for in any case.
    pub fn push(&mut self, work: impl Future<Output = T> + 'static) {
        self.pool.push(Box::pin(async move { Some(work.await) }));
    }

    /// This is begun, and waited for until it is let go of.
    pub fn begin(&mut self, ticket: Ticket, work: impl Future<Output = T> + 'static) {
        let (kept, gone) = oneshot::channel();
        self.kept.insert(ticket, kept);
        self.pool.push(Box::pin(async move {
            // The work is asked first: a call that has ended and was not asked since must not be dropped, its handle would be
            // gone (wasmtime 47 traps).
            match select(pin!(work), gone).await {
                Either::Left((brought, _)) => Some(brought),
                Either::Right(_) => None,
            }
        }));
    }

    /// The rest of what was begun; nothing where that was let go of.
    pub fn go_on(&mut self, ticket: Ticket, rest: impl Future<Output = T> + 'static) {
        if self.kept.contains_key(&ticket) {
            self.begin(ticket, rest);
        }
    }

    /// Lets go of all that was begun but these: nobody waits for it, and its provider is to write no more of it.
    pub fn keep(&mut self, mut is_kept: impl FnMut(Ticket) -> bool) {
        self.kept.retain(|ticket, _| is_kept(*ticket));
    }

    /// What comes next; none: nothing is under way.
    pub async fn next(&mut self) -> Option<T> {
        loop {
            if let Some(brought) = self.pool.next().await? {
                return Some(brought);
            }
        }
    }
}

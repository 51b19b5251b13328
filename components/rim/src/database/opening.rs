//! One opening of the database at a time within an instance, for all who want it meanwhile.
//!
//! Whoever waits for it may stop waiting: half-way through a migration a connection that is let go of would keep everybody
//! else from writing, on a server for as long as that remembers it. A host that does not answer keeps nobody: until it does,
//! whoever wants the database is told so.

use super::{Database, Opened, no_answer};
use futures::poll;
use spin_sdk::sqlite::RowResult;
use spin_sdk::sqlite::wit::wit_stream;
use std::cell::RefCell;
use std::rc::Rc;
use wit_bindgen::StreamWriter;

thread_local! {
    /// The one that is under way.
    static OPENING: RefCell<Option<Rc<Opening>>> = const { RefCell::new(None) };
}

/// An opening that is under way.
#[derive(Default)]
pub(super) struct Opening {
    /// What came of it, when it is over; before that, what is told of one that hangs.
    opened: RefCell<Option<Opened>>,
    /// One for each who waits. They ring when they are dropped: requests of one instance cannot wake each other at a word of
    /// Rust's.
    bells: RefCell<Vec<StreamWriter<RowResult>>>,
}

impl Opening {
    /// The one that is under way, begun where there is none. It goes on beside the request that began it.
    pub(super) async fn under_way() -> Rc<Opening> {
        if let Some(opening) = OPENING.with_borrow(Clone::clone) {
            return opening;
        }
        let opening = Rc::<Opening>::default();
        OPENING.set(Some(Rc::clone(&opening)));
        let opener = Opener(Rc::clone(&opening));
        let mut work = Box::pin(async move {
            let Opener(opening) = &opener;
            let opened = Database::opened(|| opening.ends_with(no_answer())).await;
            opening.ends_with(opened);
        });
        // Begun here: what is only spawned may wait for the next event of its request, and there might be none.
        if poll!(&mut work).is_pending() {
            wit_bindgen::spawn(work);
        }
        opening
    }

    /// Tells those who wait, and those who come.
    fn ends_with(&self, opened: Opened) {
        self.opened.replace(Some(opened));
        drop(self.bells.take());
    }

    /// What comes of it; none: whoever was opening it is gone.
    pub(super) async fn ended(&self) -> Option<Opened> {
        if self.opened.borrow().is_none() {
            let (bell, mut rings) = wit_stream::new::<RowResult>();
            self.bells.borrow_mut().push(bell);
            // Nothing is ever written: what ends a stream wakes whoever reads it, in whichever request.
            _ = rings.next().await;
        }
        self.opened.borrow().clone()
    }
}

/// Whoever opens it. However that ends, the next who wants it looks anew.
struct Opener(Rc<Opening>);

impl Drop for Opener {
    fn drop(&mut self) {
        drop(OPENING.take());
        drop(self.0.bells.take());
    }
}

//! Who watches what components do to the world: tests that end the host at a certain deed.
//!
//! Border: a witness is told and may block; it changes nothing, and no component can tell that there is one.

use std::fmt;
use std::sync::Arc;

use http::Uri;

/// What a component does, and whether it is before or after.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// Its name in the manifest.
    pub component: &'a str,
    /// What it does.
    pub deed: Deed<'a>,
    /// Before or after.
    pub when: When,
}

/// What a component does that outlives it.
#[derive(Debug, Clone, Copy)]
pub enum Deed<'a> {
    /// The opening of a connection to the database of this name. Nobody is told that it is done.
    Opening(&'a str),
    /// A statement of SQL, and those of its parameters that are texts, in order.
    Statement(&'a str, &'a [String]),
    /// A request to another component, or to the outside.
    Request(&'a Uri),
}

/// The two sides of a deed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Nothing has happened yet.
    Before,
    /// It is done, and its component does not know it yet: a statement is committed, the head of a response is here.
    Done,
    /// It has failed, and its component does not know it yet.
    Failed,
}

/// Is told of each deed, on the thread that does it.
#[derive(Clone)]
pub struct Witness(Arc<dyn Fn(Moment<'_>) + Send + Sync>);

impl Witness {
    /// One that does this.
    pub fn new(told: impl Fn(Moment<'_>) + Send + Sync + 'static) -> Self {
        Witness(Arc::new(told))
    }

    /// Tells it what stands around some work.
    pub(crate) fn around<T, E>(
        &self,
        component: &str,
        deed: Deed<'_>,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        self.tell(component, deed, When::Before);
        let done = work();
        self.tell(component, deed, if done.is_ok() { When::Done } else { When::Failed });
        done
    }

    /// Tells it where others must not be kept waiting: it may block.
    pub(crate) fn tell_aside(&self, component: &str, deed: Deed<'_>, when: When) {
        tokio::task::block_in_place(|| self.tell(component, deed, when));
    }

    pub(crate) fn tell(&self, component: &str, deed: Deed<'_>, when: When) {
        (self.0)(Moment { component, deed, when });
    }
}

/// A component by its name in the manifest, and who watches it.
pub(crate) type Watched = (Arc<str>, Witness);

impl fmt::Debug for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Witness")
    }
}

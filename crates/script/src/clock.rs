//! What a run needs of the world, as arguments.

use std::{rc::Rc, time::Duration};

use boa_engine::context::time::{Clock as EngineClock, JsInstant};

/// Tells the time. Tests pass one that advances at each reading.
pub trait Clock {
    /// A monotonic reading from any fixed start.
    fn now(&self) -> Duration;

    /// Milliseconds since the Unix epoch, for `Date`.
    fn wall_millis(&self) -> i64;
}

/// Tells how much memory is in use.
pub trait MemoryMeter {
    /// Bytes allocated and not freed, in the whole process.
    fn bytes_in_use(&self) -> usize;
}

/// Our clock as the engine wants it.
pub(crate) struct ForEngine(pub(crate) Rc<dyn Clock>);

impl EngineClock for ForEngine {
    fn now(&self) -> JsInstant {
        let now = self.0.now();
        JsInstant::new(now.as_secs(), now.subsec_nanos())
    }

    fn system_time_millis(&self) -> i64 {
        self.0.wall_millis()
    }
}

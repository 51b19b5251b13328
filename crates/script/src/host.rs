//! What the engine asks its host for: a job queue, buffer sizes, the time zone; and what one run
//! keeps while it runs: console lines, output used, the limit that was met.

use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
    time::Duration,
};

use boa_engine::{
    Context, JsError, JsObject, JsResult,
    builtins::promise::{OperationType, Promise},
    context::HostHooks,
    error::{EngineError, PanicError},
    job::{Job, JobExecutor},
};

use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

use crate::{
    Clock, ConsoleLevel, ConsoleLine, Limit, MemoryMeter,
    limits::{self, LINE_OVERHEAD, OUTPUT},
};

/// The state of one run.
pub(crate) struct Host {
    pub(crate) clock: Rc<dyn Clock>,
    memory: Rc<dyn MemoryMeter>,
    heap_at_start: usize,
    started: Cell<Option<Duration>>,
    /// For `Math.random` and `crypto`.
    random: RefCell<StdRng>,
    deadline: Cell<Duration>,
    limit: Cell<Option<Limit>>,
    console: RefCell<Vec<ConsoleLine>>,
    output_used: Cell<usize>,
    jobs: RefCell<VecDeque<Job>>,
    /// Promises rejected with nobody listening, in order.
    unhandled: RefCell<Vec<JsObject<Promise>>>,
}

impl Host {
    pub(crate) fn new(clock: Rc<dyn Clock>, memory: Rc<dyn MemoryMeter>, seed: [u8; 32]) -> Self {
        Self {
            clock,
            heap_at_start: memory.bytes_in_use(),
            memory,
            started: Cell::new(None),
            random: RefCell::new(StdRng::from_seed(seed)),
            deadline: Cell::new(Duration::MAX),
            limit: Cell::new(None),
            console: RefCell::default(),
            output_used: Cell::new(0),
            jobs: RefCell::default(),
            unhandled: RefCell::default(),
        }
    }

    pub(crate) fn set_deadline(&self, deadline: Duration) {
        self.deadline.set(deadline);
    }

    /// The start of the run, for `performance.now`.
    pub(crate) fn set_started(&self, started: Duration) {
        self.started.set(Some(started));
    }

    /// Since the start of the run.
    pub(crate) fn elapsed(&self) -> Duration {
        let now = self.clock.now();
        now.saturating_sub(self.started.get().unwrap_or(now))
    }

    /// The next random bytes.
    pub(crate) fn fill_random(&self, bytes: &mut [u8]) {
        self.random.borrow_mut().fill_bytes(bytes);
    }

    pub(crate) fn limit(&self) -> Option<Limit> {
        self.limit.get()
    }

    /// The first limit met is the one that is told.
    pub(crate) fn hit(&self, limit: Limit) {
        if self.limit.get().is_none() {
            self.limit.set(Some(limit));
        }
    }

    /// Looks at clock and heap.
    pub(crate) fn check(&self) -> Result<(), Limit> {
        if self.memory.bytes_in_use().saturating_sub(self.heap_at_start) > limits::HEAP {
            self.hit(Limit::Memory);
        } else if self.clock.now() >= self.deadline.get() {
            self.hit(Limit::Time);
        }
        self.limit.get().map_or(Ok(()), Err)
    }

    /// An error that no `catch` of the program sees.
    pub(crate) fn stop(&self, limit: Limit) -> JsError {
        self.hit(limit);
        EngineError::Panic(PanicError::new("stopped by a limit")).into()
    }

    /// Room for output that is left, in bytes.
    pub(crate) fn output_left(&self) -> usize {
        OUTPUT.saturating_sub(self.output_used.get())
    }

    /// Keeps a line; cuts it and ends the program when the output is full.
    pub(crate) fn write(&self, level: ConsoleLevel, mut text: String, cut: bool) -> JsResult<()> {
        let left = self.output_left().saturating_sub(LINE_OVERHEAD);
        let full = cut || self.output_left() < LINE_OVERHEAD + text.len();
        truncate(&mut text, left);
        if !full || !text.is_empty() {
            self.output_used.set(self.output_used.get() + text.len() + LINE_OVERHEAD);
            self.console.borrow_mut().push(ConsoleLine { level, text });
        }
        if full { Err(self.stop(Limit::Output)) } else { Ok(()) }
    }

    pub(crate) fn take_console(&self) -> Vec<ConsoleLine> {
        self.console.take()
    }

    pub(crate) fn next_job(&self) -> Option<Job> {
        self.jobs.borrow_mut().pop_front()
    }

    pub(crate) fn first_unhandled(&self) -> Option<JsObject<Promise>> {
        self.unhandled.borrow().first().cloned()
    }

    /// Drops what belongs to the realm.
    pub(crate) fn clear(&self) {
        self.jobs.take();
        self.unhandled.take();
    }
}

/// Cuts at a character border.
pub(crate) fn truncate(text: &mut String, bytes: usize) {
    if text.len() > bytes {
        text.truncate(text.floor_char_boundary(bytes));
    }
}

impl JobExecutor for Host {
    fn enqueue_job(self: Rc<Self>, job: Job, _: &mut Context) {
        match job {
            // The engine refuses `import()` in an async job.
            Job::PromiseJob(_) | Job::GenericJob(_) | Job::AsyncJob(_) => {
                self.jobs.borrow_mut().push_back(job);
            }
            // Nothing that a program can reach makes these: there are no timers and no I/O, and
            // clean-up of finalization registries is optional.
            _ => {}
        }
    }

    fn run_jobs(self: Rc<Self>, _: &mut Context) -> JsResult<()> {
        // The engine never calls this; `engine` drives the queue and checks the limits between.
        Ok(())
    }
}

/// The hooks share the run's state.
pub(crate) struct Hooks(pub(crate) Rc<Host>);

impl HostHooks for Hooks {
    fn promise_rejection_tracker(
        &self,
        promise: &JsObject<Promise>,
        operation: OperationType,
        _: &mut Context,
    ) {
        let mut unhandled = self.0.unhandled.borrow_mut();
        match operation {
            OperationType::Reject => unhandled.push(promise.clone()),
            OperationType::Handle => unhandled.retain(|other| !JsObject::equals(other, promise)),
        }
    }

    fn local_timezone_offset_seconds(&self, _: i64) -> i32 {
        0
    }

    fn max_buffer_size(&self, _: &mut Context) -> u64 {
        limits::BUFFER
    }
}

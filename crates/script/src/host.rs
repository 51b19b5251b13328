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
    ConsoleLevel, ConsoleLine, Environment, Limit,
    awaiting::Shift,
    limits::{self, LINE_OVERHEAD, OUTPUT},
};

/// The state of one run.
pub(crate) struct Host {
    pub(crate) world: Environment,
    heap_at_start: Cell<usize>,
    /// What was left after the last forced collection.
    held: Cell<usize>,
    started: Cell<Option<Duration>>,
    /// For `Math.random` and `crypto`.
    random: RefCell<Option<StdRng>>,
    timeout: Cell<Duration>,
    deadline: Cell<Duration>,
    limit: Cell<Option<Limit>>,
    console: RefCell<Vec<ConsoleLine>>,
    output_used: Cell<usize>,
    shift: Cell<Shift>,
    jobs: RefCell<VecDeque<Job>>,
    /// Promises rejected with nobody listening, in order.
    unhandled: RefCell<Vec<JsObject<Promise>>>,
}

impl Host {
    pub(crate) fn new(world: Environment) -> Self {
        Self {
            world,
            heap_at_start: Cell::default(),
            held: Cell::new(0),
            started: Cell::new(None),
            random: RefCell::default(),
            timeout: Cell::new(Duration::MAX),
            deadline: Cell::new(Duration::MAX),
            limit: Cell::new(None),
            console: RefCell::default(),
            output_used: Cell::new(0),
            shift: Cell::default(),
            jobs: RefCell::default(),
            unhandled: RefCell::default(),
        }
    }

    /// What was put into the program's text.
    pub(crate) fn shift(&self) -> Shift {
        self.shift.get()
    }

    pub(crate) fn set_shift(&self, shift: Shift) {
        self.shift.set(shift);
    }

    /// Starts the run's clock.
    pub(crate) fn start(&self, timeout: Duration) {
        let now = self.world.clock.now();
        self.heap_at_start.set(self.world.memory.bytes_in_use());
        self.timeout.set(timeout);
        self.started.set(Some(now));
        self.deadline.set(now.saturating_add(timeout));
    }

    pub(crate) fn timeout(&self) -> Duration {
        self.timeout.get()
    }

    /// Since the start of the run.
    pub(crate) fn elapsed(&self) -> Duration {
        let now = self.world.clock.now();
        now.saturating_sub(self.started.get().unwrap_or(now))
    }

    /// The next random bytes.
    pub(crate) fn fill_random(&self, bytes: &mut [u8]) {
        let mut random = self.random.borrow_mut();
        random.get_or_insert_with(|| StdRng::from_seed((self.world.seed)())).fill_bytes(bytes);
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

    /// How much the heap has grown.
    fn grown(&self) -> usize {
        self.world.memory.bytes_in_use().saturating_sub(self.heap_at_start.get())
    }

    /// Frees what nobody holds any more, if enough has come since the last time. The engine counts
    /// only its own objects, not the buffers and strings in them, so it may see no reason to.
    fn relieve(&self, above: usize) {
        let grown = self.grown();
        if grown > above && grown > self.held.get() + limits::HEAP / 8 {
            boa_engine::gc::force_collect();
            self.held.set(self.grown());
        }
    }

    /// Frees what can be freed before something large is made.
    pub(crate) fn make_room(&self, bytes: usize) {
        if bytes > limits::HEAP / 64 {
            self.relieve(limits::HEAP / 4);
        }
    }

    /// Looks at clock and heap.
    pub(crate) fn check(&self) -> Result<(), Limit> {
        self.relieve(limits::HEAP);
        if self.grown() > limits::HEAP {
            self.hit(Limit::Memory);
        } else if self.world.clock.now() >= self.deadline.get() {
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
            self.keep(ConsoleLine { level, text });
        }
        if full { Err(self.stop(Limit::Output)) } else { Ok(()) }
    }

    /// Room is made before the lines are borrowed: a program may be stopped wherever it allocates,
    /// and its lines are wanted then.
    fn keep(&self, line: ConsoleLine) {
        let kept = self.console.borrow().len();
        if kept == self.console.borrow().capacity() {
            let mut larger = Vec::with_capacity(2 * kept + 8);
            let mut lines = self.console.borrow_mut();
            larger.append(&mut lines);
            *lines = larger;
        }
        self.console.borrow_mut().push(line);
    }

    /// The lines so far.
    pub(crate) fn take_console(&self) -> Vec<ConsoleLine> {
        self.console
            .try_borrow_mut()
            .map(|mut lines| std::mem::take(&mut *lines))
            .unwrap_or_default()
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

    /// Asked before each buffer is made.
    fn max_buffer_size(&self, _: &mut Context) -> u64 {
        self.0.relieve(limits::HEAP / 4);
        let room = limits::HEAP.saturating_sub(self.0.grown());
        limits::BUFFER.min(u64::try_from(room).unwrap_or(u64::MAX))
    }
}

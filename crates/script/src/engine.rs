//! Builds a realm, runs one program in it, and says how it ended.

use std::{
    cell::RefCell,
    future::Future,
    path::Path,
    pin::pin,
    rc::Rc,
    task::{Context as TaskContext, Poll, Waker},
    time::Duration,
};

use boa_engine::{
    Context, JsError, JsNativeError, JsResult, JsValue, Script, Source,
    builtins::promise::PromiseState, context::ContextBuilder, job::Job, module::IdleModuleLoader,
    object::builtins::JsPromise,
};

use crate::{
    Clock, Limit, MemoryMeter, Outcome, ScriptError, Value,
    awaiting::Code,
    builtins,
    clock::ForEngine,
    console,
    errors::{self, FILE},
    guards,
    host::{Hooks, Host},
    inspect::{self, Options},
    json, limits,
};

/// What a run needs of the world.
#[derive(Clone)]
pub struct Environment {
    /// For the limit and for `Date`.
    pub clock: Rc<dyn Clock>,
    /// For the heap's limit.
    pub memory: Rc<dyn MemoryMeter>,
    /// Where a program's random numbers start, asked when it wants one; the same seed gives the same.
    pub seed: fn() -> [u8; 32],
}

/// A realm for one program: the built-ins and `console`.
pub struct Realm {
    context: Context,
    host: Rc<Host>,
}

/// Frees what dropped realms held. Without it the engine does so when its heap has grown.
pub fn collect() {
    boa_engine::gc::force_collect();
}

impl Realm {
    /// Builds a realm, which asks nothing of the environment before it runs. The time it takes is
    /// not the program's.
    ///
    /// # Errors
    /// When the engine cannot build its built-ins: a defect of ours, not of the program.
    pub fn new(environment: &Environment) -> Result<Self, ScriptError> {
        Self::build(&Rc::new(Host::new(environment.clone())))
            .map_err(|error| errors::of_engine(&error.to_string()))
    }

    /// What there is to tell of a program that the caller stopped in the middle of [`run`], by
    /// means that Rust knows nothing of. Nothing else may be done with the realm, nor may it be
    /// dropped.
    ///
    /// [`run`]: Self::run
    #[must_use]
    pub fn cut_short(&mut self, limit: Limit) -> Outcome {
        self.host.hit(limit);
        self.outcome(Value::None, None)
    }

    /// The same of a program in which the engine panicked.
    #[must_use]
    pub fn failed(&mut self, message: &str) -> Outcome {
        self.outcome(Value::None, Some(errors::of_engine(message)))
    }

    fn build(host: &Rc<Host>) -> JsResult<Self> {
        let mut context = ContextBuilder::new()
            .host_hooks(Rc::new(Hooks(host.clone())))
            .clock(Rc::new(ForEngine(host.world.clock.clone())))
            .job_executor(host.clone())
            .module_loader(Rc::new(IdleModuleLoader))
            // `Atomics.wait` would stall the whole sandbox.
            .can_block(false)
            // Only counted: the caller stops a program anywhere.
            .instructions_remaining(usize::MAX)
            .build()?;
        let runtime = context.runtime_limits_mut();
        runtime.set_recursion_limit(limits::RECURSION);
        runtime.set_stack_size_limit(limits::STACK);
        runtime.set_loop_iteration_limit(u64::MAX);
        runtime.set_backtrace_limit(10);
        console::install(&mut context)?;
        builtins::install(&mut context)?;
        guards::install(&mut context)?;
        inspect::install(&mut context)?;
        Ok(Self { context, host: host.clone() })
    }

    /// Runs a program within this time. A realm runs one; drop it afterwards.
    #[must_use]
    pub fn run(&mut self, source: &str, timeout: Duration) -> Outcome {
        let host = self.host.clone();
        host.start(timeout);
        let ended = if source.len() > limits::SOURCE {
            host.hit(Limit::Source);
            Err(None)
        } else {
            self.evaluate(source).map_err(Some)
        };
        let (value, error) = match ended {
            Ok(value) => (self.render(&value), None),
            Err(error) => {
                let told = error
                    .and_then(|error| errors::describe(error, source, &host, &mut self.context));
                (Value::None, told)
            }
        };
        let outcome = self.outcome(value, error);
        host.clear();
        outcome
    }

    fn outcome(&self, value: Value, error: Option<ScriptError>) -> Outcome {
        let limit = self.host.limit();
        let used = usize::MAX - self.context.instructions_remaining();
        Outcome {
            console: self.host.take_console(),
            value,
            error: limit.map(|limit| errors::limit(limit, self.host.timeout())).or(error),
            limit,
            elapsed: self.host.elapsed(),
            instructions: u64::try_from(used).unwrap_or(u64::MAX),
        }
    }

    /// The script, then its jobs, then what its last promise came to.
    fn evaluate(&mut self, source: &str) -> JsResult<JsValue> {
        let value = self.script(source)?;
        self.jobs()?;
        let settled = value
            .as_object()
            .and_then(|object| JsPromise::from_object(object.clone()).ok())
            .map(|promise| promise.state());
        let value = match settled {
            Some(PromiseState::Fulfilled(value)) => value,
            Some(PromiseState::Rejected(reason)) => return Err(JsError::from_opaque(reason)),
            Some(PromiseState::Pending) if self.host.shift().is_body() => {
                let message = "the program awaits a promise that nothing settles: there are no timers and no I/O here";
                return Err(JsNativeError::error().with_message(message).into());
            }
            Some(PromiseState::Pending) | None => value,
        };
        let unhandled = self.host.first_unhandled();
        match unhandled.map(|promise| JsPromise::from(promise).state()) {
            Some(PromiseState::Rejected(reason)) => Err(JsError::from_opaque(reason)),
            _ => Ok(value),
        }
    }

    fn script(&mut self, source: &str) -> JsResult<JsValue> {
        builtins::prepare(source, &mut self.context)?;
        let script = self.parse(source)?;
        self.checked()?;
        let host = self.host.clone();
        let mut running = pin!(script.evaluate_async_with_budget(&mut self.context, limits::SLICE));
        let mut task = TaskContext::from_waker(Waker::noop());
        loop {
            if let Poll::Ready(ended) = running.as_mut().poll(&mut task) {
                return ended;
            }
            host.check().map_err(|limit| host.stop(limit))?;
        }
    }

    /// A script, or what is one as the body of a function.
    fn parse(&mut self, source: &str) -> JsResult<Script> {
        if let Some(code) = Code::awaiting(source) {
            return self.parse_code(&code);
        }
        self.parse_code(&Code::plain(source)).or_else(|error| match Code::returning(source) {
            Some(code) => self.parse_code(&code),
            None => Err(error),
        })
    }

    fn parse_code(&mut self, code: &Code<'_>) -> JsResult<Script> {
        self.host.set_shift(code.shift);
        let source = Source::from_bytes(&*code.text).with_path(Path::new(FILE));
        Script::parse(source, None, &mut self.context)
    }

    fn jobs(&mut self) -> JsResult<()> {
        while let Some(job) = self.host.next_job() {
            self.checked()?;
            match job {
                Job::PromiseJob(job) => job.call(&mut self.context)?,
                Job::GenericJob(job) => job.call(&mut self.context)?,
                Job::AsyncJob(job) => {
                    let context = RefCell::new(&mut self.context);
                    let mut task = TaskContext::from_waker(Waker::noop());
                    // Nothing outside can wake it, so one poll is all it gets.
                    match pin!(job.call(&context)).poll(&mut task) {
                        Poll::Ready(ended) => ended?,
                        Poll::Pending => JsValue::undefined(),
                    }
                }
                _ => JsValue::undefined(),
            };
        }
        self.context.clear_kept_objects();
        self.checked()
    }

    /// Whether the program may go on.
    fn checked(&self) -> JsResult<()> {
        self.host.check().map_err(|limit| self.host.stop(limit))
    }

    fn render(&mut self, value: &JsValue) -> Value {
        if value.is_undefined() {
            return Value::None;
        }
        let left = self.host.output_left();
        let (value, cut) = match json::render(value, left) {
            json::Json::Text(text) => (Value::Json(text), false),
            json::Json::TooLong => {
                // As much as there is room for, where a structure would show its beginning only.
                let (text, _) = inspect::render(value, left, Options::ARGUMENT, &mut self.context);
                (Value::Text(text), true)
            }
            json::Json::None => {
                let (text, cut) = inspect::render(value, left, Options::VALUE, &mut self.context);
                (Value::Text(text), cut)
            }
        };
        if cut {
            self.host.hit(Limit::Output);
        }
        value
    }
}

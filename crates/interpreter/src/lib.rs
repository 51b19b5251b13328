//! The loop of the JavaScript engine that runs a program in slices.
//!
//! It is a crate of its own because the engine's instructions are compiled where this loop is: here
//! they are compiled to be fast, and everything around to be small (see the profiles in the
//! workspace's manifest).

use std::{
    future::Future,
    pin::pin,
    task::{Context as TaskContext, Poll, Waker},
};

use boa_engine::{Context, JsResult, JsValue, Script};

/// Runs a script, `slice` steps of the engine at a time, and asks `check` after each slice whether
/// it may go on.
///
/// # Errors
/// What the script threw, or what `check` gave.
pub fn run(
    script: &Script,
    slice: u32,
    check: &dyn Fn() -> JsResult<()>,
    context: &mut Context,
) -> JsResult<JsValue> {
    let mut running = pin!(script.evaluate_async_with_budget(context, slice));
    let mut task = TaskContext::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(ended) = running.as_mut().poll(&mut task) {
            return ended;
        }
        check()?;
    }
}

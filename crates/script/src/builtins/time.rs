//! `performance.now` and `queueMicrotask`.

use std::time::Duration;

use boa_engine::{
    Context, JsResult, JsValue, NativeFunction,
    job::{Job, PromiseJob},
    js_string,
    object::ObjectInitializer,
};

use super::{HIDDEN, global, options::typed};
use crate::host::Host;

pub(crate) fn install(context: &mut Context) -> JsResult<()> {
    let performance = ObjectInitializer::new(context)
        .function(NativeFunction::from_fn_ptr(now), js_string!("now"), 0)
        .build();
    context.register_global_property(js_string!("performance"), performance, HIDDEN)?;
    global(("queueMicrotask", 1, queue_microtask), context)
}

/// The run's clock, from the run's start.
pub(crate) fn elapsed(context: &Context) -> Duration {
    context.downcast_job_executor::<Host>().map_or(Duration::ZERO, |host| host.elapsed())
}

fn now(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    // Steps of five microseconds, as browsers have them.
    let micros = elapsed(context).as_micros() / 5 * 5;
    let micros = u32::try_from(micros).unwrap_or(u32::MAX);
    Ok((f64::from(micros) / 1_000.0).into())
}

fn queue_microtask(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some(callback) = arguments.first().and_then(JsValue::as_callable) else {
        return Err(typed("The \"callback\" argument must be of type function."));
    };
    let job = PromiseJob::new(move |context| callback.call(&JsValue::undefined(), &[], context));
    context.enqueue_job(Job::PromiseJob(job));
    Ok(JsValue::undefined())
}

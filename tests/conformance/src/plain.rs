//! The engine by itself, as its own users have it: none of the sandbox's checks in front of it.

use std::rc::Rc;

use anyhow::{Result, anyhow};
use boa_engine::{
    Context, JsArgs, JsError, JsResult, JsValue, NativeFunction, Source,
    builtins::promise::PromiseState,
    context::ContextBuilder,
    error::EngineError,
    gc::{Gc, GcRefCell},
    js_string,
    module::IdleModuleLoader,
    object::{ObjectInitializer, builtins::JsPromise},
    property::Attribute,
};

use crate::execution::{Ending, Execution};

/// Native stack for a program. The engine's own limits are met long before.
const STACK: usize = 256 * 1024 * 1024;

/// Runs a program on a thread of its own, which takes all that the engine keeps with it.
///
/// # Errors
/// When there is no thread to be had.
pub fn run(source: String) -> Result<Execution> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || evaluate(&source))?;
    match thread.join() {
        Ok(execution) => execution.map_err(|error| anyhow!("{error}")),
        Err(panic) => {
            let words = panic.downcast_ref::<String>().map(String::as_str);
            let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
            let words = format!("panicked: {}", words.unwrap_or("without a word"));
            Ok(Execution::ended(Ending::Crashed(words)))
        }
    }
}

/// What the program prints; shared with the function that it calls.
type Printed = Gc<GcRefCell<Vec<String>>>;

fn evaluate(source: &str) -> Result<Execution, String> {
    let printed = Printed::new(GcRefCell::default());
    let mut context = context(&printed).map_err(|error| error.to_string())?;
    let ended = script(source, &mut context);
    let ending = match ended {
        Ok(()) => Ending::Completed,
        Err(error) => ending(error, &mut context),
    };
    Ok(Execution { console: std::mem::take(&mut *printed.borrow_mut()), ending })
}

fn context(printed: &Printed) -> JsResult<Context> {
    let mut context = ContextBuilder::new()
        .module_loader(Rc::new(IdleModuleLoader))
        .can_block(false)
        .instructions_remaining(usize::MAX)
        .build()?;
    let log = NativeFunction::from_copy_closure_with_captures(
        |_, arguments, printed, context| {
            let text = arguments.get_or_undefined(0).to_string(context)?;
            printed.borrow_mut().push(text.to_std_string_lossy());
            Ok(JsValue::undefined())
        },
        printed.clone(),
    );
    let console = ObjectInitializer::new(&mut context).function(log, js_string!("log"), 1).build();
    let attribute = Attribute::WRITABLE | Attribute::CONFIGURABLE;
    context.register_global_property(js_string!("console"), console, attribute)?;
    Ok(context)
}

/// The script, then its jobs. A rejected promise as its value counts as thrown.
fn script(source: &str, context: &mut Context) -> JsResult<()> {
    let value = context.eval(Source::from_bytes(source))?;
    context.run_jobs()?;
    let promise = value.as_object().and_then(|object| JsPromise::from_object(object).ok());
    match promise.map(|promise| promise.state()) {
        Some(PromiseState::Rejected(reason)) => Err(JsError::from_opaque(reason)),
        _ => Ok(()),
    }
}

fn ending(error: JsError, context: &mut Context) -> Ending {
    match error.as_engine() {
        Some(EngineError::RuntimeLimit(limit)) => return Ending::Limit(limit.to_string()),
        Some(engine) => return Ending::Crashed(engine.to_string()),
        None => {}
    }
    let words = error.to_string();
    let Ok(thrown) = error.into_opaque(context) else {
        return Ending::Threw { name: "Uncaught".to_owned(), message: words };
    };
    let Some(object) = thrown.as_object() else {
        return Ending::Threw { name: "Uncaught".to_owned(), message: words };
    };
    let mut text = |key: &str| {
        let value = object.get(boa_engine::JsString::from(key), context).ok()?;
        Some(value.to_string(context).ok()?.to_std_string_lossy())
    };
    let message = text("message").unwrap_or_default();
    let constructor = object
        .get(js_string!("constructor"), context)
        .ok()
        .and_then(|value| value.as_object()?.get(js_string!("name"), context).ok())
        .and_then(|name| Some(name.as_string()?.to_std_string_lossy()));
    Ending::Threw { name: constructor.unwrap_or_else(|| "Uncaught".to_owned()), message }
}

//! Calls that are called off: ended at once, or as soon as it is known what they began.
//!
//! Border: calls the orchestrator; what a word can mean is decided in `quarry-doors`, for how long that is looked for in
//! `quarry-types`.

use quarry_doors::mcp::CallOff;
use quarry_rim::clock;
use quarry_types::word::Words;
use wit_bindgen::spawn;

use crate::bindings::quarry::agent::{ask, run};

/// Words that this instance keeps. No data of anybody's.
static WORDS: Words = Words::new();

/// Ends what was called with this key. The call may not be known yet: it came on another connection, or the store takes no
/// note of it.
pub async fn end(key: String, caller: run::Caller) {
    let call = CallOff::heard(clock::now());
    if has_ended(&key, &caller, call).await {
        return;
    }
    spawn(async move {
        let mut word = WORDS.heard();
        while let Some(pause) = word.next_look() {
            clock::sleep(pause).await;
            if has_ended(&key, &caller, call).await {
                break;
            }
        }
    });
}

/// Whether anything was ended. What has ended by itself is an earlier call of the same name, and not what is meant.
async fn has_ended(key: &str, caller: &run::Caller, word: CallOff) -> bool {
    match ask::find(key.to_owned()).await {
        Ok(Some(id)) if word.can_mean(&id) && is_under_way(&id).await => {
            ask::stop(id).await.is_ok()
        }
        _ => has_aborted(key, caller, word).await,
    }
}

/// One that is found and not described has not written anything yet.
async fn is_under_way(id: &str) -> bool {
    !matches!(ask::describe(id.to_owned()).await, Ok(ask::Known { has_ended: true, .. }))
}

/// The same of a run. Where there are no runs there is none.
async fn has_aborted(key: &str, caller: &run::Caller, word: CallOff) -> bool {
    let Ok(Some(id)) = run::find(key.to_owned(), caller.clone()).await else { return false };
    word.can_mean(&id)
        && !is_over(&id, caller).await
        && run::abort(id, caller.clone()).await.is_ok()
}

/// An abort of a run that was aborted is no error.
async fn is_over(id: &str, caller: &run::Caller) -> bool {
    let known = run::describe(id.to_owned(), caller.clone()).await;
    matches!(known, Ok(run::Known { status, .. }) if !matches!(status.as_str(), "queued" | "running"))
}

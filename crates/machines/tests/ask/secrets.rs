//! A secret that signs shows nowhere.

use crate::driver::{Driver, resume, with_iterations};
use crate::failures::failing;
use crate::replies::{programs, rate_limit, tools};
use quarry_machines::ask::AskParams;
use quarry_machines::core::{Input, Machine, Ticket};

const CANARY: &str = "canary-4f1d9c";

fn params() -> AskParams {
    AskParams { secret: Some(CANARY.to_owned()), ..with_iterations(2) }
}

#[test]
fn the_secret_is_in_no_event_checkpoint_state_or_print() {
    assert!(!format!("{:?}", params()).contains(CANARY));
    let mut driver = Driver::new(params(), (failing("final_synthesis", rate_limit()), tools));
    while !driver.ask.has_ended() {
        driver.step();
        for text in [
            serde_json::to_string(&driver.ask).unwrap(),
            format!("{:?} {:?}", driver.ask, driver.run),
            driver.ask.continuation().write(Some(CANARY)).0.to_string(),
        ] {
            assert!(!text.contains(CANARY));
        }
    }
    let run = driver.finish();
    let state = run.continuation.unwrap();
    assert!(state["signature"].is_string() && !state.to_string().contains(CANARY));
    assert!(run.events.iter().all(|event| !event.data.contains(CANARY)));
    let resumed = resume(params(), &state, (programs(2), tools));
    assert!(resumed.events.iter().all(|event| !event.data.contains(CANARY)));
}

#[test]
fn a_checkpoint_signs_again_once_it_is_given_the_secret() {
    let mut driver = Driver::new(params(), (programs(2), tools));
    driver.until("planning");
    let checkpoint = serde_json::to_string(&driver.ask).unwrap();
    let read = || serde_json::from_str::<quarry_machines::ask::Ask>(&checkpoint).unwrap();
    let now = driver.now;
    // The second call is under way, and is the second effect of this ask.
    let ticket = Ticket(2);
    let handed_out = |mut ask: quarry_machines::ask::Ask| {
        let limit = rate_limit();
        let reaction = ask.handle(Input::ModelDone { ticket, result: Err(limit) }, now);
        let last = reaction.events.last().unwrap();
        let shown: serde_json::Value = serde_json::from_str(&last.data).unwrap();
        shown["continuationState"].clone()
    };
    assert_eq!(handed_out(read()).get("signature"), None);
    let signed = handed_out(read().with_secret(Some(CANARY.to_owned())));
    assert!(signed["signature"].is_string());
}

//! A secret that signs shows nowhere.

use crate::driver::{Driver, resume, with_iterations};
use crate::failures::failing;
use crate::replies::{programs, rate_limit, tools};
use quarry_machines::ask::AskParams;
use quarry_machines::core::{Input, Machine};

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
    let unsigned = read().handle(Input::Stop, now).continuation.unwrap();
    assert_eq!(unsigned.get("signature"), None);
    let mut ask = read().with_secret(Some(CANARY.to_owned()));
    let signed = ask.handle(Input::Stop, now).continuation.unwrap();
    assert!(signed["signature"].is_string());
}

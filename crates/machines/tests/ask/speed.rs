//! Replays: the same inputs give the same bytes, and what the machine itself costs.

use crate::driver::{Driver, START, World, params, with_iterations};
use crate::replies::{calls, ordinary, programs, tools};
use quarry_events::Event;
use quarry_machines::ask::{Ask, AskConfig, AskParams};
use quarry_machines::core::{ContextProfile, Input, Machine};
use quarry_tools::{Errand, Found, Hit, Outcome, Page};
use quarry_types::Timestamp;
use std::time::Instant;

fn told(params: AskParams, world: impl World) -> (Vec<(Timestamp, Input)>, Vec<Event>) {
    let mut driver = Driver::new(params, world);
    while !driver.ask.has_ended() {
        driver.step();
    }
    (driver.told, driver.run.events)
}

fn replay(params: AskParams, told: Vec<(Timestamp, Input)>) -> Vec<Event> {
    let mut ask = Ask::new(params, START);
    told.into_iter().flat_map(|(now, input)| ask.handle(input, now).events).collect()
}

/// An ask that searches three times and reads fifty pages each time: large by any measure.
fn large() -> (AskParams, impl World) {
    let model = ordinary(|call| {
        let id = format!("c{}", call.iteration);
        calls(&[(&id, "search_web", r#"{"query":"x","limit":50,"load_content":true}"#)]).into()
    });
    let mut searches = 0;
    let pages = move |_: &Errand| {
        searches += 1;
        let hit = |n: u32| {
            let url = format!("https://{searches}-{n}.example/");
            let lines = (0..60).map(|line| {
                format!(
                    "In {} the keeper of lamp {n}, number {line}, wrote a line of his log.\n",
                    1_800 + line
                )
            });
            let page = Page { url: url.clone(), content: lines.collect(), ..Page::default() };
            Hit { url, page: Some(Ok(page)), ..Hit::default() }
        };
        let found = Found { results: (0..50).map(hit).collect(), ..Found::default() };
        (5, Outcome::Found(found))
    };
    let config = AskConfig { profile: ContextProfile::Roomy, ..AskConfig::default() };
    (params(config), (model, pages))
}

#[test]
fn a_replay_gives_the_same_bytes() {
    let (told_ordinary, shown) = told(with_iterations(2), (programs(2), tools));
    assert_eq!(replay(with_iterations(2), told_ordinary), shown);
    let (params, world) = large();
    let (told_large, shown) = told(params.clone(), world);
    assert_eq!(replay(params, told_large), shown);
}

#[expect(clippy::print_stdout, reason = "its figure is for people")]
fn measure(name: &str, params: &AskParams, told: &[(Timestamp, Input)]) {
    let rounds = 300;
    let inputs: Vec<_> = (0..rounds).map(|_| (params.clone(), told.to_vec())).collect();
    let began = Instant::now();
    let mut bytes = 0;
    for (params, told) in inputs {
        bytes += replay(params, told).iter().map(|event| event.data.len()).sum::<usize>();
    }
    let each = began.elapsed() / rounds;
    println!("{name}: {each:?} an ask, {} bytes of events", bytes / rounds as usize);
}

#[test]
#[ignore = "prints a figure and asserts none: run it in release with --ignored --nocapture"]
fn what_an_ordinary_ask_costs_the_machine() {
    let (told, _) = told(with_iterations(2), (programs(2), tools));
    measure("ordinary", &with_iterations(2), &told);
}

#[test]
#[ignore = "prints a figure and asserts none: run it in release with --ignored --nocapture"]
fn what_a_large_ask_costs_the_machine() {
    let (params, world) = large();
    let (told, _) = told(params.clone(), world);
    measure("large", &params, &told);
}

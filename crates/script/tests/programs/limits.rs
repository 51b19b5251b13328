//! Hostile programs end, by the limit that is meant for them.

use std::{rc::Rc, time::Duration};

use crate::common::{Ticking, js, js_within};
use proptest::prelude::*;
use quarry_script::{Environment, Limit, Realm, Value, limits};

#[track_caller]
fn ends_by(source: &str, limit: Limit) {
    ends_within(source, 1, limit);
}

#[track_caller]
#[expect(clippy::expect_used, reason = "a helper of tests")]
fn ends_within(source: &str, seconds: u64, limit: Limit) {
    let outcome = js_within(source, seconds);
    assert_eq!(outcome.limit, Some(limit), "{source}: {:?}", outcome.error);
    let error = outcome.error.expect("a limit is told in words");
    assert_eq!(error.name, "LimitError");
}

#[test]
fn a_loop_ends_at_the_first_look_at_the_clock_after_the_limit() {
    let clock = Rc::new(Ticking::default());
    let environment = Environment { clock: clock.clone(), ..crate::common::environment() };
    let outcome = crate::common::run("while (true) {}", 2, &environment);
    assert_eq!(outcome.limit, Some(Limit::Time));
    // One millisecond a look: the two looks around the run are all that is added.
    assert!(outcome.elapsed <= Duration::from_millis(2_002), "{:?}", outcome.elapsed);
}

#[test]
fn recursion_ends() {
    ends_by("const f = () => f(); f()", Limit::Recursion);
    ends_by("function f(n) { return 1 + f(n + 1) } f(0)", Limit::Recursion);
    let deep = "const sum = (n) => n === 0 ? 0 : n + sum(n - 1); sum(5000)";
    assert_eq!(crate::common::value(deep), Value::Json("12502500".into()));
}

#[test]
fn output_is_cut_and_ends_the_program() {
    let outcome = js("while (true) console.log('x'.repeat(1000))");
    assert_eq!(outcome.limit, Some(Limit::Output));
    let bytes: usize =
        outcome.console.iter().map(|line| line.text.len() + limits::LINE_OVERHEAD).sum();
    assert!(bytes <= limits::OUTPUT && bytes > limits::OUTPUT - 100, "{bytes}");
    // Each line looks at the clock, which ticks at each look.
    ends_within("for (;;) console.log()", 100, Limit::Output);
    ends_by("console.log('é'.repeat(200_000))", Limit::Output);
    ends_by("console.log(Array(99).fill('x'.repeat(9999)))", Limit::Output);
    // A program cannot catch its end.
    let outcome = js("try { console.log('x'.repeat(1e6)) } catch {} console.log('after')");
    assert_eq!(outcome.console.len(), 1);
}

#[test]
fn a_long_value_is_cut() {
    let outcome = js("'y'.repeat(1e6)");
    assert_eq!(outcome.limit, Some(Limit::Output));
    let Value::Text(text) = outcome.value else { panic!("a cut value is text") };
    assert!(text.len() <= limits::OUTPUT && text.len() > 200_000, "{}", text.len());
    ends_by("let d = 1; for (let i = 0; i < 60; i++) d = [d, d]; d", Limit::Output);
}

#[test]
fn a_long_source_is_not_run() {
    let outcome = js(&format!("console.log(1);{}", " ".repeat(limits::SOURCE)));
    assert_eq!((outcome.limit, outcome.console.len()), (Some(Limit::Source), 0));
    assert_eq!(js(&" ".repeat(limits::SOURCE)).limit, None);
}

#[test]
fn a_program_stopped_from_outside_is_told_as_one_that_met_the_limit() {
    let mut realm = Realm::new(&crate::common::environment()).expect("a realm");
    let outcome = realm.cut_short(Limit::Memory);
    assert_eq!(outcome.limit, Some(Limit::Memory));
    assert!(outcome.error.is_some_and(|error| error.message.contains("64 MiB")));
}

/// What a program is made of, so that more than a few strings parse.
fn fragments() -> impl Strategy<Value = String> {
    const WORDS: &str = r"( ) { } [ ] => ... a b = 1 0n 'x' ` ${ / /g ; , . ?. function class async await yield *
        ** new throw return for of in let const if else try catch switch case : console.log this
        get static #p import super delete typeof Map Symbol Proxy with \u{1F600} - ++";
    let words: Vec<&str> = WORDS.split_whitespace().chain(["\n"]).collect();
    let words = prop::sample::select(words);
    prop::collection::vec(words, 0..24).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_short_source_panics(source in prop_oneof![".{0,60}", fragments()]) {
        let outcome = js(&source);
        prop_assert!(outcome.limit.is_none() || outcome.error.is_some());
    }
}

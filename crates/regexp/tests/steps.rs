//! Patterns that make a backtracking engine take exponential or quadratic time: the steps grow
//! with the text alone. Steps are counted, time is not.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use quarry_regexp::{Input, Regexp, Way};

fn compile(pattern: &str, flags: &str) -> Regexp {
    let pattern: Vec<u16> = pattern.encode_utf16().collect();
    Regexp::new(&pattern, flags.parse().unwrap()).unwrap()
}

/// The match, and the steps for each unit of the text.
fn steps(pattern: &str, text: &str, way: Way) -> (Option<std::ops::Range<usize>>, f64) {
    let units: Vec<u16> = text.encode_utf16().collect();
    let (found, steps) = compile(pattern, "").find_by(way, Input::Utf16(&units), 0, false);
    (found.and_then(|found| found.get(0)), steps as f64 / (units.len() + 300) as f64)
}

fn check(pattern: &str, text: &str, found: Option<std::ops::Range<usize>>, most: f64) {
    for way in [Way::Usual, Way::Memo] {
        let (range, steps) = steps(pattern, text, way);
        assert_eq!(range, found, "{pattern} {way:?}");
        assert!(steps <= most, "{pattern} {way:?}: {steps} steps for each unit, at most {most}");
    }
}

#[test]
fn nested_repetitions_that_fail() {
    for length in [30, 1_000, 50_000] {
        let text = "a".repeat(length) + "!";
        for pattern in ["(a+)+$", "(a|a)*b", "(a*)*b", "(.*)*x", "(a|aa)+$", "(?:a?a?)*b"] {
            check(pattern, &text, None, 45.0);
        }
        for pattern in ["(?:(?:a*)*)*b", "(a*?)*?b", "(?:a+?)+?$", "([a-z]+)*=", "(?:a|ab)*c"] {
            check(pattern, &text, None, 45.0);
        }
    }
}

#[test]
fn an_email_check_that_is_known_for_it() {
    let text = "a".repeat(100_000) + "!";
    let pattern = r"^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$";
    check(pattern, &text, None, 60.0);
    check("^(([a-z])+.)+[A-Z]([a-z])+$", &text, None, 60.0);
}

#[test]
fn several_runs_in_a_row() {
    let text = "x".repeat(50_000);
    check("(x+x+)+y", &text, None, 60.0);
    check(".*.*.*=.*", &text, None, 60.0);
    check(".*?.*?.*?=.*?", &text, None, 60.0);
    check("x*x*x*x*x*y", &text, None, 80.0);
}

#[test]
fn optional_copies() {
    for (optional, length) in [(30, 30), (200, 200)] {
        let pattern = format!("(a?){{{optional}}}a{{{optional}}}");
        let text = "a".repeat(length);
        check(&pattern, &text, Some(0..length), 8.0 * f64::from(optional));
    }
}

#[test]
fn blanks_before_no_end() {
    let text = " ".repeat(200_000) + "x";
    check(r"\s+$", &text, None, 45.0);
    check(r"\s*$", &text, Some(200_001..200_001), 45.0);
    check(r"\s*,\s*;", &text, None, 45.0);
    check(r"^\s+|\s+$", &text, Some(0..200_000), 45.0);
}

#[test]
fn where_memory_is_short_threads_take_over() {
    // The marks for this text would be larger than the memo may be.
    let text = "a".repeat(200_000);
    check("(?:a|aa)*!|z(?:q*r*){200}", &text, None, 60.0);
    // And this needs more frames than the stack may have.
    let text = "ab".repeat(100_000);
    check("^(?:(a)|(b))*$", &text, Some(0..200_000), 60.0);
}

#[test]
fn a_long_text_takes_no_native_stack() {
    let text = "a".repeat(300_000);
    let run = move || check("((((a)|b)|c)|d)*", &text, Some(0..300_000), 100.0);
    std::thread::Builder::new().stack_size(128 << 10).spawn(run).unwrap().join().unwrap();
}

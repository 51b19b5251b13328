//! Whether a run of a test passes.

use serde::{Deserialize, Serialize};

use crate::execution::{Ending, Execution};
use crate::metadata::{Flag, Metadata, Phase};
use crate::program::{BEGUN, ENDED, Mode};

const DONE: &str = "Test262:AsyncTestComplete";
const FAILED: &str = "Test262:AsyncTestFailure:";

/// What became of a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// It passes.
    Pass,
    /// It went otherwise than the language says.
    Wrong(String),
    /// A limit ended it.
    Limit(String),
    /// The engine failed, or went away.
    Crashed(String),
}

impl Verdict {
    /// Whether it passes.
    #[must_use]
    pub fn passes(&self) -> bool {
        *self == Self::Pass
    }
}

/// Judges one run.
#[must_use]
pub fn judge(metadata: &Metadata, mode: Mode, run: &Execution) -> Verdict {
    match &run.ending {
        Ending::Limit(limit) => return Verdict::Limit(limit.clone()),
        Ending::Crashed(how) => return Verdict::Crashed(how.clone()),
        Ending::Completed | Ending::Threw { .. } => {}
    }
    let printed = |line: &str| run.console.iter().any(|text| text == line);
    let Some(negative) = &metadata.negative else { return positive(metadata, mode, run) };
    let Ending::Threw { name, message } = &run.ending else {
        return Verdict::Wrong(format!("no {} was thrown", negative.error));
    };
    if !is_named(&negative.error, name, message) {
        return Verdict::Wrong(format!("{name}: {message} instead of {}", negative.error));
    }
    if negative.phase == Phase::Runtime && mode != Mode::Raw && !printed(BEGUN) {
        return Verdict::Wrong(format!("{name} already while parsing: {message}"));
    }
    Verdict::Pass
}

fn positive(metadata: &Metadata, mode: Mode, run: &Execution) -> Verdict {
    let ended = match (mode, &run.ending) {
        (Mode::Raw, Ending::Completed) => true,
        (Mode::Raw, _) => false,
        _ => run.console.iter().any(|line| line == ENDED),
    };
    if !ended {
        return Verdict::Wrong(match &run.ending {
            Ending::Threw { name, message } => format!("{name}: {message}"),
            _ => "the program did not come to its end".to_owned(),
        });
    }
    if !metadata.has(Flag::Async) {
        return Verdict::Pass;
    }
    if let Some(failure) = run.console.iter().find(|line| line.starts_with(FAILED)) {
        return Verdict::Wrong(failure.clone());
    }
    if run.console.iter().any(|line| line == DONE) {
        return Verdict::Pass;
    }
    Verdict::Wrong(format!("{DONE} was not printed"))
}

/// The suite's own error is no error object of the language, so it comes as a value in words.
fn is_named(expected: &str, name: &str, message: &str) -> bool {
    name == expected || (name == "Uncaught" && message.starts_with(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata(front: &str) -> Metadata {
        Metadata::parse(&format!("/*---\n{front}\n---*/")).unwrap()
    }

    fn run(console: &[&str], ending: Ending) -> Execution {
        Execution { console: console.iter().map(|&line| line.to_owned()).collect(), ending }
    }

    fn threw(name: &str, message: &str) -> Ending {
        Ending::Threw { name: name.to_owned(), message: message.to_owned() }
    }

    #[test]
    fn a_rejection_that_nobody_handles_is_no_failure() {
        let run = run(&[ENDED], threw("Error", "late"));
        assert_eq!(judge(&metadata(""), Mode::Sloppy, &run), Verdict::Pass);
    }

    #[test]
    fn an_error_before_the_end_is_one() {
        let run = run(&[], threw("Error", "early"));
        let verdict = judge(&metadata(""), Mode::Sloppy, &run);
        assert_eq!(verdict, Verdict::Wrong("Error: early".to_owned()));
    }

    #[test]
    fn an_async_test_has_to_say_that_it_is_done() {
        let metadata = metadata("flags: [async]");
        let judge = |console: &[&str]| {
            judge(&metadata, Mode::Strict, &run(console, Ending::Completed)).passes()
        };
        assert!(judge(&[ENDED, DONE]));
        assert!(!judge(&[ENDED]));
        assert!(!judge(&[DONE]));
        assert!(!judge(&[ENDED, "Test262:AsyncTestFailure: x", DONE]));
    }

    #[test]
    fn a_negative_test_needs_its_error_in_its_phase() {
        let runtime = metadata("negative:\n  phase: runtime\n  type: Test262Error");
        let error = || threw("Uncaught", "Test262Error { message: '' }");
        assert!(judge(&runtime, Mode::Sloppy, &run(&[BEGUN], error())).passes());
        assert!(!judge(&runtime, Mode::Sloppy, &run(&[], error())).passes());
        let other = run(&[BEGUN], threw("TypeError", ""));
        assert!(!judge(&runtime, Mode::Sloppy, &other).passes());
        let parse = metadata("negative:\n  phase: parse\n  type: SyntaxError");
        assert!(!judge(&parse, Mode::Sloppy, &run(&[], Ending::Completed)).passes());
        assert!(judge(&parse, Mode::Sloppy, &run(&[], threw("SyntaxError", ""))).passes());
    }

    #[test]
    fn limits_and_crashes_are_told_apart() {
        let limit = run(&[ENDED], Ending::Limit("time".to_owned()));
        let verdict = judge(&metadata(""), Mode::Sloppy, &limit);
        assert_eq!(verdict, Verdict::Limit("time".to_owned()));
        let crash = run(&[], Ending::Crashed("gone".to_owned()));
        assert!(matches!(judge(&metadata(""), Mode::Raw, &crash), Verdict::Crashed(_)));
    }
}

//! Composes the program that an engine gets: harness, test, and marks by which it is seen how far
//! it came.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};

use crate::metadata::{Flag, Metadata, Phase};
use crate::suite::Test;

/// Printed when a program that has to end well has ended. Without it, a rejection that nobody
/// handles could not be told from an error: the sandbox reports both, the suite minds only one.
pub const ENDED: &str = "quarry-conformance: ended";

/// Printed before the test of a program that has to throw while it runs: what fails earlier was
/// not even parsed.
pub const BEGUN: &str = "quarry-conformance: begun";

const PRINT: &str = "function print(text) { console.log(text); }\n";

/// What can be offered of the host object without a host. A transfer detaches a buffer.
const HOST: &str = "var $262 = { global: globalThis, detachArrayBuffer(buffer) { \
                    if (!('transfer' in buffer)) throw new Error('no ArrayBuffer transfer'); \
                    buffer.transfer(); return null; } };\n";

/// How one test is run once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// As a sloppy script.
    Sloppy,
    /// As a strict script.
    Strict,
    /// As it is.
    Raw,
}

impl Mode {
    /// All modes in which a test has to pass.
    #[must_use]
    pub fn of(metadata: &Metadata) -> &'static [Mode] {
        if metadata.has(Flag::Raw) {
            &[Mode::Raw]
        } else if metadata.has(Flag::OnlyStrict) {
            &[Mode::Strict]
        } else if metadata.has(Flag::NoStrict) {
            &[Mode::Sloppy]
        } else {
            &[Mode::Sloppy, Mode::Strict]
        }
    }

    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sloppy => "sloppy",
            Self::Strict => "strict",
            Self::Raw => "raw",
        }
    }
}

/// The program for a test in a mode.
///
/// # Errors
/// When the harness lacks a file that the test includes.
pub fn compose(test: &Test, mode: Mode, harness: &BTreeMap<String, String>) -> Result<String> {
    if mode == Mode::Raw {
        return Ok(test.source.clone());
    }
    let mut names = vec!["assert.js", "sta.js"];
    if test.metadata.has(Flag::Async) {
        names.push("doneprintHandle.js");
    }
    names.extend(test.metadata.includes.iter().map(String::as_str));
    let mut files = String::new();
    for name in names {
        let file = harness.get(name);
        files += file.with_context(|| format!("{}: there is no harness/{name}", test.path))?;
        files.push('\n');
    }
    let mut program = String::with_capacity(files.len() + test.source.len() + 512);
    if mode == Mode::Strict {
        program += "\"use strict\";\n";
    }
    let mentions = |name: &str| files.contains(name) || test.source.contains(name);
    if mentions("print") {
        program += PRINT;
    }
    if mentions("$262") {
        program += HOST;
    }
    program += &files;
    match test.metadata.negative.as_ref().map(|negative| negative.phase) {
        None => {
            program += &test.source;
            program += &format!("\n;console.log(\"{ENDED}\");\n");
        }
        Some(Phase::Runtime) => {
            program += &format!("console.log(\"{BEGUN}\");\n");
            program += &test.source;
        }
        Some(Phase::Parse | Phase::Resolution) => program += &test.source,
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(front: &str, body: &str) -> Test {
        let source = format!("/*---\n{front}\n---*/\n{body}");
        let metadata = Metadata::parse(&source).unwrap();
        Test { path: "test/x.js".to_owned(), source, metadata }
    }

    fn harness() -> BTreeMap<String, String> {
        let files = [
            ("assert.js", "function assert() {}"),
            ("sta.js", "function Test262Error() {}"),
            ("doneprintHandle.js", "function $DONE() { print(1); }"),
            ("more.js", "var more;"),
        ];
        files.map(|(name, text)| (name.to_owned(), text.to_owned())).into()
    }

    #[test]
    fn a_test_is_run_in_both_modes_unless_it_says_otherwise() {
        let modes = |front: &str| Mode::of(&test(front, "").metadata);
        assert_eq!(modes("flags: []"), [Mode::Sloppy, Mode::Strict]);
        assert_eq!(modes("flags: [noStrict]"), [Mode::Sloppy]);
        assert_eq!(modes("flags: [onlyStrict]"), [Mode::Strict]);
        assert_eq!(modes("flags: [raw]"), [Mode::Raw]);
    }

    #[test]
    fn harness_comes_first_and_the_mark_last() {
        let test = test("flags: [async]\nincludes: [more.js]", "body();");
        let program = compose(&test, Mode::Strict, &harness()).unwrap();
        let at = |part: &str| program.find(part).unwrap_or_else(|| panic!("{part}: {program}"));
        assert!(program.starts_with("\"use strict\";"));
        let order =
            ["function print", "assert()", "Test262Error", "$DONE", "var more", "body();", ENDED];
        assert!(order.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{program}");
        assert!(!program.contains("$262"));
    }

    #[test]
    fn a_raw_test_is_left_alone() {
        let test = test("flags: [raw]", "1;");
        assert_eq!(compose(&test, Mode::Raw, &harness()).unwrap(), test.source);
    }

    #[test]
    fn negative_tests_are_marked_by_phase() {
        let front = "negative:\n  phase: runtime\n  type: TypeError";
        let program = compose(&test(front, "null.x"), Mode::Sloppy, &harness()).unwrap();
        assert!(program.find(BEGUN).unwrap() < program.find("null.x").unwrap());
        let front = "negative:\n  phase: parse\n  type: SyntaxError";
        let program = compose(&test(front, "x x"), Mode::Sloppy, &harness()).unwrap();
        assert!(program.ends_with("x x"));
    }

    #[test]
    fn a_missing_include_is_named() {
        let error = compose(&test("includes: [no.js]", ""), Mode::Sloppy, &harness()).unwrap_err();
        assert!(error.to_string().contains("harness/no.js"));
    }
}

//! What is thrown and not caught, with its place in the source.

use crate::common::js;
use quarry_script::ScriptError;

#[track_caller]
#[expect(clippy::expect_used, reason = "a helper of tests")]
fn fails(source: &str) -> ScriptError {
    let outcome = js(source);
    assert_eq!(outcome.limit, None, "{source}");
    outcome.error.expect("the program must fail")
}

#[track_caller]
fn check(source: &str, name: &str, message: &str, line: u32, column: u32) {
    let error = fails(source);
    let expected = ScriptError {
        name: name.into(),
        message: message.into(),
        line: Some(line),
        column: Some(column),
    };
    assert_eq!(error, expected, "{source}");
}

#[test]
fn thrown_errors_have_their_place() {
    check("const f = () => 1;\n  missing; f()", "ReferenceError", "missing is not defined", 2, 3);
    check("const f = () => {\n  throw new RangeError('far');\n};\nf()", "RangeError", "far", 2, 9);
    check(
        "class Mine extends Error { get name() { return 'x' } }\nthrow new Mine('m')",
        "Error",
        "m",
        2,
        7,
    );
    check("const e = new Error('m'); e.name = 'Custom'; throw e", "Custom", "m", 1, 11);
}

#[test]
fn errors_of_built_ins_have_the_place_of_the_call() {
    let error = fails("let x;\n\nx.length");
    assert_eq!((error.name.as_str(), error.line), ("TypeError", Some(3)));
    let error = fails("\n'x'.repeat(1e12)");
    assert_eq!(
        (error.name.as_str(), error.message.as_str(), error.line),
        ("RangeError", "Invalid string length", Some(2))
    );
    let error = fails("\n\nnew ArrayBuffer(2 ** 31)");
    assert_eq!((error.name.as_str(), error.line), ("RangeError", Some(3)));
}

#[test]
fn syntax_errors_have_their_place() {
    let error = fails("let a = 1;\nlet = = 2");
    assert_eq!((error.name.as_str(), error.line), ("SyntaxError", Some(2)));
    assert!(error.column.is_some());
    assert!(!error.message.contains(" at line "), "{}", error.message);
    assert_eq!(fails("(").name, "SyntaxError");
    assert_eq!(fails("\"").name, "SyntaxError");
}

#[test]
fn anything_can_be_thrown() {
    let error = fails("\nthrow 'plain'");
    assert_eq!(
        (error.name.as_str(), error.message.as_str(), error.line),
        ("Uncaught", "'plain'", Some(2))
    );
    assert_eq!(fails("throw { code: 7 }").message, "{ code: 7 }");
    assert_eq!(fails("throw undefined").message, "undefined");
}

#[test]
fn rejections_are_errors() {
    let error = fails("(async () => {\n  await null;\n  throw new TypeError('late')\n})()");
    assert_eq!(
        (error.name.as_str(), error.message.as_str(), error.line),
        ("TypeError", "late", Some(3))
    );
    assert_eq!(fails("Promise.reject(new Error('lost')); 1").message, "lost");
    assert_eq!(js("Promise.reject(1).catch(() => {}); 1").error, None);
    assert_eq!(
        js("const p = Promise.reject(1); Promise.resolve().then(() => p.catch(() => {})); 1").error,
        None
    );
}

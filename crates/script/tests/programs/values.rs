//! The value of the last expression, the console's formats, promises, what is not there.

use crate::common::{js, value};
use quarry_script::{ConsoleLevel, Value};

#[track_caller]
fn json(source: &str, expected: &str) {
    assert_eq!(value(source), Value::Json(expected.into()), "{source}");
}

#[track_caller]
fn text(source: &str, expected: &str) {
    assert_eq!(value(source), Value::Text(expected.into()), "{source}");
}

#[test]
fn values_with_a_json_form() {
    json("1 + 1", "2");
    json("'a\\n\"b\"\\u0001é😀'", r#""a\n\"b\"\u0001é😀""#);
    json("null", "null");
    json("[1, [true, 'x'], {}]", r#"[1,[true,"x"],{}]"#);
    json("({ b: 1, a: { c: [] }, 2: 'x', 1: 'y' })", r#"{"1":"y","2":"x","b":1,"a":{"c":[]}}"#);
    json("JSON.parse('{\"a\": [1, 2.5e3]}')", r#"{"a":[1,2500]}"#);
    json("Object.assign(Object.create(null), { a: 1 })", r#"{"a":1}"#);
    json("[3, 1, 2].sort((a, b) => b - a).map((n) => n * 2)", "[6,4,2]");
    json("if (true) { 7 } else { 8 }", "7");
}

#[test]
fn no_value() {
    assert_eq!(value(""), Value::None);
    assert_eq!(value("undefined"), Value::None);
    assert_eq!(value("const x = 1;"), Value::None);
}

#[test]
fn values_without_a_json_form() {
    text("10n ** 20n", "100000000000000000000n");
    text("({ mean: NaN, n: undefined })", "{ mean: NaN, n: undefined }");
    text("[1, , 3]", "[ 1, <1 empty item>, 3 ]");
    text("new Date(0)", "1970-01-01T00:00:00.000Z");
    text("Object.assign([1], { a: 1 })", "[ 1, a: 1 ]");
    text("({ get a() { throw 1 } })", "{ a: [Getter] }");
    text("[Promise.resolve(1), new Promise(() => {})]", "[ Promise { 1 }, Promise { <pending> } ]");
}

#[test]
fn console_lines_have_their_level() {
    let outcome = js("console.log('a', 1); console.info(); console.warn('%d%%', 1.5);
        console.error(new TypeError('bad')); console.debug(null); console.assert(1 === 2, 'no')");
    let lines: Vec<_> =
        outcome.console.iter().map(|line| (line.level, line.text.as_str())).collect();
    use ConsoleLevel::{Debug, Error, Info, Log, Warn};
    assert_eq!(lines[..3], [(Log, "a 1"), (Info, ""), (Warn, "1.5%")]);
    let place = "TypeError: bad\n    at <main> (program.js:2:";
    assert!(lines[3].0 == Error && lines[3].1.starts_with(place), "{:?}", lines[3]);
    assert_eq!(lines[4..], [(Debug, "null"), (Error, "Assertion failed: no")]);
}

#[test]
fn dates_come_from_the_clock_given() {
    json("new Date().toISOString()", r#""2026-02-03T04:05:06.789Z""#);
    json("new Date(2024, 1, 29).getTimezoneOffset()", "0");
    json("Date.UTC(2024, 1, 29)", "1709164800000");
}

#[test]
fn nothing_of_the_host_is_there() {
    for name in
        ["setTimeout", "fetch", "require", "process", "Deno", "WebAssembly", "XMLHttpRequest"]
    {
        let outcome = js(&format!("{name}('x')"));
        let error = outcome.error.expect(name);
        assert_eq!(
            (error.name.as_str(), error.line, error.column),
            ("ReferenceError", Some(1), Some(1)),
            "{name}"
        );
        assert!(error.message.contains(name), "{}", error.message);
    }
    assert_eq!(js("import fs from 'fs'").error.expect("no modules").name, "SyntaxError");
    assert_eq!(js("import('fs')").error.expect("no modules").name, "TypeError");
}

#[test]
fn the_top_level_awaits_and_returns() {
    json("const x = await 20;\nx * 2 + await 2", "42");
    json("let sum = 0; for await (const x of [1, Promise.resolve(2)]) sum += x; sum", "3");
    json("if (true) return { a: 1 }; 2", r#"{"a":1}"#);
    assert_eq!(value("await 1; if (false) 2"), Value::None);
    for (source, message, line, column) in [
        ("await 1;\n  missing.x", "missing is not defined", Some(2), Some(3)),
        ("await 1; throw new Error('no')", "no", Some(1), Some(16)),
    ] {
        let error = js(source).error.expect("an error");
        assert_eq!((error.message.as_str(), error.line, error.column), (message, line, column));
    }
    let error = js("await new Promise(() => {})").error.expect("an error");
    assert!(error.message.contains("nothing settles"), "{}", error.message);
}

#[test]
fn strings_are_repeated_as_ever() {
    let source = "['ab'.repeat(3), 'é€'.repeat(2), 'x'.repeat(0), ''.repeat(2 ** 30), 'ab'.repeat(1.9),
        [-1, Infinity, 2 ** 30].map((n) => { try { return 'x'.repeat(n) } catch (e) { return e.name } })].flat()";
    let expected = r#"["ababab","é€é€","","","ab","RangeError","RangeError","RangeError"]"#;
    assert_eq!(crate::common::value(source), Value::Json(expected.into()));
}

//! The value of the last expression, the console's formats, promises, what is not there.

mod common;

use common::{js, printed, value};
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
    json("0.1 + 0.2", "0.30000000000000004");
    json("'a\\n\"b\"\\u0001é😀'", r#""a\n\"b\"\u0001é😀""#);
    json("null", "null");
    json("[1, [true, 'x'], {}]", r#"[1,[true,"x"],{}]"#);
    json("({ b: 1, a: { c: [] }, 2: 'x', 1: 'y' })", r#"{"1":"y","2":"x","b":1,"a":{"c":[]}}"#);
    json("const x = 3; let y = 4; x * y", "12");
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
    text("NaN", "NaN");
    text("10n ** 20n", "100000000000000000000n");
    text("Symbol('s')", "Symbol(s)");
    text("({ mean: NaN, n: undefined })", "{ mean: NaN, n: undefined }");
    text("[1, , 3]", "[ 1, <1 empty item>, 3 ]");
    text("Array(4294967295)", "[ <4294967295 empty items> ]");
    text("new Map([['a', 1], [{ b: 2 }, [3]]])", "Map(2) { 'a' => 1, { b: 2 } => [ 3 ] }");
    text("new Set('abca')", "Set(3) { 'a', 'b', 'c' }");
    text("new Date(0)", "1970-01-01T00:00:00.000Z");
    text("new Date(NaN)", "Invalid Date");
    text("/a+b/gi", "/a+b/gi");
    text(
        "class Point { constructor() { this.x = 1; this.label = 'p' } }; new Point()",
        "Point { x: 1, label: 'p' }",
    );
    text("(class A {})", "[class A]");
    text("(function f() {})", "[Function: f]");
    text("(() => 1)", "[Function (anonymous)]");
    text("new Float64Array([1.5, 2])", "Float64Array(2) [ 1.5, 2 ]");
    text("new ArrayBuffer(2)", "ArrayBuffer { [Uint8Contents]: <00 00>, byteLength: 2 }");
    text(
        "[new String('s'), new Number(2), new Boolean(false)]",
        "[ [String: 's'], [Number: 2], [Boolean: false] ]",
    );
    text("const o = { name: 'o' }; o.self = o; o", "<ref *1> { name: 'o', self: [Circular *1] }");
    text("({ get a() { throw 1 }, set b(v) {} })", "{ a: [Getter], b: [Setter] }");
    text("new Proxy({ a: 1n }, { ownKeys() { throw 1 } })", "{ a: 1n }");
    text("({ 'a-b': 1n, [Symbol.iterator]: 0 })", "{ 'a-b': 1n, [Symbol(Symbol.iterator)]: 0 }");
    text(
        "let d = undefined; for (let i = 0; i < 7; i++) d = { d }; d",
        "{ d: { d: { d: [Object] } } }",
    );
}

#[test]
fn long_groups_break_into_lines() {
    let shown = printed("console.log(Array.from({ length: 120 }, (_, i) => i))");
    assert!(shown.ends_with("... 20 more items\n]"), "{shown}");
    assert!(shown.lines().all(|line| line.len() <= 76), "{shown}");
    let shown = printed("console.log({ first: 'x'.repeat(40), second: 'y'.repeat(40) })");
    assert_eq!(shown.lines().count(), 4, "{shown}");
}

#[test]
fn console_levels_and_formats() {
    let outcome = js(
        "console.log('a', 1, 'b', [1, 'c']); console.info(); console.warn('%s is %d%% of %i, %o', 'x', 1.5, 2.9, { a: 1 }, 'rest');
         console.error(new TypeError('bad')); console.debug(null, undefined); console.assert(1 === 2, 'no'); console.assert(true)",
    );
    assert_eq!(outcome.error, None);
    let lines: Vec<_> =
        outcome.console.iter().map(|line| (line.level, line.text.as_str())).collect();
    assert_eq!(lines[0], (ConsoleLevel::Log, "a 1 b [ 1, 'c' ]"));
    assert_eq!(lines[1], (ConsoleLevel::Info, ""));
    assert_eq!(lines[2], (ConsoleLevel::Warn, "x is 1.5% of 2, { a: 1 } rest"));
    assert_eq!(lines[3].0, ConsoleLevel::Error);
    assert!(
        lines[3].1.starts_with("TypeError: bad\n    at <main> (program.js:2:"),
        "{}",
        lines[3].1
    );
    assert_eq!(lines[4], (ConsoleLevel::Debug, "null undefined"));
    assert_eq!(lines[5], (ConsoleLevel::Error, "Assertion failed: no"));
    assert_eq!(lines.len(), 6);
}

#[test]
fn promises_run_to_their_end_in_order() {
    let source =
        "console.log(1); Promise.resolve().then(() => console.log(3)); queue(); console.log(2);
        async function queue() { await null; console.log(4); await null; console.log(5) }";
    assert_eq!(printed(source), "1\n2\n3\n4\n5");
    json(
        "(async () => { const x = await Promise.all([1, Promise.resolve(2)]); return x })()",
        "[1,2]",
    );
    text("new Promise(() => {})", "Promise { <pending> }");
    text("[Promise.resolve(1)]", "[ Promise { 1 } ]");
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
fn realms_share_nothing() {
    assert_eq!(js("globalThis.leak = 1; Array.prototype.leak = 1; Object.leak = 1").error, None);
    json(
        "[typeof leak, [].leak === undefined, Object.leak === undefined]",
        r#"["undefined",true,true]"#,
    );
}

#[test]
fn the_top_level_awaits_and_returns() {
    assert_eq!(common::value("const x = await 20;\nx * 2 + await 2"), Value::Json("42".into()));
    assert_eq!(
        common::value("let sum = 0; for await (const x of [1, Promise.resolve(2)]) sum += x; sum"),
        Value::Json("3".into())
    );
    assert_eq!(common::value("if (true) return { a: 1 }; 2"), Value::Json("{\"a\":1}".into()));
    assert_eq!(
        common::value("await Promise.all([1, (async () => 2)()])"),
        Value::Json("[1,2]".into())
    );
    assert_eq!(common::value("await 1; if (false) 2"), Value::None);
    let error = common::js("await 1;\n  missing.x").error.expect("an error");
    assert_eq!(
        (error.name.as_str(), error.line, error.column),
        ("ReferenceError", Some(2), Some(3))
    );
    let error = common::js("await 1; throw new Error('no')").error.expect("an error");
    assert_eq!((error.line, error.column), (Some(1), Some(16)));
    let error = common::js("await new Promise(() => {})").error.expect("an error");
    assert!(error.message.contains("nothing settles"), "{}", error.message);
}

#[test]
fn strings_are_repeated_as_ever() {
    let source = "['ab'.repeat(3), 'é€'.repeat(2), 'x'.repeat(0), ''.repeat(2 ** 30), 'ab'.repeat(1.9),
        [-1, Infinity, 2 ** 30].map((n) => { try { return 'x'.repeat(n) } catch (e) { return e.name } })].flat()";
    let expected = r#"["ababab","é€é€","","","ab","RangeError","RangeError","RangeError"]"#;
    assert_eq!(common::value(source), Value::Json(expected.into()));
}

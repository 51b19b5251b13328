//! How values look: each expression of `inspect/values.txt` as Node 20 prints it.

mod common;

use common::{js, js_within, printed};
use quarry_script::Limit;

/// What some expressions call.
const PRELUDE: &str = "function cyc(v) { const o = { v }; o.self = o; o.list = [o, v]; return o }";

/// Lines that begin with `>>> ` hold an expression; what `console.log` prints of it follows.
const VALUES: &str = include_str!("inspect/values.txt");

#[test]
fn values_look_as_node_shows_them() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    for case in format!("\n{VALUES}").split("\n>>> ").skip(1) {
        let (expression, expected) = case.split_once('\n').expect("an output");
        let expected = expected.strip_suffix('\n').unwrap_or(expected);
        let shown = printed(&format!("{PRELUDE}\nconsole.log({expression})"));
        if shown != expected {
            wrong.push(format!("{expression}\nexpected:\n{expected}\nshown:\n{shown}"));
        }
        seen += 1;
    }
    assert!(seen > 120, "{seen}");
    assert!(wrong.is_empty(), "{} of {seen} differ:\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn errors_have_their_stack_lines_wherever_they_are() {
    let shown = printed("console.log({ a: [new RangeError('far')] })");
    let expected = "{
  a: [
    RangeError: far
        at <main> (program.js:1:19)
  ]
}";
    assert_eq!(shown, expected);
    let shown = printed(
        "console.log(Object.assign(new Error('one', { cause: new TypeError('two') }), { code: 'X' }))",
    );
    let expected = "Error: one
    at <main> (program.js:1:27) {
  code: 'X',
  [cause]: TypeError: two
      at <main> (program.js:1:53)
}";
    assert_eq!(shown, expected);
    let shown = printed("console.log(new AggregateError([new Error('a')], 'many'))");
    let expected = "AggregateError: many
    at <main> (program.js:1:13) {
  [errors]: [
    Error: a
        at <main> (program.js:1:33)
  ]
}";
    assert_eq!(shown, expected);
    let shown =
        printed("class NotFoundError extends Error {}; console.log(new NotFoundError('x'))");
    assert!(shown.starts_with("NotFoundError: x\n    at "), "{shown}");
    let shown = printed("class Missing extends Error {}; console.log(new Missing('x'))");
    assert!(shown.starts_with("Missing [Error]: x\n    at "), "{shown}");
}

#[test]
fn no_code_of_the_program_runs() {
    let shown = printed(
        "const no = () => { throw new Error('ran') };
         const traps = new Proxy({}, { get: () => no });
         const evil = {
           get a() { no() }, toString: no, valueOf: no, toJSON: no, inspect: no, then: no,
           [Symbol.toPrimitive]: no, [Symbol.iterator]: no, [Symbol.for('nodejs.util.inspect.custom')]: no,
         };
         class Evil extends Error {
           static get name() { no() } static [Symbol.hasInstance]() { no() }
           get [Symbol.toStringTag]() { no() } get message() { no() } get name() { no() } get stack() { no() }
         }
         const pattern = /x/g;
         for (const name of ['flags', 'source', 'global', 'unicodeSets'])
           Object.defineProperty(RegExp.prototype, name, { get: no });
         for (const kind of [Map, Set, Date, Promise, Array, Function, Object])
           for (const name of ['next', 'size', 'entries', 'values', 'toISOString', 'getTime', 'then', 'join', 'toString'])
             Object.defineProperty(kind.prototype, name, { get: no, configurable: true });
         Object.defineProperty(Array, 'isArray', { value: no });
         Object.defineProperty(Object.prototype, 'constructor', { get: no });
         console.log(new Proxy({ kept: 1 }, traps), new Proxy(() => 1, traps), new Proxy(new Proxy([1], traps), traps));
         console.log(Object.create(new Proxy({}, traps)), pattern, new Map([[1, evil]]), new Set([1]));
         console.log([evil], new Date(0), Promise.resolve, new Evil());
         console.log(1)",
    );
    assert!(shown.contains("kept: 1") && shown.contains("/x/g"), "{shown}");
    assert!(shown.contains("1970-01-01T00:00:00.000Z") && shown.ends_with("\n1"), "{shown}");
}

#[test]
fn wrapped_built_ins_are_as_they_were() {
    let shown = printed(
        "console.log(Proxy.name, Proxy.length, 'prototype' in Proxy, Proxy.revocable.length);
         try { Proxy({}, {}) } catch (error) { console.log(error.name) }
         try { new Proxy(1, {}) } catch (error) { console.log(error.name) }
         const read = new Proxy({}, { get: (_, key) => key });
         console.log(read.abc, Reflect.ownKeys(read).length, Object.getOwnPropertySymbols(read).length);
         const m = new Map([['a', 1], ['b', 2]]);
         console.log(Map.prototype[Symbol.iterator] === Map.prototype.entries, Set.prototype.keys === Set.prototype.values);
         console.log(Set.prototype[Symbol.iterator] === Set.prototype.values, m.keys.name, m.entries.name, new Set().values.name);
         console.log([...m], [...m.keys()], [...m.values()], Object.keys(m.keys()), Array.from(new Set([1, 2]).entries()));
         const { proxy, revoke } = Proxy.revocable({ x: 1 }, {});
         console.log(proxy); revoke(); console.log(proxy);
         try { proxy.x } catch (error) { console.log(error.name) }",
    );
    let expected = "Proxy 2 false 2
TypeError
TypeError
abc 0 0
true true
true keys entries values
[ [ 'a', 1 ], [ 'b', 2 ] ] [ 'a', 'b' ] [ 1, 2 ] [] [ [ 1, 1 ], [ 2, 2 ] ]
[Proxy]
[Proxy]
TypeError";
    assert_eq!(shown, expected);
}

#[test]
fn huge_values_are_cut_at_once() {
    for value in [
        "Array.from({ length: 1e5 }, (_, i) => 'x'.repeat(1000))",
        "Object.fromEntries(Array.from({ length: 1e4 }, (_, i) => ['key number ' + i, 'value '.repeat(20)]))",
        "Array(4294967295)",
        "[['x'.repeat(1e7)], 'y'.repeat(1e7)]",
        "new Map([['k', 'x'.repeat(1e7)]])",
    ] {
        let outcome = js(&format!("console.log({value})"));
        let bytes: usize = outcome.console.iter().map(|line| line.text.len()).sum();
        assert!(bytes <= quarry_script::limits::OUTPUT, "{value}: {bytes}");
        assert_eq!(outcome.error.filter(|error| error.name != "LimitError"), None, "{value}");
    }
    let everything = "{ depth: null, maxArrayLength: null, breakLength: 0 }";
    for value in
        ["new Uint8Array(1e6)", "new ArrayBuffer(1e6)", "new Set(Array(1e5).keys())", "Array(1e6)"]
    {
        let outcome = js_within(&format!("console.dir([[{value}]], {everything})"), 10);
        let bytes: usize = outcome.console.iter().map(|line| line.text.len()).sum();
        assert!(bytes <= quarry_script::limits::OUTPUT, "{value}: {bytes}");
        assert_eq!(outcome.error.filter(|error| error.name != "LimitError"), None, "{value}");
        assert_ne!(outcome.limit, Some(Limit::Time), "{value}");
    }
    let deep = "let d = {}; for (let i = 0; i < 2000; i++) d = new Proxy([d], {}); console.log(d)";
    assert_eq!(printed(deep), "[ [ [ [Array] ] ] ]");
}

#[test]
fn directives_convert_primitive_values_only() {
    let shown = printed(
        "const no = { valueOf() { throw 1 }, toString() { throw 2 }, toJSON() { throw 3 } };
         console.log('%d|%d|%d|%d|%d', true, null, undefined, '0x10', 12n);
         console.log('%i|%i|%i|%i|%i', 1e21, '0x1f', ' 12abc', -7.9, 12n);
         console.log('%f|%f|%f', '3.5abc', 12n, 'x');
         console.log('%d|%i|%f|%d|%i', no, no, no, Symbol('s'), Symbol('s'));
         console.log('%j|%j', { a: [1, null] }, undefined)",
    );
    let expected = "1|0|NaN|16|12n
1|31|12|-7|12n
3.5|12|NaN
NaN|NaN|NaN|NaN|NaN
{\"a\":[1,null]}|undefined";
    assert_eq!(shown, expected);
}

#[test]
fn dir_has_options() {
    let shown = printed(
        "const deep = { a: { b: { c: { d: {} } } } };
         console.dir(deep, { depth: 0 }); console.dir(deep, { depth: 1 });
         console.dir(deep, { depth: null }); console.dir(deep, { get depth() { throw 1 } });
         console.dir([1, 2, 3], { maxArrayLength: 2 }); console.dir(['x'.repeat(50), 'y'.repeat(50)], { breakLength: Infinity })",
    );
    let expected = format!(
        "{{ a: [Object] }}
{{ a: {{ b: [Object] }} }}
{{
  a: {{ b: {{ c: {{ d: {{}} }} }} }}
}}
{{ a: {{ b: {{ c: [Object] }} }} }}
[ 1, 2, ... 1 more item ]
[ '{}', '{}' ]",
        "x".repeat(50),
        "y".repeat(50)
    );
    assert_eq!(shown, expected);
}

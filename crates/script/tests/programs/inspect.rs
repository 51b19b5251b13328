//! How values look: each expression of `inspect/values.txt` as Node 20 prints it, but for the places
//! of errors.

use crate::common::{js, js_within, printed};
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

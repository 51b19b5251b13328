//! Regular expressions as programs use them, through the language's own methods.

mod common;

use common::value;
use quarry_script::Value;

#[track_caller]
fn gives(source: &str, expected: &str) {
    assert_eq!(value(source), Value::Json(expected.into()), "{source}");
}

#[test]
fn matches_look_as_the_language_says() {
    gives(
        r"const m = /(?<year>\d{4})-(?<month>\d\d)(x)?/.exec('on 2024-05'); [m.index, m.input, m.length, [...m].map(String), m.groups, Object.keys(m)]",
        r#"[3,"on 2024-05",4,["2024-05","2024","05","undefined"],{"year":"2024","month":"05"},["0","1","2","3","index","input","groups"]]"#,
    );
    gives(
        r"const m = /b(?<c>c)?/d.exec('abd'); [m.indices[0], m.indices[1] === undefined, m.indices.groups.c === undefined]",
        "[[1,2],true,true]",
    );
    gives("Object.getPrototypeOf(/(?<a>x)/.exec('x').groups) === null", "true");
    gives("/x/.exec('y') === null && /x/.exec('y')?.length === undefined", "true");
}

#[test]
fn last_index_is_kept_by_global_and_sticky_patterns_only() {
    gives(
        "const r = /a/g; const s = 'aba'; [r.test(s), r.lastIndex, r.test(s), r.lastIndex, r.test(s), r.lastIndex]",
        "[true,1,true,3,false,0]",
    );
    gives(
        "const r = /a/y; [r.test('ba'), r.lastIndex, (r.lastIndex = 1, r.test('ba')), r.lastIndex]",
        "[false,0,true,2]",
    );
    gives("const r = /a/; r.lastIndex = 5; [r.test('a'), r.lastIndex]", "[true,5]");
    gives("const r = /a/g; r.lastIndex = 5; [r.test('a'), r.lastIndex]", "[false,0]");
    gives(
        "const r = Object.freeze(/a/g); try { r.test('a') } catch (e) { e.name }",
        "\"TypeError\"",
    );
}

#[test]
fn every_method_matches() {
    gives(
        "['a1b22'.match(/\\d+/g), 'a-b_c'.split(/[-_]/), 'abc'.search(/c/), 'aXbX'.replace(/x/gi, (m, at) => m + at)]",
        r#"[["1","22"],["a","b","c"],2,"aX1bX3"]"#,
    );
    gives("[...'k=v;l=w'.matchAll(/(\\w)=(\\w)/g)].map(([, k, v]) => k + v)", r#"["kv","lw"]"#);
    gives(
        "'2024-05-06'.replace(/(?<y>\\d+)-(\\d+)-(\\d+)/, '$3.$2.$<y> $& $`')",
        r#""06.05.2024 2024-05-06 ""#,
    );
    gives(
        "'a,b,,c'.split(/,/).length + 'abc'.split(/(?:)/u).length + 'x'.split(/(y)?x/).length",
        "10",
    );
    gives(
        "['\\u{1F600}'.match(/./u)[0].length, '\\u{1F600}'.match(/./)[0].length, '€x'.search(/x/)]",
        "[2,1,1]",
    );
}

#[test]
fn slashes_are_those_of_the_pattern() {
    gives(
        r"[/a\/b/.test('a/b'), /a\/b/.source, new RegExp('a/b').source, /[/]/.source, /\\\//.source, '' + /x\/y/g]",
        r#"[true,"a\\/b","a\\/b","[/]","\\\\\\/","/x\\/y/g"]"#,
    );
    gives(
        r"[new RegExp('').source, new RegExp('\n').test('\n'), RegExp.prototype.source]",
        r#"["(?:)",true,"(?:)"]"#,
    );
}

#[test]
fn sticky_patterns_match_where_they_stand() {
    gives(
        "const r = /b+/y; const s = 'aaabba'; [0, 1, 2, 3, 4, 5].map((at) => (r.lastIndex = at, r.exec(s)?.[0] ?? null))",
        r#"[null,null,null,"bb","b",null]"#,
    );
    gives(
        "const r = /\\u{1F600}/uy; const s = 'a\\u{1F600}b\\u{1F600}'; [0, 1, 3, 4].map((at) => (r.lastIndex = at, r.test(s)))",
        "[false,true,false,true]",
    );
    gives("'a1b2'.split(/\\d/y)", r#"["a","b",""]"#);
    gives("'x\\u{1F600}y'.split(/(?:)/u).length", "3");
}

#[test]
fn what_the_matcher_does_not_take_the_engine_matches() {
    gives(
        r"['abab'.replace(/(ab)\1/, 'x'), 'price 42'.match(/(?<=price )\d+/)[0], 'foobar'.match(/foo(?=bar)/)[0], 'Ä'.match(/ä/i)[0], 'é'.match(/\p{L}/u)[0]]",
        r#"["x","42","foo","Ä","é"]"#,
    );
    gives(r"'a1'.match(/[\w--\d]/v)[0]", "\"a\"");
    gives("RegExp.prototype.exec.name + RegExp.prototype.exec.length", "\"exec1\"");
    gives(
        "class R extends RegExp { exec(s) { return super.exec(s + '!') } } new R('!').test('x')",
        "true",
    );
    gives("try { RegExp.prototype.exec.call({}, 'x') } catch (e) { e.name }", "\"TypeError\"");
}

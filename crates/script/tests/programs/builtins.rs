//! What programs use beyond the language itself, against Node's answers.

use crate::common::{js, printed};
use quarry_script::Limit;

#[test]
fn answers_equal_those_of_node() {
    crate::common::cases::check(include_str!("builtins_cases.txt"));
}

#[test]
fn the_console_prints_what_it_should() {
    let got = printed(include_str!("console_cases.js"));
    let wanted = include_str!("console_cases.txt");
    for (at, (got, wanted)) in got.lines().zip(wanted.lines()).enumerate() {
        assert_eq!(got, wanted, "line {at}");
    }
    assert_eq!(got.lines().count(), wanted.lines().count());
}

#[test]
fn labels_count_and_take_time() {
    let shown = printed(
        "console.count(); console.count('x'); console.count(); console.countReset(); console.count();
         console.countReset('nope'); console.time('t'); console.timeLog('t', 1, '%s');
         console.timeEnd('t'); console.timeEnd('t')",
    );
    let lines: Vec<&str> = shown.lines().collect();
    let counts =
        ["default: 1", "x: 1", "default: 2", "default: 1", "Count for 'nope' does not exist"];
    assert_eq!(lines[..5], counts);
    assert!(lines[5].starts_with("t: ") && lines[5].ends_with("ms 1 %s"), "{}", lines[5]);
    assert!(lines[6].starts_with("t: ") && lines[6].ends_with("ms"), "{}", lines[6]);
    assert_eq!(lines[7], "No such label 't'");
}

#[test]
fn groups_indent_no_more_than_fits() {
    let outcome =
        js("for (let i = 0; i < 1e4; i++) console.group(); console.log('\\n'.repeat(1e5))");
    assert_eq!(outcome.limit, Some(Limit::Output));
}

#[test]
fn what_a_microtask_throws_is_told() {
    let error =
        js("queueMicrotask(() => { throw new TypeError('late') })").error.expect("an error");
    assert_eq!((error.name.as_str(), error.message.as_str()), ("TypeError", "late"));
}

#[test]
fn the_clock_starts_with_the_run() {
    let text = printed(
        "const a = performance.now(), b = performance.now(); console.log(a >= 0 && a < 1000 && b > a)",
    );
    assert_eq!(text, "true");
}

#[test]
fn the_same_seed_gives_the_same_numbers() {
    let source = "console.log(Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(3)).join())";
    assert_eq!(printed(source), printed(source));
    let mut other = crate::common::environment();
    other.seed = || [8; 32];
    let outcome = crate::common::run(source, 1, &other);
    assert_ne!(outcome.console[0].text, printed(source));
}

#[test]
fn errors_have_names_and_places() {
    let error = js("let a;\n\natob('*')").error.expect("an error");
    assert_eq!((error.name.as_str(), error.line), ("InvalidCharacterError", Some(3)));
    let error = js("structuredClone(() => 1)").error.expect("an error");
    assert_eq!(error.name, "DataCloneError");
}

#[test]
fn huge_inputs_are_refused_not_suffered() {
    for source in [
        "[].toLocaleString.call({ length: 2 ** 50 })",
        "new Intl.NumberFormat({ length: 2 ** 50 })",
        "structuredClone(new Proxy({}, {}))",
        "btoa('x'.repeat(15e6))",
    ] {
        let outcome = js(source);
        let error = outcome.error.expect(source);
        assert_ne!(error.name, "InternalError", "{source}");
    }
    let outcome = js("console.table(Array.from({ length: 3000 }, (_, i) => ({ ['k' + i]: i })))");
    assert_eq!(outcome.limit, Some(Limit::Output));
    let outcome = js("structuredClone(new Array(1e6).fill(0)).length");
    assert!(outcome.error.is_none() || outcome.limit.is_some(), "{:?}", outcome.error);
}

#[test]
fn options_run_getters_and_pass_on_what_they_throw() {
    let error = js("(1).toLocaleString('en', { get style() { throw new Error('mine') } })").error;
    assert_eq!(error.expect("an error").message, "mine");
}

#[test]
fn globals_built_when_needed_look_as_if_they_had_always_been_there() {
    for name in ["Intl", "URL", "URLSearchParams", "TextEncoder", "TextDecoder"] {
        let kind = if name == "Intl" { "object" } else { "function" };
        let shape = format!(
            "const d = Object.getOwnPropertyDescriptor(globalThis, '{name}');
             console.log(typeof d.value, d.writable, d.enumerable, d.configurable)"
        );
        assert_eq!(printed(&shape), format!("{kind} true false true"));
    }
}

#[test]
fn addresses_show_their_text() {
    assert_eq!(
        printed(
            "console.log(new URL('http://a.b/c?x=1&y'), [new URLSearchParams({ a: \"it's\" })])"
        ),
        "URL { 'http://a.b/c?x=1&y' } [ URLSearchParams { 'a=it%27s' } ]"
    );
}

#[test]
fn many_parameters_cost_no_more_than_few() {
    let source = "const u = new URL('http://h/'); for (let i = 0; i < 5000; i++) u.searchParams.append('k' + i, 'v');
        console.log(u.searchParams.size, u.href.length)";
    assert_eq!(printed(source), "5000 38899");
}

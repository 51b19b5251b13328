//! What stands in a streamed answer.

use super::*;
use proptest::prelude::*;

fn scan(text: &str) -> Vec<Scanned> {
    let mut scanner = Scanner::default();
    let mut out = Vec::new();
    for c in text.chars() {
        scanner.step(c, &mut out);
        assert!(scanner.held() <= MOST_HELD);
    }
    scanner.finish(&mut out);
    out
}

/// Text as it stands, code in `«»`, brackets in `{}`, addresses in `<>`.
fn shown(text: &str) -> String {
    let part = |part: Scanned| match part {
        Scanned::Text(c) => c.to_string(),
        Scanned::Code(c) | Scanned::Span(c) => format!("«{c}»"),
        Scanned::Bracket { label, target: None, .. } => format!("{{{label}}}"),
        Scanned::Bracket { label, target: Some(target), .. } => format!("{{{label}|{target}}}"),
        Scanned::Address(address) => format!("<{address}>"),
    };
    scan(text).into_iter().map(part).collect::<String>().replace("»«", "")
}

#[test]
fn brackets_links_and_addresses_are_found() {
    for (text, expected) in [
        ("a [q7]. b", "a {q7}. b"),
        ("[[q7]] 【q7】［q7, q9］", "{q7} {q7}{q7, q9}"),
        ("[x](https://a.example/(b)) c", "{x|https://a.example/(b)} c"),
        ("![x](y)! z", "{x|y}! z"),
        ("see https://a.example/b(c). And", "see <https://a.example/b(c)>. And"),
        ("(<https://a.example/>) HTTP://B.example", "(<https://a.example/>) <HTTP://B.example>"),
        ("the http: rhttp://x", "the http: rhttp://x"),
        ("[a [q1] b]", "[a {q1} b]"),
        ("a \\[q7\\] b 〔q7〕\\n", "a {q7} b {q7}\\n"),
        ("(www.a.example/x), <WWW.a.example>", "(<www.a.example/x>), <WWW.a.example>"),
        ("www. or www.b, wwww.a.example", "www. or www.b, wwww.a.example"),
        ("[see https://a.example\n", "[see <https://a.example>\n"),
        ("<www.b> and \\\\[a]", "<www.b> and \\\\{a}"),
        ("[[a] b", "[{a} b"),
        ("[open", "[open"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn code_is_left_alone() {
    for (text, expected) in [
        ("a `[q7]` b", "a «`[q7]`» b"),
        ("a ``x ` [q7]`` b", "a «``x ` [q7]``» b"),
        ("```rust\n[q7]\n```\n[q8]", "«```rust\n[q7]\n```\n»{q8}"),
        ("~~~\n``` https://a.example/\n~~~\nx", "«~~~\n``` https://a.example/\n~~~\n»x"),
        ("a ` b [q7]\nc", "a ` b {q7}\nc"),
        ("a `b\nc [q7] d` e", "a «`b\nc [q7] d`» e"),
        ("a ` b [q7]\n\nc ` d", "a ` b {q7}\n\nc ` d"),
        ("- a ` b [q7]\n- c ` d [q8]", "- a ` b {q7}\n- c ` d {q8}"),
        ("a ` b [q7]\n```\n[q8]\n```\n", "a ` b {q7}\n«```\n[q8]\n```\n»"),
        ("~ a `", "~ a `"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn an_endless_address_is_not_held() {
    let text = format!("a https://a.example/{} b", "x".repeat(10_000));
    let parts = scan(&text);
    assert_eq!(parts.iter().filter(|part| matches!(part, Scanned::Text(_))).count(), 4);
}

#[test]
fn what_begins_as_an_address_without_end_and_is_none_stays() {
    for text in ["www.a..b/".repeat(4_000), "http://".repeat(200)] {
        assert_eq!(shown(&text), text);
    }
    assert_eq!(shown("http://www.a.example//"), "http://<www.a.example//>");
}

proptest! {
    #[test]
    fn no_text_is_lost(text in "([a-c ]|\\[|\\]|\\(|\\)|!|`|``|```|~~~|\n|【|】|h|http://|https://a|<|>|\\PC){0,60}") {
        let mut again = String::new();
        for part in scan(&text) {
            match part {
                Scanned::Text(c) | Scanned::Code(c) | Scanned::Span(c) => again.push(c),
                Scanned::Bracket { raw, .. } => again.push_str(&raw),
                Scanned::Address(address) => again.push_str(&address),
            }
        }
        // Only the angles around an address go.
        let bare = |text: &str| text.replace(['<', '>'], "");
        prop_assert_eq!(bare(&again), bare(&text));
    }
}

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
        Scanned::Tail { target, .. } => format!("]{{|{target}}}"),
        Scanned::Address(address) => format!("<{address}>"),
        Scanned::Dead(c) => format!("†{c}"),
        Scanned::Escaped(c) => format!("‡{c}"),
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
        ("the http: rhttp://x", "the http: r<http://x>"),
        ("[a [q1] b]", "[a {q1} b]"),
        ("a \\[q7\\] b 〔q7〕\\n", "a {q7} b {q7}\\n"),
        ("(www.a.example/x), <WWW.a.example>", "(<www.a.example/x>), <WWW.a.example>"),
        ("www. or www.b, wwww.a.example", "www. or www.b, wwww.a.example"),
        ("[see https://a.example\n", "[see <https://a.example>\n"),
        ("<www.b> and \\\\[a]", "<www.b> and \\\\{a}"),
        ("[[a] b", "[{a} b"),
        ("[open", "[open"),
        (
            "https://a.example//, https\\://b www\\.c.d",
            "<https://a.example//>, <https\\://b> <www\\.c.d>",
        ),
        ("https://例子.example/的 www.例.cn", "<https://例子.example/>的 <www.例.cn>"),
        (
            "http://{host}/a |http://|https://| https://${b}",
            "http://{host}/a |http://|https://| https://${b}",
        ),
        ("www.{a}.b.c", "<www.{a}.b.c>"),
        ("www.a..b www..a.b www.(a.b", "<www.a..b> <www..a.b> <www.(a.b>"),
        (
            "https://[::1]/a <https://“a> <https://]a>",
            "<https://[::1]/a> <https://“a> <https://]a>",
        ),
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
        ("1. a\n   ```\n   [q7]\n   ```\n   [q8]", "1. a\n   «```\n   [q7]\n   ```\n»   {q8}"),
        ("- ```js\n  [q7]\n\n  [q8]\n  ```\n[q9]", "- «```js\n  [q7]\n\n  [q8]\n  ```\n»{q9}"),
        ("1. a:\n    ```\n    [q7]\n    ```\n", "1. a:\n    «```\n    [q7]\n    ```\n»"),
        ("> ```\n> [q7]\n> ```\n[q8]", "> «```\n> [q7]\n> ```\n»{q8}"),
        ("```\na `` b\n    ```\n[q7]\n``` \n[q8]", "«```\na `` b\n    ```\n[q7]\n``` \n»{q8}"),
        ("```\r\n[q7]\r\n```\r\n[q8]", "«```\n[q7]\n```\n»{q8}"),
        ("[`a` [q7] `b`](#c)", "[«`a`» {q7} «`b`»]{|#c}"),
        ("[a `](b)` [q7]", "[a «`](b)`» {q7}"),
        ("```a``` [q7]", "«```a```» {q7}"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn what_is_code_to_some_alone_is_text() {
    for (text, expected) in [
        // A backtick behind a backslash begins nothing.
        ("\\`[q7]`", "\\`{q7}`"),
        // A fence ends with what it stands in.
        ("> ```\n[q7]", "> «```\n»{q7}"),
        ("- ```\n[q7]\n```\n[q8]", "- «```\n»{q7}\n```\n{q8}"),
        ("> > ```\n> [q7]", "> > «```\n> »{q7}"),
        ("- > ```\n> [q7]", "- > «```\n»> {q7}"),
        // These are no fences.
        ("a\n    ```\n    [q7]", "a\n    ```\n    {q7}"),
        ("-```\n[q7]", "-```\n{q7}"),
        ("a\n2. ```\n[q7]", "a\n2. ```\n{q7}"),
        ("``` a ` b ``` [q7] ```", "«``` a ` b ```» {q7} ```"),
        // This does not end, that does not begin one.
        ("```\n``` `\n```\n[q7]", "«```\n``` `\n```\n»{q7}"),
        // In a table each cell has its own, and what a line begins may end a paragraph.
        ("| ` | ` [q7] ` [q8] ` |", "| «` | `» {q7} ` {q8} ` |"),
        ("a ` | ` c\n-|-\n` | ` [q7] `", "a «` | `» c\n-†|-\n«` | `» {q7} `"),
        // Some take the first line of this for the head of a table.
        ("```a|b\n|-|-|\n[q7]|c\n```", "```a|b\n|-|-|\n{q7}|c\n```"),
        ("- a\n  ```\n  b\n  \t```\n  [q7]", "- a\n  «```\n  b\n  \t```\n»  {q7}"),
        ("[a ``]`](b) ``", "[a ``]`]{|b} ``"),
        ("a `b\n=\n[q7] ` c ` [q8]", "a `b\n=\n{q7} ` c ` {q8}"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
    // What a span that is too long leaves belongs to nothing before the paragraph ends.
    let long = "x".repeat(2_000);
    let text = shown(&format!("`{long}` [q7] `\n\n`[q8]`"));
    assert_eq!(text, format!("`{long}` {{q7}} `\n\n«`[q8]`»"));
    let open = shown("``` [q7] ` b");
    assert_eq!(open, "``` {q7} ` b");
}

#[test]
fn what_is_code_to_all_again_is_code() {
    let open = "- ```\n  a\nb\n";
    let begun = "- «```\n  a\n»b\n";
    for (text, expected) in [
        // Who took the first for open and who did not agree behind one that says what kind of code it is.
        ("```js\n[q7]\n```\n`[q8]`", "«```js\n[q7]\n```\n`[q8]`»"),
        ("```\n[q7]\n```\n`[q8]`", "```\n{q7}\n```\n`{q8}`"),
        ("````js\n[q7]\n````\n", "````js\n{q7}\n````\n"),
        ("~~~js\n[q7]\n~~~\n", "~~~js\n{q7}\n~~~\n"),
        ("  ```js\n  [q7]\n  ```\n", "  ```js\n  {q7}\n  ```\n"),
    ] {
        assert_eq!(shown(&format!("{open}{text}")), format!("{begun}{expected}"), "{text}");
    }
    // In a paragraph that is no table cells and lines part nothing.
    for (text, expected) in [
        ("a `b | c` and `[q7](//d)`", "a «`b | c`» and «`[q7](//d)`»"),
        ("a `b\nc` and `[q7](//d)`", "a «`b\nc`» and «`[q7](//d)`»"),
        ("# a `b\nc [q7] ` d ` [q8]", "# a «`b\nc [q7] `» d ` {q8}"),
        ("> a `b\n[q7](//c) ` d", "> a `b\n{q7|//c} ` d"),
        ("- a\n    - run `b | c` and `[q7](//d)`", "- a\n    - run «`b | c`» and «`[q7](//d)`»"),
        ("a `b|c`:\n| d |\n|---|", "a «`b|c`»:\n| d |\n|---|"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn what_would_be_a_link_or_markup_is_told_as_such() {
    for (text, expected) in [
        ("[a [b] c](//d)", "[a {b} c]{|//d}"),
        ("[a\nb](//c)", "[a\nb]{|//c}"),
        ("[a](\n//b)", "{a}†(\n//b)"),
        ("[a](b`c) `", "{a}†(b«`c) `»"),
        ("[a]: //b", "{a}†: //b"),
        ("> - [a]: //b", "> - {a}†: //b"),
        ("- [ ] [a]: //b", "- {} {a}†: //b"),
        ("[^a]: b [^c]: d", "{^a}: b {^c}: d"),
        ("[^a]: //b", "{^a}†: //b"),
        ("[^a]:\n//b", "{^a}†:\n//b"),
        ("a [b]: c", "a {b}†: c"),
        ("a <img src=b>, <br> <br /> <i>c</i>", "a †<img src=b>, <br> <br /> <i>c</i>"),
        ("<br>", "‡<br>"),
        ("a <!-- <?b <data:c> </d>", "a †<!-- †<?b †<data:c> †</d>"),
        ("www.a<b c<d e", "www.a†<b c†<d e"),
        ("Vec<T> <script>, www.a<b>", "Vec‡<T> †<script>, www.a<b>"),
        ("$a<b$ and `", "$a†<b$ and `"),
        ("- ```\na\n<b ", "- «```\n»a\n†<b "),
        ("<b>c</b> d\n\n<i>How", "<b>c</b> d\n\n<i>How"),
        ("<b> [c]\n<b>https://d.example\n", "‡<b> {c}\n‡<b><https://d.example>\n"),
        ("<hr>a", "‡<hr>a"),
        ("a&#58; b&colon; \\&#58; &amp; &#39; c&d", "a†&#58; b†&colon; \\&#58; &amp; &#39; c&d"),
        ("a < b <= c <3 <- d", "a < b <= c <3 <- d"),
        ("ftp://a.example/b x", "<ftp://a.example/b> x"),
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
    for text in ["www.(( ", "http://(( ", "“https://”，", "(http://) x", "www... x"] {
        let text = text.repeat(1_000);
        assert_eq!(shown(&text), text);
    }
}

proptest! {
    #[test]
    fn no_text_is_lost(text in "([a-c ]|\\[|\\]|\\(|\\)|!|`|``|```|~~~|\n|【|】|h|http://|https://a|<|>|\\PC){0,60}") {
        let mut again = String::new();
        for part in scan(&text) {
            match part {
                Scanned::Text(c)
                | Scanned::Code(c)
                | Scanned::Span(c)
                | Scanned::Dead(c)
                | Scanned::Escaped(c) => again.push(c),
                Scanned::Bracket { raw, .. } | Scanned::Tail { raw, .. } => again.push_str(&raw),
                Scanned::Address(address) => again.push_str(&address),
            }
        }
        // Only the angles around an address go.
        let bare = |text: &str| text.replace(['<', '>'], "");
        prop_assert_eq!(bare(&again), bare(&text));
    }
}

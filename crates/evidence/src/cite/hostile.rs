//! Answers of a model that wants to lead its reader elsewhere, or to load a picture that tells where it was read.

use super::*;
use crate::{Content, Finding, Source};
use proptest::prelude::*;

fn sources() -> Vec<Source> {
    let content = Content::Text("Bread is baked from rye in ovens of stone.".to_owned());
    let (url, title) = ("https://1.example/".to_owned(), Some("Bread".to_owned()));
    vec![Source::new(1, Finding { url, title, content, ..Finding::default() })]
}

/// What a reader is sent, however the answer is cut.
fn shown(answer: &str) -> String {
    let sources = sources();
    let known = Known::new(&sources);
    let (whole, _) = tests::written(answer, usize::MAX, &known);
    for size in [1, 3] {
        assert_eq!(tests::written(answer, size, &known).0, whole, "{answer}");
    }
    whole
}

/// The same of an answer that was to cite nothing.
fn shown_without_sources(answer: &str) -> String {
    let known = Known::unsourced();
    let (whole, _) = tests::written(answer, usize::MAX, &known);
    for size in [1, 3] {
        assert_eq!(tests::written(answer, size, &known).0, whole, "{answer}");
    }
    whole
}

/// A text without what is code to all who show it: runs of one backtick, each closed in its paragraph.
fn without_code(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        let parts: Vec<&str> = paragraph.split('`').collect();
        if parts.len().is_multiple_of(2) {
            return paragraph.to_owned();
        }
        let parts: Vec<&str> = parts.into_iter().step_by(2).collect();
        parts.join("`")
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

/// What no text may have that is no code: each of these leads elsewhere, loads something or runs it for some of those
/// who show Markdown.
const LIVE: &[&str] = &[
    "](//",
    "](<",
    "](&",
    "](\\",
    "](/\\",
    "](/&",
    "](j",
    "](d",
    "](\n",
    "]: /",
    "]: <",
    "]:\n",
    "tp://evil",
    "tps://evil",
    "www.evil",
    "<a",
    "<img",
    "<script",
    "<svg",
    "<!",
    "<data",
    "s\\:",
    ":\\/",
    ":/\\",
    "w\\.",
    "&#58;",
    "&colon;",
    "&#119;",
    "://例",
    "www.例",
    "www..",
    "www.(",
    "://[",
];

/// A text without the signs that a backslash takes their meaning. That of `<` it leaves where a block of markup is open.
fn meant(text: &str) -> String {
    text.replace("\\\\", "").replace("\\&", "＆")
}

/// What is no code of a text that a reader is sent. No table may begin there that was none.
fn outside_code(text: &str) -> String {
    let mut scanner = scan::Scanner::default();
    let mut parts = Vec::new();
    text.chars().for_each(|c| scanner.step(c, &mut parts));
    scanner.finish(&mut parts);
    let mut outside = String::new();
    for part in parts {
        match part {
            scan::Scanned::Code(_) | scan::Scanned::Span(_) => outside.push('`'),
            scan::Scanned::Dead(c) => {
                assert!(!matches!(c, '-' | '|'), "a table begins: {text:?}");
                outside.push(c);
            }
            scan::Scanned::Text(c) | scan::Scanned::Escaped(c) => outside.push(c),
            scan::Scanned::Bracket { raw, .. } | scan::Scanned::Tail { raw, .. } => {
                outside.push_str(&raw);
            }
            scan::Scanned::Address(address) => outside.push_str(&address),
        }
    }
    outside
}

const HOSTILE: &[&str] = &[
    // Brackets within brackets, more of one than of the other, and with backslashes.
    "[a [b] c](//evil.example)",
    "[a [b [c] d] e](//evil.example)",
    "[a [b](#b) c](//evil.example)",
    "[a] b](//evil.example)",
    "[a [b](//evil.example)",
    r"[a \] b](//evil.example)",
    r"[a \[ b](//evil.example)",
    r"\\[a](//evil.example)",
    "[[a]](//evil.example)",
    "[a\nb](//evil.example)",
    "[a `]` b](//evil.example)",
    "[`a`](//evil.example) b",
    "[a **b** `c` [d] e](//evil.example)",
    // Addresses in other clothes.
    "[a](<//evil.example>)",
    "[a](< //evil.example>)",
    "[a](\n//evil.example)",
    "[a](//evil.example\n\"b\")",
    "[a](\t//evil.example 'b')",
    r"[a](/\/evil.example)",
    r"[a](\//evil.example)",
    r"[a](/\evil.example)",
    "[a](/&#47;evil.example)",
    "[a](&#47;&#x2f;evil.example)",
    "[a](&sol;&sol;evil.example)",
    "[a](javascript:alert(1))",
    "[a](java&Tab;script:alert(1))",
    "[a](data:text/html,b)",
    "[a](//evil.example/(b)c)",
    "[a](#b <img src=//evil.example>)",
    "[a](b https://evil.example/c)",
    "[a [b] c](#https://evil.example/c)",
    "[<img src=//evil.example>](#b)",
    "[https://evil.example/a](#b)",
    // Pictures load unasked.
    "![a](//evil.example/b.png)",
    "![a [b] c](//evil.example/b.png)",
    "[![a](//evil.example/b.png)](#c)",
    "[![a [b] c](//evil.example/b.png) d](//evil.example)",
    "![a][b]\n\n[b]: //evil.example/b.png",
    // Names of addresses, wherever they are given.
    "[a][b]\n\n[b]: //evil.example",
    "[b][]\n\n> [b]: <//evil.example> \"c\"",
    "[b]\n\n- [b]: //evil.example",
    "[b]\n\n- [ ] [b]: //evil.example",
    "[b]\n\n1. > [b]:\n   //evil.example\n   'c'",
    "[b\nc]\n\n[b\nc]: //evil.example",
    "[b].\n\n[q99][b]: //evil.example",
    "[b].\n\n[q1] [b]: //evil.example",
    "[b].\n\n**[q99]**[b]: //evil.example",
    "[b].\n\nhttps://evil.example[b]: //evil.example",
    "[^b]\n\n[^b]: //evil.example",
    "[^b]\n\n[^b]:\n//evil.example",
    "[^b]\n\n[^c]: [^b]: //evil.example",
    r"[b\]c]: //evil.example",
    // Addresses alone.
    "<https://evil.example/a> <ftp://evil.example/a> <javascript:alert(1)> <data:a,b>",
    "HTTPS://evil.example www.evil.example ftp://evil.example",
    "https://evil.example// http://x//evil.example",
    r"https\://evil.example https:\//evil.example https:/\/evil.example www\.evil.example",
    r"https&#58;//evil.example https&colon;//evil.example &#119;ww.evil.example \\&#58;",
    "https&colon[q99];//evil.example https&[q99]#58;//evil.example https&#[q99]58;//evil.example",
    "https://例.example www.例.example https://[::1]/",
    "www..evil.example www.evil..example www.(evil.example",
    "https://例.中国/evil www.evil.中国/evil www.例.中国/evil",
    // Markup, also where a line begins with it.
    "a <a href=//evil.example>b</a>",
    "<img src=//evil.example>",
    "a <img\nsrc=//evil.example>",
    "a <svg/onload=alert(1)> <script>alert(1)</script>",
    "<br>\n<img src=//evil.example>",
    "- <details><a href='//evil.example'>",
    "[x <a](//b) href=//evil.example>",
    "a <script>b</script> <style/c>",
    // What looks like code and is none.
    r"\`[a](//evil.example)`",
    "a ` [a [b] c](//evil.example)",
    "a `b\n===\n[c](//evil.example) ` d",
    "a `b\n\n[c](//evil.example) ` d",
    "| ` | [a](//evil.example) ` |",
    "| ` | ` b ` [a](//evil.example) ` |",
    "[`](#b)` [a](//evil.example) `c`",
    // Behind a run that nothing closes some take the second of two for text.
    "a ``` b `c` `[d](//evil.example)`",
    "[a](b c`) ` [d](//evil.example) ` e",
    "> ```\n[a](//evil.example)",
    "- ```\n[a](//evil.example)\n  ```",
    "- a\n  ```\n[b](//evil.example)",
    "    ```\n[a](//evil.example)",
    "a\n    ```\n    [b](//evil.example)",
    "1 ```\n[a](//evil.example)",
    "``` [a](//evil.example) ` b",
    "```\nb\n``` `\n```\n[a](//evil.example)",
    "```\rb\r```\r[a](//evil.example)",
    "```a|b\n|-|-|\n[c](//evil.example)|d\n```",
    "- a\n  ```\n  b\n  \t```\n  [c](//evil.example)",
    "[a ``]`](//evil.example) ``",
    "[a ``](//evil.example)` ``",
    // Far in, a line is code that ends with it.
    "    a `\nb [x](//evil.example) `",
    "x\n\n    code `\nthen [x](//evil.example)` y",
    "\ta `\nb [x](//evil.example) `",
    "- a\n\n      `\n  b [x](//evil.example)`",
    "[q99]     `\nb [x](//evil.example) `",
    "[q99]# a `\nb [x](//evil.example) `",
    "(**[q99]**)# a `\nb [x](//evil.example) `",
    // What is taken out of between.
    r"\<https://evil.example><img src=//evil.example>",
    "[a]<https://evil.example>(//evil.example)",
    "[a]<https://evil.example>: //evil.example",
    "<<https://evil.example>img src=//evil.example>",
    "<img[q99] src=//evil.example>",
    "htt[q99]ps://evil.example https:[q99]//evil.example https://[q99]evil.example",
    "www[q99].evil.example www.[q99]evil.example www[q99].(evil.example www[q99]..evil.example",
    r"www[q99]\.evil.example https[q99]\://evil.example",
    "<[a](//evil.example) href=//evil.example>",
    "htt[ps://evil.example](//evil.example)",
    "[a [b] c](//evil.example)(//evil.example)",
    "ahttps://evil.example",
];

#[test]
fn no_writing_leads_a_reader_elsewhere() {
    for answer in HOSTILE {
        let text = meant(&shown(&format!("{answer}\n")));
        for live in LIVE {
            assert!(!text.contains(live), "{answer:?} leads elsewhere by {live:?}: {text:?}");
        }
        let whole = meant(&shown(&format!("It is so.\n\n{answer}")));
        for live in LIVE {
            assert!(!whole.contains(live), "{answer:?} leads elsewhere by {live:?}: {whole:?}");
        }
    }
}

#[test]
fn without_sources_an_address_is_code_that_nobody_is_led_by() {
    for (answer, expected) in [
        ("See https://a.example/b.", "See `https://a.example/b`."),
        (
            "See <https://a.example/b>, (www.a.example).",
            "See `https://a.example/b`, (`www.a.example`).",
        ),
        ("See [a [b] c](https://a.example).", "See [a [b] c] `https://a.example`."),
        ("See [a](//b.example) now.", "See a `//b.example` now."),
        ("See ![a](https://b.example/c.png).", "See a `https://b.example/c.png`."),
        (
            "See [1](https://b.example) and [](https://b.example)",
            "See 1 `https://b.example` and `https://b.example`",
        ),
        (
            "| a |\n|---|\n| [b](https://c.example/|d) |",
            "| a |\n|---|\n| b `https://c.example/%7Cd` |",
        ),
        ("https://a.example`b`", "`https://a.example` `b`"),
        (r"\https://a.example", r"\ `https://a.example`"),
        ("![](https://b.example/c.png)", "`https://b.example/c.png`"),
        // Who shows these may see other code.
        ("a ` https://a.example.", "a `."),
        ("a ` b\n\nhttps://a.example", "a ` b\n\n`https://a.example`"),
        ("Take [q1] and m[1](2), [note] and 【q2】.", "Take [q1] and m[1](2), [note] and 【q2】."),
    ] {
        assert_eq!(shown_without_sources(answer), expected, "{answer}");
    }
}

#[test]
fn no_writing_without_sources_leads_a_reader_elsewhere() {
    for answer in HOSTILE {
        let whole = shown_without_sources(&format!("It is so.\n\n{answer}"));
        let text = meant(&without_code(&whole));
        for live in LIVE {
            assert!(!text.contains(live), "{answer:?} leads elsewhere by {live:?}: {whole:?}");
        }
    }
}

#[test]
fn what_was_a_link_elsewhere_keeps_its_words() {
    for (answer, expected) in [
        ("See [a [b] c](//evil.example).", "See [a [b] c]."),
        ("See [a](\n//evil.example).", "See [a]\\(\n//evil.example)."),
        ("See <img src=b>.", "See < img src=b>."),
        ("[a]: //evil.example", "[a]\\: //evil.example"),
        ("See [a]<https://evil.example/>(b).", "See [a] (b)."),
        ("See foo[bar](x: 1).", "See foo[bar]\\(x: 1)."),
        ("See a `|` c `[d](//b)`\n-|-", "See a `|` c `[d](//b)`\n-\\|-"),
        ("See Vec<String> and $a<b$.", "See Vec\\<String> and $a< b$."),
        ("See [Rye](https://other.example/x Rye bread) there.", "See Rye there."),
        ("See [Rye](www.other.example/x Rye bread) there.", "See Rye there."),
        ("https://例.中国/evil is it.", "is it."),
    ] {
        assert_eq!(shown(answer).trim_start(), expected);
    }
}

/// What stands in the line below it does not make the head of a table of one that has code which a cell would part.
#[test]
fn what_is_taken_out_makes_no_table() {
    for (answer, expected) in [
        ("See a `|` c `[d](//b)`\n-[q99]|-", "See a `|` c `[d](//b)`\n-\\|-"),
        ("See a `|` c `[d](//b)`\n-(**[q99]**)|-", "See a `|` c `[d](//b)`\n-\\|-"),
        ("See a `|` c `[d](//b)`\n|[q99]:-|-", "See a `|` c `[d](//b)`\n|:\\-|-"),
        ("See a `|` c `[d](//b)`\n-[q99]:|-", "See a `|` c `[d](//b)`\n-\\:|-"),
        ("See a `|` c `[d](//b)`\n-<https://x.y>|-", "See a `|` c `[d](//b)`\n-\\|-"),
        ("a|b\n-[q99]|-\n` | ` `[x](//evil.example)`", "a|b\n-|-\n` | ` `x`"),
        ("a|b\n-[q99]|-\n` | ` `c`", "a|b\n-|-\n` | ` `c`"),
    ] {
        assert_eq!(shown(answer), expected);
    }
}

/// Where a name is taken out before it, a line does not begin with a fence that was none.
#[test]
fn no_fence_begins_where_something_was_taken_out() {
    for (answer, begins) in [
        ("[q99]```\nb\n```\n[a](//b)", "\u{200b}```\nb\n```\n"),
        ("- [q99] ```\n  b\n  ```\n  [a](//b)", "- \u{200b}```\n  b\n  ```\n"),
        // Blanks at the end of the line before wait until then.
        ("a. \n\n[q99]```\nb\n```\n[a](//b)", "a. \n\n\u{200b}```\nb\n```\n"),
        ("a. \n\n[q99]<b>\n<img src=//b>", "a. \n\n\u{200b}<b>\n< img "),
        ("a. \n\nhttps://x.y/ <b>\n<a href=//b>", "a. \n\n\u{200b}<b>\n< a "),
    ] {
        let text = shown(answer);
        assert!(text.starts_with(begins), "{text:?}");
    }
}

#[test]
fn what_leads_nowhere_stays_as_it_is() {
    for answer in [
        "Take f(x)[i](y), a[0](x, y) and (a)[b](c).",
        r"Take \sqrt[3]{8}, x_1[2], or m[1][2].",
        "Call http://{host}/api here, or https://${domain}/x.",
        "|http://|https://|",
        "It begins with `http://` or `www.`.",
        "<b>Note:</b> it is `a | b` or\n`c\nd`, not `[e](//b)`.",
        "The sum is [a, [b, c], d] or [[1, 2], [3, 4]].",
        "- [ ] one\n- [x] two",
        "It is so [^a].\n\n[^a]: As told elsewhere.",
        "See [a](#b), [c](/d) and [e [f] g](h).",
        "It holds for a < b, x <= y and 3<4; H<sub>2</sub>O<br>.",
        "Use `[a](//b)`, ``<img src=//b>`` and `a || b`.",
        "```html\n<a href=\"//b\">[c](//d)</a>\n```\nSo it is.",
        "1. Run:\n   ```sh\n   curl https://b.example/ <a\n   ```\n2. Run:\n    ```\n    [a](//b)\n    ```",
        "> ~~~\n> [a](//b)\n> ~~~",
        "| a | `b \\| [c](//d)` |\n|---|---|\n| e | f |",
    ] {
        assert_eq!(shown(answer), answer);
    }
}

/// Parts of links, of code and of markup, and what is taken out of between.
fn parts() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "[",
        "]",
        "(",
        ")",
        "](",
        "[a]",
        "//evil.example",
        "(//evil.example)",
        ":",
        "`",
        "```",
        "\n",
        "\n\n",
        " ",
        ". \n\n",
        "- ",
        "> ",
        "# ",
        "    ",
        "|",
        "-|-",
        "a|b\n",
        "\\",
        "!",
        "<",
        ">",
        "img src=",
        "<b>",
        "**",
        "[q99]",
        "[q1]",
        "https://evil.example",
        "www.",
        "a",
    ]);
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn however_parts_of_links_meet_none_leads_elsewhere(answer in parts()) {
        let text = shown(&answer);
        // Code may hold all of it.
        let outside = meant(&outside_code(&text));
        for live in ["](//", "]: /", "<img", "https://evil", "www.evil"] {
            prop_assert!(!outside.contains(live), "{:?}: {:?}", answer, text);
        }
    }
}

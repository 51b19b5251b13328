//! The page's pure parts, called in the page itself.

use crate::console;
use anyhow::Result;
use quarry_browser_tests::Time;
use serde_json::json;

#[tokio::test]
async fn frames_are_read_however_the_bytes_are_cut() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    let read = r#"
        const { frameReader } = await import("./connection.js");
        const text = ': hello\r\nid: 1\r\nevent: log\r\ndata: {"a":\r\ndata: 1}\r\n\r\nevent: step\ndata:{}\n\nid: x\ndata\n\nretry: 3\n\nid: 7\nevent: late\ndata: "never ended"';
        const whole = (pieces) => {
          const events = [];
          const push = frameReader(({ id, name, data }) => events.push([id, name, data]));
          pieces.forEach(push);
          return events;
        };
        const expected = JSON.stringify(whole([text]));
        for (let at = 0; at <= text.length; at++) {
          const cut = JSON.stringify(whole([text.slice(0, at), text.slice(at)]));
          if (cut !== expected) throw new Error(`cut at ${at}: ${cut}`);
        }
        if (JSON.stringify(whole([...text])) !== expected) throw new Error("by characters");
        return whole([text]);"#;
    let expected = json!([[1, "log", "{\"a\":\n1}"], [null, "step", "{}"], [null, "message", ""]]);
    assert_eq!(browser.run(read).await?, expected);
    browser.close().await
}

#[tokio::test]
async fn an_ask_that_is_gone_on_with_has_an_id_and_numbers_of_its_own() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    let gone_on = r#"
        const { begin, initial, reduce } = await import("./state.js");
        let state = begin(initial(), null);
        for (const number of [1, 2, 3]) state = reduce(state, "log", {}, number);
        state = begin({ ...state, id: "ask-0000000a" }, { id: "ask-0000000a" });
        const before = [state.id, state.first, state.goesOn];
        state = reduce(state, "init", { id: "ask-0000000b" }, 1);
        return [before, state.id, state.events.slice(state.first).map(({ number }) => number)];"#;
    let expected = json!([[null, 3, true], "ask-0000000b", [1]]);
    assert_eq!(browser.run(gone_on).await?, expected);
    browser.close().await
}

#[tokio::test]
async fn what_stands_in_code_leads_nowhere() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    let links = r#"
        const { render } = await import("./markdown.js");
        const count = (text) => {
          const element = document.createElement("div");
          render(text, element);
          return [element.querySelectorAll("a").length, element.querySelectorAll("img").length];
        };
        return [
          "[a `](https://evil.example)` b",
          "```\n    ```\n[a](https://evil.example)\n```",
          "[a]\\(https:b) [c [d] e] ![f](//evil.example/g.png)",
          "**a `b** https://evil.example c`",
          "[`a`](https://a.example/)",
        ].map(count);"#;
    assert_eq!(browser.run(links).await?, json!([[0, 0], [0, 0], [0, 0], [0, 0], [1, 0]]));
    browser.close().await
}

#[tokio::test]
async fn each_block_runs_in_the_direction_of_its_words() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    let directions = r#"
        const { render } = await import("./markdown.js");
        const element = document.createElement("div");
        document.body.append(element);
        render("كم ارتفاع المنارة؟ 133.\n\n- كم\n\nHow tall?\n\n`x`", element);
        return [...element.children].map((each) => getComputedStyle(each).direction);"#;
    assert_eq!(browser.run(directions).await?, json!(["rtl", "rtl", "ltr", "ltr"]));
    browser.close().await
}

#[tokio::test]
async fn markdown_becomes_the_elements_that_it_means() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    let cases = [
        (
            "a *b* **c** ***d*** ~~e~~ `f*g`",
            "<p>a <em>b</em> <strong>c</strong> <strong><em>d</em></strong> <del>e</del> <code>f*g</code></p>",
        ),
        ("**a `b** c` d**", "<p><strong>a <code>b** c</code> d</strong></p>"),
        ("snake_case_name and 2 * 3 * 4", "<p>snake_case_name and 2 * 3 * 4</p>"),
        ("# A\n\n### B\n\n## C", "<h3>A</h3><h4>B</h4><h4>C</h4>"),
        (
            "- a\n  - b\n    - c\n- d",
            "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>",
        ),
        ("3. a\n4. b", "<ol start=\"3\"><li>a</li><li>b</li></ol>"),
        ("> a\n> b\n\nc", "<blockquote><p>a\nb</p></blockquote><p>c</p>"),
        ("```js\na < b && c\n```", "<pre><code>a &lt; b &amp;&amp; c</code></pre>"),
        ("~~~js `x`\na < b\n~~~", "<pre><code>a &lt; b</code></pre>"),
        ("    ~~~\n    [a](b)\n    ~~~\nc", "<pre><code>    [a](b)</code></pre><p>c</p>"),
        ("see “https://”, there", "<p>see “https://”, there</p>"),
        ("a\n\n---\n\nb", "<p>a</p><hr><p>b</p>"),
        ("a  \nb", "<p>a<br>b</p>"),
        (r"\*a\* \[b\]", "<p>*a* [b]</p>"),
        ("2 < 3 & 4 > 1", "<p>2 &lt; 3 &amp; 4 &gt; 1</p>"),
        ("**unclosed and `open", "<p>**unclosed and `open</p>"),
    ];
    for (markdown, html) in cases {
        let render = format!(
            "const {{ render }} = await import('./markdown.js');
             const element = document.createElement('div');
             render({}, element);
             for (const each of element.querySelectorAll('*')) {{
               each.removeAttribute('class');
               each.removeAttribute('dir');
             }}
             return element.innerHTML;",
            json!(markdown)
        );
        assert_eq!(browser.run(&render).await?, html, "{markdown}");
    }
    browser.close().await
}

#[tokio::test]
async fn a_table_is_as_big_as_its_text_and_marks_without_an_end_are_text() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    let shape = r#"
        const { render } = await import("./markdown.js");
        const drawn = (text) => {
          const element = document.createElement("div");
          render(text, element);
          return element;
        };
        const table = (columns, rows) => `${"a|".repeat(columns)}\n${"-|".repeat(columns)}\n${rows}`;
        const short = drawn(table(64, "|\n".repeat(4000)));
        const wide = drawn(table(2000, "|\n".repeat(300)));
        const cells = [...drawn(table(3, "x|y\nx|y|z|more\n")).querySelectorAll("td")];
        return [
          short.querySelectorAll("td").length,
          wide.querySelectorAll("td").length,
          wide.textContent.length,
          cells.map((each) => [each.textContent, each.colSpan]),
          drawn("*a ".repeat(8000)).firstChild.childNodes.length,
          drawn("[".repeat(24_000)).textContent.length,
          // Code that nothing closes: looked for behind each of them by itself, it would outlast what a script may take.
          drawn("\\`` ".repeat(200_000)).textContent.length,
          drawn("[[[a](b)](c)](https://d.example/) http://e.example/f(g)).").innerHTML.replace(/ (?:target|rel)="[^"]*"/g, ""),
        ];"#;
    let expected = json!([
        8000,
        0,
        8601,
        [["x", 1], ["y", 1], ["", 1], ["x", 1], ["y", 1], ["z", 1]],
        1,
        24_000,
        599_999,
        "<p dir=\"auto\"><a href=\"https://d.example/\">a</a> <a href=\"http://e.example/f(g)\">http://e.example/f(g)</a>).</p>",
    ]);
    assert_eq!(browser.run(shape).await?, expected);
    browser.close().await
}

#[tokio::test]
async fn a_text_that_grows_ends_as_if_it_had_come_at_once() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    let text = quarry_browser_tests::answer_of_several_kinds();
    let grow = format!(
        "const {{ render }} = await import('./markdown.js');
         const text = {};
         const [grown, once] = [document.createElement('div'), document.createElement('div')];
         for (let at = 1; at <= text.length; at++) render(text.slice(0, at), grown);
         render(text, once);
         return grown.innerHTML === once.innerHTML && once.childNodes.length;",
        json!(text)
    );
    assert_eq!(browser.run(&grow).await?, 7);
    browser.close().await
}

#[tokio::test]
async fn sums_and_times_are_written_as_people_read_them() -> Result<()> {
    let Some((browser, _fake)) = console(Time::Real).await? else { return Ok(()) };
    let words = r#"
        const { clockTime, dollars, duration, tokens, host } = await import("./words.js");
        const { outcome } = await import("./state.js");
        return [
          dollars({ usd: 0, known: true }), dollars({ usd: 0.000123, known: true }), dollars({ usd: 0.0421, known: true }),
          dollars({ usd: 12.5, known: true }), dollars({ usd: 1, known: false }),
          duration(12), duration(1234), duration(75_000), duration(undefined), clockTime(3661), clockTime(-1),
          tokens({ input: 12_000, output: 345 }),
          outcome({ state: "done", result: { results: [1] } }), outcome({ state: "done", result: { error: "x" } }),
          outcome({ state: "ended" }), host("https://www.example.org:8080/x"), host("nonsense"),
        ];"#;
    let expected = json!([
        "$0",
        "$0.00012",
        "$0.0421",
        "$12.50",
        "price unknown",
        "12 ms",
        "1.2 s",
        "1:15",
        "",
        "1:01:01",
        "0:00",
        "12,345 tokens",
        "1 result",
        "failed",
        "not finished",
        "example.org:8080",
        "nonsense",
    ]);
    assert_eq!(browser.run(words).await?, expected);
    browser.close().await
}

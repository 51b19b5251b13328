//! What pages look like as Markdown and as plain text.

use super::*;
use crate::extract::Skip;
use proptest::prelude::*;

mod tables;

const LIMIT: usize = 1 << 20;

fn both(html: &str) -> (String, String) {
    let tree = crate::html::parse(html);
    let base = Url::parse("https://example.com/dir/page").unwrap();
    let input = Input {
        tree: &tree,
        roots: &[0],
        skip: &Skip::default(),
        base: &base,
        title: None,
        limit: LIMIT,
    };
    (render(&input, Style::Markdown).text, render(&input, Style::Plain).text)
}

fn markdown(html: &str) -> String {
    both(html).0
}

#[test]
fn headings_paragraphs_and_marks() {
    assert_eq!(
        both(
            "<h2>Title <b>x</b></h2><p>One <b>bold</b> and <i> slanted </i>word, <code>x = 1</code>.<br>Next<p>Two"
        ),
        (
            "## Title **x**\n\nOne **bold** and *slanted* word, `x = 1`.\nNext\n\nTwo".to_owned(),
            "Title x\n\nOne bold and slanted word, x = 1.\nNext\n\nTwo".to_owned()
        )
    );
}

#[test]
fn powers_and_footnotes_stay_apart_from_the_number_before() {
    assert_eq!(
        both("<p>10<sup>6</sup> m<sup>2</sup>, faster.<sup><a href=#f1>1</a></sup> The 1<sup>st</sup> <sup>3</sup>He").1,
        "10^6 m^2, faster.^1 The 1st 3He"
    );
}

#[test]
fn plain_text_keeps_the_marks_of_lists() {
    assert_eq!(both("<ul><li>a<ol start=3><li>b<p>b2</ol><li><p>c</ul>").1, "- a\n3. b\nb2\n- c");
}

#[test]
fn a_heading_is_one_line() {
    assert_eq!(
        markdown("<h3><div>About</div><p>this<br>book</p><ul><li>x</ul></h3><p>t"),
        "### About this book x\n\nt"
    );
}

#[test]
fn links_are_absolute_and_work_around_blocks() {
    assert_eq!(
        markdown(
            "<p>See <a href='../x?a=1'>the [x]</a>, <a href='#top'>up</a>, <a href='javascript:y'>y</a>."
        ),
        "See [the \\[x\\]](https://example.com/x?a=1), up, y."
    );
    assert_eq!(
        markdown("<a href=/card><div><h3>Card</h3><p>Words</p></div></a>"),
        "### [Card](https://example.com/card)\n\nWords"
    );
    assert_eq!(markdown(&format!("<a href='/{}'>t</a>", "a".repeat(2048))), "t");
    assert_eq!(markdown("<a href='/a (b)'>t</a>"), "[t](https://example.com/a%20%28b%29)");
}

#[test]
fn lists_nest_and_number() {
    assert_eq!(
        markdown(
            "<p>Before<ul><li>a<li><p>b</p><p>more</p><ol start=3><li>c<li>d</ol></ul><p>After"
        ),
        "Before\n\n- a\n- b\n  more\n  3. c\n  4. d\n\nAfter"
    );
    assert_eq!(markdown("<ul><li><ul><li>x</ul></ul>"), "  - x");
}

#[test]
fn quotes_and_code() {
    assert_eq!(markdown("<blockquote><p>a</p><p>b</p></blockquote>"), "> a\n\n> b");
    assert_eq!(
        markdown("<pre><code class='hljs language-rust'>fn main() {\n    x();\n}\n</code></pre>"),
        "```rust\nfn main() {\n    x();\n}\n```"
    );
    assert_eq!(markdown("<pre>a ``` b</pre>"), "````\na ``` b\n````");
    assert_eq!(markdown("<p>- not a list"), "\\- not a list");
}

#[test]
fn tables_of_data_and_of_layout() {
    assert_eq!(
        markdown("<table><tr><th>A<th>B|C<tr><td>1<td>2</table>"),
        "| A | B\\|C |\n| --- | --- |\n| 1 | 2 |"
    );
    assert_eq!(both("<table><tr><th>A<th>B|C<tr><td>1<td>2</table>").1, "A\tB|C\n1\t2");
    assert_eq!(markdown("<table><tr><td><h1>Site</h1><td><p>Text</table>"), "# Site\n\nText");
}

#[test]
fn hidden_things_stay_hidden() {
    assert_eq!(
        markdown(
            "<div>a<script>x</script><style>y</style><template><p>z</template><svg><title>w</title></svg><noscript>n</noscript>b</div>"
        ),
        "ab"
    );
}

#[test]
fn the_limit_holds() {
    let tree = crate::html::parse(&"<p>word word</p>".repeat(1000));
    let base = Url::parse("https://example.com/").unwrap();
    let rendered = render(
        &Input {
            tree: &tree,
            roots: &[0],
            skip: &Skip::default(),
            base: &base,
            title: None,
            limit: 100,
        },
        Style::Markdown,
    );
    assert!(rendered.truncated && rendered.text.len() <= 100);
}

proptest! {
    #[test]
    fn any_soup_renders(parts in proptest::collection::vec(proptest::sample::select(vec![
        "<div>", "</div>", "<p>", "<ul>", "<li>", "</ul>", "<ol start=99999999999999999999>", "<table>", "<tr>", "<td>", "</table>", "<b>", "</b>",
        "<a href=x>", "</a>", "text ", "<h1>", "</h1>", "<br>", "<pre>", "</pre>", "<blockquote>", "</blockquote>", "<code>", "</code>", "é", "\n",
        "<hr>", "<q>", "<dl>", "<dt>", "<dd>", "`", "|",
    ]), 0..60)) {
        let (markdown, plain) = both(&parts.concat());
        prop_assert!(plain.len() <= 4_000 && markdown.len() <= 100_000);
    }
}

/// Marks before each line, and marks around a text within each other, would make much of little.
#[test]
fn what_nests_costs_its_bytes() {
    let lines = format!("{}<pre>x{}x", "<blockquote>".repeat(190), "\n".repeat(100_000));
    assert!(markdown(&lines).len() < 2 * LIMIT, "{}", markdown(&lines).len());
    let brackets = "[".repeat(20_000);
    let links = format!("<h2>{}a{brackets}", "<a href=/x><table>".repeat(90));
    let told = markdown(&links);
    assert!(told.contains("a") && told.len() < 20 * brackets.len(), "{}", told.len());
    let bold = format!("<p>{}text", "<s><b>".repeat(90));
    assert!(markdown(&bold).contains("text"));
}

//! How long pages take that were made to take long, at 1, 2, 4 and 8 MiB: a time that grows faster than its page is one
//! that somebody will make.
//!
//! For people: `cargo test --release -p quarry-pages growth -- --ignored --nocapture`.

use crate::docx;
use crate::extent::Extent;
use crate::page::{self, Headers, Wanted};
use std::time::Instant;
use url::Url;

type Made = fn(usize) -> String;
type AnyMade = Box<dyn Fn(usize) -> Vec<u8>>;

const PROSE: &str = "<p>A sentence of some words, and another one, which goes on.</p>";

const HTML: [(&str, Made); 28] = [
    ("headings", |size| "<h2>a</h2>".repeat(size / 10)),
    ("headings with text", |size| format!("<h2>a</h2>{PROSE}").repeat(size / 75)),
    ("elements that nest", |size| "<div>".repeat(size / 5)),
    ("elements that are ended twice", |size| {
        "<div>".repeat(size / 9) + &"</p></b>".repeat(size / 18)
    }),
    ("lists that nest", |size| "<ul><li>a".repeat(size / 9)),
    ("links", |size| "<a href=/x>y z</a> ".repeat(size / 19)),
    ("links that nest", |size| "<a href=x>y".repeat(size / 11)),
    ("different links", |size| {
        (0..size / 24).map(|at| format!("<a href=/{at}>y {at}</a> ")).collect()
    }),
    ("tables that nest", |size| "<table><tr><td>x".repeat(size / 16)),
    ("one wide table", |size| format!("<table><tr>{}", "<td>x".repeat(size / 5))),
    ("one long table", |size| format!("<table>{}", "<tr><td>x<td>y".repeat(size / 14))),
    ("one attribute", |size| format!("<p title='{}'>x</p>", "a ".repeat(size / 2))),
    ("many attributes", |size| {
        format!("<p {}>x</p>", (0..size / 10).map(|at| format!("a{at}=b ")).collect::<String>())
    }),
    ("one text", |size| format!("<p>{}", "word ".repeat(size / 5))),
    ("one word", |size| format!("<p>{}", "w".repeat(size))),
    ("references", |size| format!("<p>{}", "&amp;&lt;&unknown;".repeat(size / 18))),
    ("paragraphs", |size| PROSE.repeat(size / 64)),
    ("the same paragraph in boxes", |size| {
        format!("<div><div>{PROSE}</div></div>").repeat(size / 86)
    }),
    ("hidden boxes", |size| {
        format!("<main>{}{}", "<div hidden>".repeat(size / 24), PROSE.repeat(size / 128))
    }),
    ("quotes within posts", |size| {
        format!("<main>{}", "<div class=post><blockquote>x y z a b.".repeat(size / 38))
    }),
    ("posts", |size| {
        format!("<main>{}", format!("<div class=post><p>x y z a b.{PROSE}</div>").repeat(size / 99))
    }),
    ("lines of different words", |size| {
        (0..size / 22).map(|at| format!("<p>line {at} says.</p>")).collect()
    }),
    ("remarks below long names", |size| {
        let name = format!("<div class=xomment{}>", "a".repeat(8180));
        name.repeat(size / 17_000) + &"<p class=comments>".repeat(size / 36)
    }),
    ("headings around nothing", |size| "<div><h2>".repeat(99) + &"<i></i>".repeat(size / 7)),
    ("marks in brackets", |size| {
        format!("[ab{}]", " c='x'".repeat(size / 18)) + &"[ab c='x']y[/ab]".repeat(size / 24)
    }),
    ("marks in brackets that are open", |size| "[ab c='x' ".repeat(size / 10) + "]"),
    ("marks", |size| "<b><i>x".repeat(size / 7)),
    ("data of a script", |size| {
        format!("<script type=application/ld+json>{}</script>{PROSE}", "[".repeat(size))
    }),
];

const OTHER: [(&str, &str, Made); 7] = [
    ("JSON that nests", "application/json", |size| {
        "[".repeat(100) + &"1,".repeat(size / 2) + "1" + &"]".repeat(100)
    }),
    ("JSON that is open", "application/json", |size| "[".repeat(size)),
    ("a feed", "application/rss+xml", |size| {
        format!(
            "<rss><channel>{}",
            "<item><title>a</title><link>/1</link></item>".repeat(size / 44)
        )
    }),
    ("a feed with references", "application/rss+xml", |size| {
        format!(
            "<!DOCTYPE a [<!ENTITY b 'c'>]><rss><channel><item><title>{}",
            "&b;".repeat(size / 3)
        )
    }),
    ("a feed that nests", "application/rss+xml", |size| {
        format!("<rss><channel>{}", "<item>".repeat(size / 6))
    }),
    ("Markdown", "text/markdown", |size| "# a\n".repeat(size / 4)),
    ("one line", "text/plain", |size| "w ".repeat(size / 2)),
];

const WORD: [(&str, Made); 8] = [
    ("paragraphs of Word", |size| "<w:p><w:r><w:t>a b</w:t></w:r></w:p>".repeat(size / 36)),
    ("tables of Word that nest", |size| "<w:tbl><w:tr><w:tc><w:p><w:t>x".repeat(size / 30)),
    ("a row of Word", |size| {
        format!("<w:tbl><w:tr>{}", "<w:tc><w:p><w:t>x</w:t></w:p></w:tc>".repeat(size / 36))
    }),
    ("rows of Word", |size| {
        format!("<w:tbl>{}", "<w:tr><w:tc><w:p><w:t>x</w:t></w:p></w:tc></w:tr>".repeat(size / 50))
    }),
    ("references in Word", |size| format!("<w:p><w:t>{}", "&a;&amp;".repeat(size / 8))),
    ("attributes of Word", |size| format!("<w:pStyle {}/>", "a='b' ".repeat(size / 6))),
    ("elements of Word that nest", |size| "<w:x>".repeat(size / 5)),
    ("one text of Word", |size| format!("<w:p><w:t>{}", "x".repeat(size))),
];

fn docx(body: &str) -> Vec<u8> {
    let document = format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>"
    );
    docx::tests::package(&[("word/document.xml", document.as_bytes())])
}

#[test]
#[ignore = "measures"]
fn how_long_pages_take() {
    let mut made: Vec<(&str, &str, AnyMade)> = Vec::new();
    for (what, make) in HTML {
        made.push((what, "text/html", Box::new(move |size| make(size).into_bytes())));
    }
    for (what, kind, make) in OTHER {
        made.push((what, kind, Box::new(move |size| make(size).into_bytes())));
    }
    for (what, make) in WORD {
        made.push((what, docx::MEDIA_TYPE, Box::new(move |size| docx(&make(size)))));
    }
    let url = Url::parse("https://example.test/").unwrap();
    for (what, content_type, make) in made {
        let mut took = Vec::new();
        for size in [1 << 20, 2 << 20, 4 << 20, 8 << 20] {
            let body = make(size);
            let headers = Headers { content_type, ..Headers::default() };
            let wanted = Wanted { text: true, passages: true, extent: Extent::AtHand };
            let begun = Instant::now();
            let read = page::read(&headers, &body, &url, wanted);
            let told =
                read.map_or_else(|error| error.to_string(), |read| read.markdown.len().to_string());
            took.push(format!("{:>5} ms {told:.20}", begun.elapsed().as_millis()));
        }
        println!("{what:<32} {}", took.join(" | "));
    }
}

//! How long documents take that were made to take long, at 2, 4, 8 and 20 MB.
//!
//! For people: `cargo test --release -p quarry-knowledge --test growth -- --ignored --nocapture`.

#![cfg(test)]

use quarry_knowledge::chunk;
use quarry_knowledge::document::{Document, Format};
use std::time::Instant;

type Made = fn(usize) -> String;

const MADE: [(&str, Format, Made); 18] = [
    ("headings", Format::Markdown, |size| "# a\n".repeat(size / 4)),
    ("headings of all levels", Format::Markdown, |size| {
        (0..size / 12).map(|at| format!("{} h{at}\n", "#".repeat(at % 6 + 1))).collect()
    }),
    ("lines under lines", Format::Markdown, |size| "a\n===\n".repeat(size / 6)),
    ("signs of headings", Format::Markdown, |size| "#".repeat(size)),
    ("fences", Format::Markdown, |size| "```\n".repeat(size / 4)),
    ("one line", Format::Markdown, |size| "w ".repeat(size / 2)),
    ("one word", Format::Markdown, |size| "w".repeat(size)),
    ("blank lines", Format::Markdown, |size| "\n".repeat(size - 1) + "x"),
    ("blanks", Format::Text, |size| " ".repeat(size - 1) + "x"),
    ("sentences", Format::Text, |size| "A. ".repeat(size / 3)),
    ("front matter", Format::Markdown, |size| {
        format!("---\n{}---\ntext", "a: b\n".repeat(size / 5))
    }),
    ("a list in front matter", Format::Markdown, |size| {
        format!("---\na: [{}]\n---\ntext", "b,".repeat(size / 2))
    }),
    ("columns", Format::Csv, |size| "a,".repeat(size / 2)),
    ("one row", Format::Csv, |size| format!("a\n{}", "b,".repeat(size / 2))),
    ("rows", Format::Csv, |size| format!("a,b\n{}", "1,2\n".repeat(size / 4))),
    ("one open cell", Format::Csv, |size| format!("a\n\"{}", "b\n".repeat(size / 2))),
    ("values of JSON", Format::Json, |size| format!("[{}1]", "1,".repeat(size / 2))),
    ("JSON that nests", Format::Json, |size| {
        format!(
            "[{}1]",
            format!("{}1{},", "{\"a\":".repeat(100), "}".repeat(100)).repeat(size / 700)
        )
    }),
];

#[test]
#[ignore = "measures"]
fn how_long_documents_take() {
    for (what, format, make) in MADE {
        let mut took = Vec::new();
        for size in [2_000_000, 4_000_000, 8_000_000, 20_000_000] {
            let text = make(size);
            let begun = Instant::now();
            let read = Document::read("a", format, None, text.as_bytes());
            let told = match read {
                Ok(document) => format!("{} chunks", chunk::chunks(&document, &[]).len()),
                Err(error) => error.to_string(),
            };
            took.push(format!("{:>5} ms {told:.20}", begun.elapsed().as_millis()));
        }
        println!("{what:<24} {}", took.join(" | "));
    }
}

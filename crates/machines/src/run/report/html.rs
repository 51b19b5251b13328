//! A report as one HTML page: no script, nothing from elsewhere, light and dark, fit to be printed.
//!
//! It is written from what sections consist of and not from their Markdown, so no text becomes markup.

use super::block::{Block, Inline, Item};
use super::words::{Language, Words};
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");

/// What a page shows beside its sections.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    /// The task.
    pub title: &'a str,
    /// A line of facts below it.
    pub facts: &'a str,
    /// The language of the fixed words.
    pub language: Language,
}

/// The page.
pub fn page(head: Head<'_>, sections: &[(u32, &str, &[Block])]) -> String {
    let words = head.language.words();
    let mut out = String::from("<!doctype html>\n");
    let (tag, title) = (head.language.tag(), escaped(head.title));
    let _ = write!(
        out,
        "<html lang=\"{tag}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    let (report, facts) = (escaped(words.report), escaped(head.facts));
    let _ = write!(
        out,
        "<header>\n<p class=\"kind\">{report}</p>\n<h1 dir=\"auto\">{title}</h1>\n<p class=\"facts\">{facts}</p>\n"
    );
    contents(&mut out, words, sections);
    out.push_str("</header>\n<main>\n");
    for (number, title, blocks) in sections {
        let title = escaped(title);
        let _ = writeln!(out, "<section id=\"s{number}\">\n<h2><span>{number}</span> {title}</h2>");
        blocks.iter().for_each(|it| block(&mut out, it));
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn contents(out: &mut String, words: &Words, sections: &[(u32, &str, &[Block])]) {
    let _ = writeln!(out, "<nav aria-label=\"{}\">\n<ol>", escaped(words.contents));
    for (number, title, _) in sections {
        let _ = writeln!(out, "<li><a href=\"#s{number}\">{}</a></li>", escaped(title));
    }
    out.push_str("</ol>\n</nav>\n");
}

fn block(out: &mut String, block: &Block) {
    match block {
        Block::Paragraph(content) => {
            out.push_str("<p dir=\"auto\">");
            line(out, content);
            out.push_str("</p>\n");
        }
        Block::Heading(text) => {
            let _ = writeln!(out, "<h3 dir=\"auto\">{}</h3>", escaped(text));
        }
        Block::List(items) => {
            out.push_str("<ul>\n");
            items.iter().for_each(|it| item(out, it, None));
            out.push_str("</ul>\n");
        }
        Block::Sources(items) => {
            out.push_str("<ol class=\"sources\">\n");
            (1..).zip(items).for_each(|(n, it)| item(out, it, Some(n)));
            out.push_str("</ol>\n");
        }
        Block::Table(head, rows) => table(out, head, rows),
    }
}

fn item(out: &mut String, item: &Item, source: Option<usize>) {
    match source {
        Some(n) => {
            let _ = write!(out, "<li id=\"source-{n}\" dir=\"auto\">");
        }
        None => out.push_str("<li dir=\"auto\">"),
    }
    line(out, &item.content);
    if !item.below.is_empty() {
        out.push_str("\n<ul>\n");
        for content in &item.below {
            out.push_str("<li dir=\"auto\">");
            line(out, content);
            out.push_str("</li>\n");
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</li>\n");
}

fn table(out: &mut String, head: &[String], rows: &[Vec<String>]) {
    out.push_str("<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>");
    for cell in head {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(cell));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<td dir=\"auto\">{}</td>", escaped(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

fn line(out: &mut String, content: &[Inline]) {
    for inline in content {
        let _ = match inline {
            Inline::Text(text) => write!(out, "{}", escaped(text)),
            Inline::Strong(text) => write!(out, "<strong>{}</strong>", escaped(text)),
            Inline::Quiet(text) => write!(out, "<small>{}</small>", escaped(text)),
            Inline::Quote(text) => write!(out, "<q>{}</q>", escaped(text)),
            Inline::Link { words, address: Some(address) } => {
                write!(
                    out,
                    "<a href=\"{}\" rel=\"noreferrer\">{}</a>",
                    escaped(address),
                    escaped(words)
                )
            }
            Inline::Link { words, address: None } => write!(out, "{}", escaped(words)),
            Inline::Cite { n, address: Some(address), .. } => {
                write!(
                    out,
                    "<a class=\"cite\" href=\"{}\" rel=\"noreferrer\">[{n}]</a>",
                    escaped(address)
                )
            }
            Inline::Cite { n, address: None, .. } => {
                write!(out, "<a class=\"cite\" href=\"#source-{n}\">[{n}]</a>")
            }
        };
    }
}

/// A text that is no markup, between tags and in quotation marks.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // HTML has no such characters.
            _ if c.is_control() => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

//! Agreement with the page's own data: where JSON-LD holds the article's text, paragraphs of which it
//! knows nothing are no part of the article.

use super::edges::leave_out;
use super::lines::{Kind, Line};
use super::skip::Skip;
use crate::html::{Tree, tree::push_collapsed};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Words in a row that are compared.
const ROW: usize = 4;
/// Per cent of the prose that the data must know to be believed.
const KNOWN: usize = 80;
/// Per cent of a line that the data must know.
const LINE: usize = 20;

/// Marks and removes the lines of which `body` knows nothing.
pub fn mark(tree: &Tree, body: &str, lines: &mut Vec<Line>, skip: &mut Skip) {
    let known: HashSet<u64> = rows(body).into_iter().collect();
    let counts: Vec<(usize, usize)> = lines
        .iter()
        .map(|line| {
            let rows = rows(&text(tree, line));
            (rows.len(), rows.iter().filter(|row| known.contains(row)).count())
        })
        .collect();
    let prose = lines.iter().zip(&counts).filter(|(line, _)| line.is_prose());
    let (all, found) =
        prose.fold((0, 0), |(all, found), (_, (rows, hits))| (all + rows, found + hits));
    if all == 0 || found * 100 < all * KNOWN {
        return;
    }
    // The data may lack what leads to the text.
    let first = counts.iter().position(|(_, hits)| *hits > 0).unwrap_or(0);
    leave_out(tree, lines, skip, |index, line| {
        let (rows, hits) = counts.get(index).copied().unwrap_or_default();
        index > first && line.kind == Kind::Plain && rows > 0 && hits * 100 < rows * LINE
    });
}

/// What a line says.
pub fn text(tree: &Tree, line: &Line) -> String {
    let mut text = String::new();
    for at in line.nodes.clone().filter(|at| tree.tag(*at).is_none()) {
        push_collapsed(&mut text, tree.text(at));
    }
    text
}

/// The words of a text, lower case.
pub fn words(text: &str) -> Vec<String> {
    let parts = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// Hashes of the words in a row.
pub fn rows(text: &str) -> Vec<u64> {
    let words = words(text);
    let hash = |row: &[String]| {
        let mut hasher = DefaultHasher::new();
        row.hash(&mut hasher);
        hasher.finish()
    };
    words.windows(ROW).map(hash).collect()
}

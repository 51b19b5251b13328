//! The lines of an article that are no part of its text: dates and names before the first paragraph,
//! buttons and tags after the last, links that stand alone, who made a picture, headings without a text.

use super::agree;
use super::lines::{Kind, Line};
use super::measure::is_below;
use super::skip::Skip;
use crate::html::{Tag, Tree};

/// Per cent of a line that are links when it only leads on.
const LINK_SHARE: u64 = 75;
/// Characters of short lines before the first paragraph; more of them are a table of some kind.
const MAX_HEAD: u32 = 300;
/// Where more than one heading of so many has no text below it, headings are text.
const FEW: usize = 4;

/// Marks and removes the lines; `title` is the headline, if it is among them.
pub fn mark(tree: &Tree, title: Option<u32>, lines: &mut Vec<Line>, skip: &mut Skip) {
    let above = |line: &Line| title.is_some_and(|title| line.nodes.start < title);
    leave_out(tree, lines, skip, |_, line| above(line) && !line.is_prose());
    leave_out(tree, lines, skip, |_, line| line.kind == Kind::Plain && leads_on(line));
    leave_out(tree, lines, skip, |_, line| is_credit(tree, line));
    let Some(first) = lines.iter().position(Line::is_prose) else { return };
    let last = lines.iter().rposition(Line::is_prose).unwrap_or(first);
    let head: u32 = lines.iter().take(first).map(|line| line.text).sum();
    let first = if head > MAX_HEAD { 0 } else { first };
    let end = lines.iter().rposition(ends_text).unwrap_or(last).max(last);
    leave_out(tree, lines, skip, |index, line| {
        if index < first {
            line.kind == Kind::Plain && !line.sentence || line.kind == Kind::Item && leads_on(line)
        } else if index > last {
            // A heading stays with what stays below it.
            !(ends_text(line) || index < end && line.kind.is_heading())
        } else {
            false
        }
    });
    mark_bare_headings(tree, lines, skip);
}

/// Marks and removes the lines for which `is_out` says so.
pub fn leave_out(
    tree: &Tree,
    lines: &mut Vec<Line>,
    skip: &mut Skip,
    is_out: impl Fn(usize, &Line) -> bool,
) {
    let mut index = 0;
    lines.retain(|line| {
        let out = is_out(index, line);
        index += 1;
        if out {
            line.mark(tree, skip);
        }
        !out
    });
}

fn leads_on(line: &Line) -> bool {
    !is_below(line.links, line.text, LINK_SHARE)
}

/// Whether a line after the last paragraph may belong to the text.
fn ends_text(line: &Line) -> bool {
    line.links * 2 < line.text
        && match line.kind {
            Kind::Item | Kind::Set => true,
            // What asks after the text is over asks the reader.
            Kind::Plain => line.sentence && !line.asks,
            Kind::Heading(_) => false,
        }
}

/// Characters of a line that says who made a picture are fewer.
const CREDIT: u32 = 100;

/// What such lines begin with, lower case: what it is, or that it is said who made it.
const CREDITS: &[&str] = &[
    "photo",
    "photos",
    "photograph",
    "photographs",
    "picture",
    "image",
    "images",
    "credit",
    "credits",
    "copyright",
    "foto",
    "fotos",
    "bild",
    "bilder",
    "beitragsbild",
    "titelbild",
    "symbolbild",
    "symbolfoto",
    "bildquelle",
    "bildnachweis",
    "crédit",
    "crédits",
    "crédito",
    "créditos",
    "imagen",
    "imágenes",
    "imagem",
    "immagine",
    "zdj",
    "fot",
];

/// Whether a line says who made a picture: `Photo: Ada Lund`, `(Bild: Ada Lund)`, `© Ada Lund`.
fn is_credit(tree: &Tree, line: &Line) -> bool {
    if line.kind != Kind::Plain || line.text >= CREDIT {
        return false;
    }
    let text = agree::text(tree, line);
    let text = text.trim_start().trim_start_matches(['(', '[']);
    let Some((label, who)) = text.split_once([':', '©']) else { return false };
    // Before the mark stand no more than two words: `Photo credit: Ada Lund`.
    let label = label.to_lowercase();
    let mut words = label.split_whitespace();
    match (words.next(), words.nth(1)) {
        (None, _) => text.starts_with('©'),
        (Some(first), None) => {
            CREDITS.contains(&first.trim_end_matches('.'))
                && (begins_with_name(who) || is_beside_picture(tree, line))
        }
        _ => false,
    }
}

/// Whether a text begins as a name does: `Credits: 15` names nobody.
fn begins_with_name(text: &str) -> bool {
    text.trim_start_matches(|char: char| !char.is_alphanumeric()).starts_with(char::is_uppercase)
}

/// How many nodes on each side of something are searched for its picture.
pub const NEAR: usize = 40;

/// Whether it is a picture.
pub fn is_picture(tree: &Tree, at: u32) -> bool {
    matches!(tree.tag(at), Some(Tag::Img | Tag::Picture))
}

/// Whether a picture stands before or behind a line, and no other text between them.
fn is_beside_picture(tree: &Tree, line: &Line) -> bool {
    let is_text = |at: &u32| tree.tag(*at).is_none() && !tree.text(*at).trim().is_empty();
    let before = (0..line.nodes.start).rev().take(NEAR).take_while(|at| !is_text(at));
    let behind = (line.nodes.end..tree.len()).take(NEAR).take_while(|at| !is_text(at));
    before.chain(behind).any(|at| is_picture(tree, at))
}

/// Marks headings with nothing below them, where others have a text.
fn mark_bare_headings(tree: &Tree, lines: &[Line], skip: &mut Skip) {
    let (mut below, mut text, mut headings) = (0, false, 0);
    let mut bare = Vec::new();
    for line in lines.iter().rev() {
        let Kind::Heading(level) = line.kind else {
            text = true;
            continue;
        };
        headings += 1;
        // Another of the same rank or above follows at once, or nothing.
        if !text && level >= below && level > 1 {
            bare.push(line);
        } else {
            (below, text) = (level, false);
        }
    }
    if bare.len() * FEW <= headings {
        bare.into_iter().for_each(|line| line.mark(tree, skip));
    }
}

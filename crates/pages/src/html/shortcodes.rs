//! Shortcodes: marks in square brackets that a site's software should have replaced (`[vc_row]`, `[gallery ids="1,2"]`)
//! and that stand in a page's text where it did not. They are taken out; what they stand around stays.
//!
//! Border: people and programs write brackets, too. What has no end of its own and no name that such software gives is
//! left: `[1]`, `[sic]`, `[citation needed]`, `[error code="3"]`. So is what stands in code.

use super::tag::Tag;
use super::tree::{Kind, Tree};
use std::collections::HashSet;

/// What the names begin with that builders of pages give to their marks.
const BUILDERS: &[&str] = &[
    "vc_",
    "et_pb_",
    "fusion_",
    "av_",
    "su_",
    "nectar_",
    "wpforms",
    "contact-form",
    "rev_slider",
    "elementor-template",
];

/// Marks that the commonest such software has by itself; their attributes need no quotes.
const CORE: &[&str] = &["caption", "wp_caption", "gallery", "playlist", "audio", "video", "embed"];

/// What parts of a page are called, whoever names them.
const PARTS: &[&str] = &[
    "row",
    "col",
    "column",
    "columns",
    "section",
    "container",
    "tab",
    "tabs",
    "toggle",
    "toggles",
    "accordion",
    "button",
    "slider",
    "slide",
    "spacer",
    "divider",
    "dropcap",
    "highlight",
];

/// What marks are named that stand within words.
const WITHIN: &[&str] = &["dropcap", "highlight"];

const DOUBLE: [char; 5] = ['"', '“', '”', '„', '″'];
const SINGLE: [char; 4] = ['\'', '‘', '’', '′'];

/// Takes them out of the texts of a page.
pub fn take_out(tree: &mut Tree) {
    let texts = with_brackets(tree);
    let mut names = Names::default();
    for text in &texts {
        marks(tree.text(*text)).for_each(|mark| names.learn(&mark));
    }
    let cleaned: Vec<(u32, String)> =
        texts.into_iter().filter_map(|at| Some((at, names.without(tree.text(at))?))).collect();
    for (at, text) in cleaned {
        let range = tree.store(&text);
        if let Some(node) = tree.nodes.get_mut(at as usize) {
            node.kind = Kind::Text(range);
        }
    }
}

/// The texts that hold a bracket, but for code.
fn with_brackets(tree: &Tree) -> Vec<u32> {
    let mut code_until = 0;
    let mut found = Vec::new();
    for at in 0..tree.len() {
        match tree.tag(at) {
            Some(Tag::Pre | Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt) => {
                code_until = code_until.max(tree.end(at));
            }
            None if at >= code_until
                && memchr::memchr(b'[', tree.text(at).as_bytes()).is_some() =>
            {
                found.push(at);
            }
            _ => {}
        }
    }
    found
}

/// What may be a shortcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark<'a> {
    /// Where its brackets are.
    from: usize,
    to: usize,
    name: &'a str,
    kind: MarkKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MarkKind {
    /// `[/name]`
    End,
    /// `[name]`
    Bare,
    /// `[name key=value]`
    Attributes,
    /// `[name key="value"]`
    Quoted,
    /// `[name and words]`
    Words,
}

/// What a page's marks are named, as far as their names tell that they are none of people's.
#[derive(Default)]
struct Names {
    begun: HashSet<String>,
    /// Those that begin and end.
    paired: HashSet<String>,
    /// Those that have attributes.
    taken: HashSet<String>,
}

impl Names {
    fn learn(&mut self, mark: &Mark<'_>) {
        let name = || mark.name.to_owned();
        match mark.kind {
            MarkKind::End if self.begun.contains(mark.name) => _ = self.paired.insert(name()),
            MarkKind::Attributes if CORE.contains(&mark.name) => _ = self.taken.insert(name()),
            MarkKind::Quoted if is_known(mark.name) => _ = self.taken.insert(name()),
            // People quote in brackets, too.
            MarkKind::Quoted if mark.name != "quote" => _ = self.begun.insert(name()),
            MarkKind::Bare | MarkKind::Attributes if is_part(mark.name) => {
                _ = self.begun.insert(name());
            }
            MarkKind::Quoted
            | MarkKind::End
            | MarkKind::Bare
            | MarkKind::Attributes
            | MarkKind::Words => {}
        }
    }

    /// Whether a mark is a shortcode.
    fn know(&self, mark: &Mark<'_>) -> bool {
        let built = BUILDERS.iter().any(|builder| mark.name.starts_with(builder));
        let paired = self.paired.contains(mark.name);
        built
            || match mark.kind {
                MarkKind::Quoted => is_known(mark.name) || paired,
                MarkKind::Attributes => CORE.contains(&mark.name) || paired,
                MarkKind::End => paired || self.taken.contains(mark.name),
                MarkKind::Bare => paired,
                MarkKind::Words => false,
            }
    }

    /// A text without its shortcodes; none where it has none.
    fn without(&self, text: &str) -> Option<String> {
        let mut out = String::new();
        let mut from = 0;
        let mut found = marks(text).filter(|mark| self.know(mark)).peekable();
        found.peek()?;
        for mark in found {
            out.push_str(text.get(from..mark.from).unwrap_or_default());
            from = mark.to;
            if !WITHIN.iter().any(|part| mark.name.contains(part)) {
                part(&mut out, text.get(from..).unwrap_or_default());
            }
        }
        out.push_str(text.get(from..).unwrap_or_default());
        Some(out)
    }
}

/// What stood on both sides of a mark stays apart.
fn part(out: &mut String, rest: &str) {
    let ends = out.chars().next_back().is_some_and(|last| !last.is_whitespace());
    if ends && rest.starts_with(|next: char| next.is_alphanumeric() || next == '[') {
        out.push(' ');
    }
}

/// Whether a name is known as that of a part of a page.
fn is_known(name: &str) -> bool {
    PARTS.contains(&name) || CORE.contains(&name)
}

/// Whether a name is that of a part of a page: people mark what they say (`[sarcasm]`, `[tongue-in-cheek]`), too.
fn is_part(name: &str) -> bool {
    name.contains('_') || is_known(name)
}

/// What stands in brackets in a text and is written as shortcodes are; in two pairs of brackets they are only shown.
fn marks(text: &str) -> impl Iterator<Item = Mark<'_>> {
    memchr::memchr_iter(b'[', text.as_bytes()).filter_map(move |from| {
        let inside = text
            .get(from + 1..)
            .filter(|_| !text.get(..from).is_some_and(|before| before.ends_with('[')))?;
        let end = inside
            .find(['[', ']'])
            .filter(|end| inside.get(*end..).is_some_and(|rest| rest.starts_with(']')))?;
        let (name, kind) = mark(inside.get(..end)?)?;
        Some(Mark { from, to: from + end + 2, name, kind })
    })
}

/// The name of a mark and what else stands in its brackets.
fn mark(inside: &str) -> Option<(&str, MarkKind)> {
    let (inside, ends) = match inside.strip_prefix('/') {
        Some(rest) => (rest, true),
        None => (inside, false),
    };
    let is_name = |char: char| {
        char.is_ascii_lowercase() || char.is_ascii_digit() || matches!(char, '_' | '-')
    };
    let length = inside.find(|char: char| !is_name(char)).unwrap_or(inside.len());
    let (name, rest) = inside.split_at_checked(length)?;
    let begins = name.starts_with(|char: char| char.is_ascii_lowercase());
    if !begins || !(2..=40).contains(&name.len()) {
        return None;
    }
    let rest = rest.strip_suffix('/').unwrap_or(rest).trim_end();
    match (rest.is_empty(), ends) {
        (true, true) => Some((name, MarkKind::End)),
        (true, false) => Some((name, MarkKind::Bare)),
        (false, true) => None,
        (false, false) => attributes(rest).map(|kind| (name, kind)),
    }
}

/// What attributes are: all in the form that they must have, or else words.
fn attributes(mut rest: &str) -> Option<MarkKind> {
    let mut kind = MarkKind::Attributes;
    while !rest.is_empty() {
        let trimmed = rest.trim_start();
        // Between two of them is a space.
        if trimmed.len() == rest.len() {
            return None;
        }
        let is_key = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-');
        let length = trimmed.find(|char: char| !is_key(char)).unwrap_or(trimmed.len());
        let (key, after) = trimmed.split_at_checked(length)?;
        let Some(value) = after.strip_prefix('=').filter(|_| !key.is_empty()) else {
            return Some(MarkKind::Words);
        };
        let quotes: &[char] = match value.chars().next()? {
            quote if DOUBLE.contains(&quote) => &DOUBLE,
            quote if SINGLE.contains(&quote) => &SINGLE,
            _ => &[],
        };
        rest = if quotes.is_empty() {
            let end = value.find(char::is_whitespace).unwrap_or(value.len());
            value.get(end..)?
        } else {
            kind = MarkKind::Quoted;
            let value = value.strip_prefix(quotes)?;
            let (_, after) = value.split_once(quotes)?;
            after
        };
    }
    Some(kind)
}

#[cfg(test)]
mod tests {
    use crate::html::parse;

    fn text(html: &str) -> String {
        parse(html).flat_text_all(10_000)
    }

    #[test]
    fn what_a_site_should_have_replaced_is_taken_out() {
        for (html, expected) in [
            ("[vc_row][vc_column width=\"1/2\"]A lamp.[/vc_column][/vc_row]", "A lamp."),
            ("[vc_column_text]One.[/vc_column_text][vc_column_text]Two.", "One. Two."),
            ("[et_pb_section bb_built=1 and words]A lamp.[/et_pb_section]", "A lamp."),
            ("Before [gallery ids=\"1,2\"] after", "Before after"),
            ("Before [gallery ids=&#8221;1,2&#8243; link='file' /] after", "Before after"),
            ("[caption id=.. width=300]<img src=x> A lamp.[/caption]", "A lamp."),
            ("<p>[tabs]</p><p>[my-tab name=”First”]A lamp.[/my-tab]</p><p>[/tabs]", "A lamp."),
            ("a [su_highlight]lamp[/su_highlight], red", "a lamp, red"),
            ("[dropcap]T[/dropcap]he lamp", "The lamp"),
            ("[one_half]A[/one_half]<br>[one_half]B[/one_half]", "A B"),
            ("[slide image=\"1\"]A lamp.", "A lamp."),
            ("[contact-form-7 id=\"1\" title=\"Write\"] A lamp.", "A lamp."),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }

    #[test]
    fn what_people_put_in_brackets_stays() {
        for said in [
            "so it was.[1] They [sic] said",
            "[citation needed] and [note 3]",
            "[a] and [/a]",
            "[sarcasm] Great. [/sarcasm]",
            "[mean age=35, SD=4]",
            "a[href=\"x\"] selects; [Route(Name=\"x\")] is C#",
            "[quote=Ada]Nice[/quote]",
            "[url=http://example.com/]there[/url]",
            "[row] is a row",
            "[/row] comes before [row]",
            "[gallery] and [embed",
            "[[gallery]",
            "[name key=\"open] end\" x",
            "[]",
            "[ ]",
            "[see \"The lamp\", p. 3]",
            "[origin software=\"rsyslogd\" swVersion=\"8.32.0\"] start",
            "[error code=\"3\" msg=\"disk full\"] at boot",
            "[quote author=\"Ada\"]",
            "[quote author=\"Ada\"]Nice[/quote]",
            "[[gallery ids=\"1,2\"]] shows pictures",
            "[[vc_row]] begins a row",
            "[tongue-in-cheek] A fine bridge. [/tongue-in-cheek]",
        ] {
            assert_eq!(text(&format!("<p>{said}")), said);
        }
        let code = "<pre>[vc_row]</pre><p>Write <code>[gallery ids=\"1\"]</code>.";
        assert_eq!(text(code), "[vc_row] Write [gallery ids=\"1\"].");
    }
}

//! What is not main text, told by element, role and the words that people name such things with.

use crate::html::{Attr, Tag, Tree};

/// Words in `class` and `id` that name what stands around the main text.
const WORDS: &[&str] = &[
    "nav",
    "navbar",
    "navigation",
    "menu",
    "submenu",
    "megamenu",
    "sidebar",
    "sidenav",
    "breadcrumb",
    "breadcrumbs",
    "footer",
    "masthead",
    "cookie",
    "cookies",
    "consent",
    "gdpr",
    "popup",
    "modal",
    "overlay",
    "lightbox",
    "newsletter",
    "subscribe",
    "subscription",
    "signup",
    "share",
    "sharing",
    "sharedaddy",
    "social",
    "socials",
    "related",
    "recommended",
    "recommendations",
    "promo",
    "promotion",
    "advert",
    "advertisement",
    "ads",
    "ad",
    "adsense",
    "sponsor",
    "sponsored",
    "pagination",
    "pager",
    "paging",
    "toolbar",
    "skip",
    "skiplink",
    "trending",
    "disqus",
    "outbrain",
    "taboola",
    "tooltip",
    "offcanvas",
    "drawer",
    "dropdown",
    "printonly",
    "noprint",
    "login",
    "toc",
    "carousel",
    "slick",
];

/// Whole class names and ids that mean the same.
const NAMES: &[&str] = &[
    "sr-only",
    "visually-hidden",
    "screen-reader-text",
    "visuallyhidden",
    "skip-link",
    "read-more",
    "more-from",
    "author-bio",
    "post-navigation",
    "entry-footer",
    "site-header",
    "site-footer",
    "page-footer",
    "page-header",
    "global-header",
    "popular-posts",
    "recent-posts",
    "widget-area",
    "tag-cloud",
    "tagcloud",
    "mw-editsection",
    "catlinks",
    "navbox",
    "printfooter",
    "back-to-top",
];

/// Marks every node that is left out.
pub fn mark(tree: &Tree) -> Vec<bool> {
    let sums = Sums::new(tree);
    let mut skip = mark_hidden(tree, &sums);
    let mut at = 0;
    while at < tree.len() {
        let marked = skip.get(at as usize).copied().unwrap_or(false);
        if marked || is_boilerplate(tree, at, &sums) {
            if let Some(flag) = skip.get_mut(at as usize) {
                *flag = true;
            }
            at = tree.end(at);
        } else {
            at += 1;
        }
    }
    skip
}

/// Marks only what a reader would not see.
pub fn hidden(tree: &Tree) -> Vec<bool> {
    mark_hidden(tree, &Sums::new(tree))
}

fn mark_hidden(tree: &Tree, sums: &Sums) -> Vec<bool> {
    let is_hidden = |at: u32, tag: Tag| {
        // What holds half of the page is hidden only until a script shows it.
        tag.is_hidden() || (is_invisible(tree, at) && sums.share(tree, at) < 50)
    };
    (0..tree.len()).map(|at| tree.tag(at).is_some_and(|tag| is_hidden(at, tag))).collect()
}

/// Running sums over the nodes: bytes of text, and `<h1>` elements.
struct Sums(Vec<(u64, u32)>);

impl Sums {
    fn new(tree: &Tree) -> Self {
        let mut sums = Vec::with_capacity(tree.len() as usize + 1);
        let (mut text, mut h1, mut hidden_until) = (0, 0, 0);
        for at in 0..tree.len() {
            sums.push((text, h1));
            match tree.tag(at) {
                Some(tag) if tag.is_hidden() => hidden_until = hidden_until.max(tree.end(at)),
                Some(Tag::H1) => h1 += 1,
                None if at >= hidden_until => text += tree.text(at).trim().len() as u64,
                _ => {}
            }
        }
        sums.push((text, h1));
        Self(sums)
    }

    fn at(&self, place: u32) -> (u64, u32) {
        self.0.get(place as usize).copied().unwrap_or_default()
    }

    /// The per cent of the page's text that an element holds.
    fn share(&self, tree: &Tree, at: u32) -> u64 {
        let total = self.0.last().map_or(1, |(text, _)| (*text).max(1));
        self.at(tree.end(at)).0.saturating_sub(self.at(at).0) * 100 / total
    }

    fn holds_h1(&self, tree: &Tree, at: u32) -> bool {
        self.at(tree.end(at)).1 > self.at(at).1
    }
}

/// Words that name what a click unfolds: part of the page, though not shown at first.
const FOLDED: &[&str] = &[
    "accordion",
    "faq",
    "faqs",
    "answer",
    "answers",
    "tab",
    "tabs",
    "tabpanel",
    "panel",
    "collapse",
    "collapsed",
    "collapsible",
    "collapsable",
    "expand",
    "expandable",
    "expanded",
    "toggle",
    "spoiler",
    "readmore",
    "more",
    "truncated",
];

fn is_invisible(tree: &Tree, at: u32) -> bool {
    let hidden = tree.attr(at, Attr::Hidden).is_some_and(|value| value != "until-found");
    // Pages that are rendered on a server send late parts hidden, to be moved by a script.
    let late = tree.attr(at, Attr::Id).is_some_and(|id| id.starts_with("S:"));
    let style = tree.attr(at, Attr::Style).is_some_and(|style| {
        let style: String = style.chars().filter(|char| !char.is_whitespace()).take(300).collect();
        let style = style.to_ascii_lowercase();
        // `visibility:hidden` is left alone: pages that move their parts in begin with it.
        style.contains("display:none")
    });
    (hidden && !late || style) && !is_folded(tree, at)
}

fn is_folded(tree: &Tree, at: u32) -> bool {
    tree.attr(at, Attr::Role) == Some("tabpanel")
        || words(tree, at).any(|word| FOLDED.contains(&word.as_str()))
}

fn is_boilerplate(tree: &Tree, at: u32, sums: &Sums) -> bool {
    let Some(tag) = tree.tag(at) else { return false };
    let named = match tag {
        Tag::Nav | Tag::Dialog | Tag::Search => true,
        Tag::Main | Tag::Article | Tag::Body | Tag::Html => return false,
        Tag::Footer | Tag::Header => !within_article(tree, at) || tag == Tag::Footer,
        Tag::Aside | Tag::Form | Tag::Button => true,
        Tag::H1 => return false,
        _ => false,
    };
    if !(named || has_role(tree, at) || has_word(tree, at)) {
        return false;
    }
    // A name can lie about a large part of the page: whole pages stand in a <form> or a "modal".
    let share = sums.share(tree, at);
    let limit = match tag {
        Tag::Nav | Tag::Footer => 70,
        Tag::Header | Tag::Aside => 40,
        _ => 30,
    };
    share < limit && !(sums.holds_h1(tree, at) && tag != Tag::Nav)
}

fn within_article(tree: &Tree, at: u32) -> bool {
    let mut up = tree.parent(at);
    while let Some(here) = up {
        if matches!(tree.tag(here), Some(Tag::Article | Tag::Main)) {
            return true;
        }
        up = tree.parent(here);
    }
    false
}

fn has_role(tree: &Tree, at: u32) -> bool {
    tree.attr(at, Attr::Role).is_some_and(|role| {
        matches!(
            role.trim(),
            "navigation"
                | "banner"
                | "contentinfo"
                | "search"
                | "complementary"
                | "dialog"
                | "alertdialog"
                | "menu"
                | "menubar"
                | "toolbar"
                | "tooltip"
        )
    })
}

/// The class names and the id of an element, lower case.
fn names(tree: &Tree, at: u32) -> impl Iterator<Item = String> {
    let values = [Attr::Class, Attr::Id].into_iter().filter_map(move |attr| tree.attr(at, attr));
    // `hover:[text-decoration-skip:none]` is a style written as a name; it names nothing.
    let plain =
        values.flat_map(str::split_ascii_whitespace).filter(|name| !name.contains([':', '[', '/']));
    plain.take(20).map(str::to_ascii_lowercase)
}

/// The words that those names are made of.
fn words(tree: &Tree, at: u32) -> impl Iterator<Item = String> {
    names(tree, at).flat_map(|name| {
        name.split(|char: char| !char.is_ascii_alphanumeric())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    })
}

fn has_word(tree: &Tree, at: u32) -> bool {
    names(tree, at).any(|name| {
        if NAMES.contains(&name.as_str()) {
            return true;
        }
        // `has-sidebar`, `no-footer`: they speak of another element. An `accordion-drawer` is no drawer.
        let about_another = ["has", "no", "with", "is", "hide", "show", "without"];
        let mut parts =
            name.split(|char: char| !char.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        let first = parts.clone().next().unwrap_or_default();
        !about_another.contains(&first)
            && !parts
                .clone()
                .any(|part| matches!(part, "accordion" | "faq" | "content" | "main" | "article"))
            && parts.any(|part| WORDS.contains(&part))
    })
}

//! What is not main text, told by element, role and the words that people name such things with.

use super::hidden;
use super::measure::{Measure, is_below};
use super::names;
use super::product;
use super::skip::Skip;
use super::sums::Sums;
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
    "disclaimer",
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

/// Marks every node that is left out; `comments` are the elements that hold all comments on something.
pub fn mark(tree: &Tree, sums: &Sums, comments: &Skip, product: bool) -> Skip {
    let mut skip = hidden::mark(tree, sums);
    let measure = Measure::new(tree, &skip);
    let page = Page { tree, sums, measure, comments, product };
    // Where the articles end that begin before a node: they are around it.
    let mut article_until = 0;
    skip.mark_where(tree, 0..tree.len(), |at| {
        if matches!(tree.tag(at), Some(Tag::Article | Tag::Main)) {
            article_until = article_until.max(tree.end(at));
        }
        page.is_boilerplate(at, at < article_until)
    });
    skip
}

/// What tells boilerplate.
struct Page<'a> {
    tree: &'a Tree,
    sums: &'a Sums,
    /// How much each element holds of what a reader would see.
    measure: Measure,
    comments: &'a Skip,
    product: bool,
}

/// Characters of prose that make a page on which the prose shows where the text is.
const ENOUGH_PROSE: u32 = 600;
/// Characters of prose that make one on which less than half of it is not the text.
const SOME_PROSE: u32 = 300;

impl Page<'_> {
    fn is_boilerplate(&self, at: u32, within_article: bool) -> bool {
        let tree = self.tree;
        let Some(tag) = tree.tag(at) else { return false };
        let by_element = match tag {
            Tag::Nav | Tag::Dialog | Tag::Search => true,
            Tag::Main | Tag::Article | Tag::Body | Tag::Html => return false,
            Tag::Header => !within_article,
            Tag::Footer | Tag::Aside | Tag::Form | Tag::Figcaption => true,
            Tag::Button => !is_heading(tree, at),
            Tag::H1 => return false,
            Tag::A => return is_call_to_action(tree, at),
            _ => false,
        };
        let comments = self.comments.is(at);
        let named = by_element
            || comments
            || has_role(tree, at)
            || is_about_author(tree, at)
            || is_control(tree, at);
        // The name of a heading tells how it looks: `ad-title`, `text-overlay`.
        let worded =
            named || tag.heading().is_none() && (has_word(tree, at) || has_words(tree, at));
        if !worded || self.sums.holds_h1(tree, at) && tag != Tag::Nav {
            return false;
        }
        if !comments && self.is_the_text(at) || !named && !self.product && self.is_slides(at) {
            return false;
        }
        // A name can lie about a large part of the page: whole pages stand in a <form> or a "modal".
        let limit = match tag {
            Tag::Nav | Tag::Footer => 95,
            Tag::Header | Tag::Aside => 60,
            _ if comments => 45,
            _ => 40,
        };
        self.sums.share(tree, at) < limit
            || self.is_beside_the_text(at)
            || self.is_menus_of_nothing(at, tag)
    }

    /// Whether an element without a meaning of its own holds most prose of the page.
    fn is_the_text(&self, at: u32) -> bool {
        let (prose, all) = (self.measure.of(self.tree, at).prose, self.measure.page().prose);
        let plain = matches!(self.tree.tag(at), Some(Tag::Div | Tag::Section | Tag::Other));
        plain && all >= ENOUGH_PROSE && !is_below(prose, all, 70)
    }

    /// Whether an element is the menus of a page that says next to nothing else: what that is,
    /// [`super::little`] looks at.
    fn is_menus_of_nothing(&self, at: u32, tag: Tag) -> bool {
        let (amount, all) = (self.measure.of(self.tree, at), self.measure.page());
        matches!(tag, Tag::Nav | Tag::Header | Tag::Footer)
            && amount.link_density() > super::MENUS
            && all.minus(amount).text < super::LITTLE
    }

    /// Whether an element holds less of the prose than the rest, however much else it holds.
    fn is_beside_the_text(&self, at: u32) -> bool {
        let (prose, all) = (self.measure.of(self.tree, at).prose, self.measure.page().prose);
        all >= SOME_PROSE && is_below(prose, all, 45)
    }

    /// Whether an element shows texts one after the other, and not pictures or teasers.
    fn is_slides(&self, at: u32) -> bool {
        let amount = self.measure.of(self.tree, at);
        let words: Vec<String> = names::all_words(self.tree, at).collect();
        amount.text > 0
            && !is_below(amount.prose, amount.text, 20)
            && words.iter().any(|word| matches!(word.as_str(), "carousel" | "slick"))
            && !product::are_reviews(&words)
    }
}

/// A link that looks like a button and says what to press it for: "Get started", "Contact sales".
fn is_call_to_action(tree: &Tree, at: u32) -> bool {
    let button = names::all_words(tree, at)
        .any(|word| matches!(word.as_str(), "btn" | "button" | "cta"))
        || tree.attr(at, Attr::Role) == Some("button");
    button && tree.flat_text(at, 60).split_whitespace().count() <= 4
}

/// A button that is a heading, to be pressed for what stands below it.
fn is_heading(tree: &Tree, at: u32) -> bool {
    let heading = |at: u32| tree.is_heading(at);
    tree.subtree(at).any(heading)
        || std::iter::successors(tree.parent(at), |up| tree.parent(*up)).take(2).any(heading)
}

/// A box about who wrote the text: `author-bio`, `about-the-author`.
fn is_about_author(tree: &Tree, at: u32) -> bool {
    names::written(tree, at).any(|name| {
        let words = names::words(name);
        let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        any(&["author", "authors", "writer"]) && any(&["bio", "box", "about", "biography"])
    })
}

/// What sorts or narrows a list, and what a form says once it was sent or could not be: `sort-by`,
/// `w-form-fail`.
fn is_control(tree: &Tree, at: u32) -> bool {
    const LISTS: &[&str] = &["sort", "sorting", "sortby", "facet", "facets", "filter", "filters"];
    const LISTED: &[&str] =
        &["item", "items", "result", "results", "grid", "list", "product", "products", "content"];
    const SENT: &[&str] = &["done", "fail", "success", "error", "errors", "message"];
    // Most names are told without taking them apart.
    let may_be =
        |name: &&str| ["ort", "acet", "ilter", "orm"].iter().any(|part| name.contains(part));
    names::written(tree, at).filter(may_be).any(|name| {
        let words = names::words(name);
        let sorts = words.iter().any(|word| LISTS.contains(&word.as_str()));
        // `filter-item` is what is found.
        let found = words.last().is_some_and(|word| LISTED.contains(&word.as_str()));
        sorts && !found
            || words.windows(2).any(|pair| {
                matches!(pair, [form, then] if form == "form" && SENT.contains(&then.as_str()))
            })
    })
}

/// Whether words of one name say together what none of them says alone: `post-ratings`, `page-feedback`, `prevNext`,
/// `affiliate-disclosure`.
fn has_words(tree: &Tree, at: u32) -> bool {
    const TEXTS: &[&str] = &["post", "article", "entry", "story"];
    // These disclose what a click unfolds.
    const FOLDED: &[&str] = &[
        "panel", "button", "toggle", "trigger", "summary", "details", "item", "items", "list",
        "group", "widget",
    ];
    // Most names are told without taking them apart.
    const PARTS: &[&str] = &["ating", "eedback", "isclosure", "next", "Next", "prev", "Prev"];
    let may_be = |name: &&str| PARTS.iter().any(|part| name.contains(part));
    names::written(tree, at).filter(may_be).any(|name| {
        let words = names::words(name);
        let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let of_another =
            words.first().is_some_and(|word| names::OF_ANOTHER.contains(&word.as_str()));
        let of_text = any(TEXTS);
        let rates = any(&["rating", "ratings"]) && (of_text || any(&["page"]));
        let asks = any(&["feedback"]) && (of_text || any(&["page", "content"]));
        let back = any(&["prev", "previous"]);
        let leads = any(&["next"]) && (back || of_text) || back && of_text;
        let discloses = any(&["disclosure", "disclosures"]) && !any(FOLDED);
        !of_another && (rates || asks || leads || discloses)
    })
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

/// Whether a name says that an element stands around the main text.
pub fn has_word(tree: &Tree, at: u32) -> bool {
    names::lower(tree, at).any(|name| {
        if NAMES.contains(&name.as_str()) {
            return true;
        }
        // An `accordion-drawer` is no drawer.
        let mut parts =
            name.split(|char: char| !char.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        let first = parts.clone().next().unwrap_or_default();
        !names::OF_ANOTHER.contains(&first)
            && !parts
                .clone()
                .any(|part| matches!(part, "accordion" | "faq" | "content" | "main" | "article"))
            // `skip-to-text` leads on; `decoration-skip-ink` is a style.
            && (first == "skip"
                // `sidebar2` is one more sidebar.
                || parts.any(|part| {
                    WORDS.contains(&part.trim_end_matches(|char: char| char.is_ascii_digit()))
                }))
    })
}

//! Pages that sell one thing: what its buyers wrote about it is not what the page says of it.

use super::names;
use super::skip::Skip;
use super::sums::Sums;
use crate::html::{Attr, Tag, Tree};

/// Words that name reviews by buyers, their stars, and the widgets that show them.
const REVIEWS: &[&str] = &[
    "review",
    "reviews",
    "yotpo",
    "bazaarvoice",
    "okendo",
    "trustpilot",
    "judgeme",
    "jdgm",
    "stamped",
    "loox",
    "powerreviews",
    "questions",
    "stars",
];

/// Words that name what a page about one thing may quote, and a page about a firm shows as its own.
const PRAISE: &[&str] = &["testimonial", "testimonials"];

/// Words that name what serves the sale and does not describe the thing.
const SALE: &[&str] =
    &["upsell", "upsells", "crosssell", "cross", "minicart", "sizechart", "sizeguide", "recently"];

/// More of the page than this is its matter.
const MAX_SHARE: u64 = 75;

/// Whether a page says of itself that it is about one product; an article may have its price, too.
pub fn is_product(tree: &Tree) -> bool {
    let kind = meta(tree, "og:type").unwrap_or_default();
    !kind.starts_with("article")
        && (kind.starts_with("product") && !kind.contains("group")
            || meta(tree, "product:price:amount").is_some()
            || items(tree) == 1
            || describes_product(tree))
}

/// What a `<meta>` of a name says.
fn meta<'a>(tree: &'a Tree, name: &str) -> Option<&'a str> {
    let named = |at: &u32| {
        let own = tree.attr(*at, Attr::Property).or(tree.attr(*at, Attr::Name));
        tree.tag(*at) == Some(Tag::Meta) && own.is_some_and(|own| own.trim() == name)
    };
    (0..tree.len()).find(named).map(|at| tree.attr(at, Attr::Content).unwrap_or_default().trim())
}

/// Elements that are marked up as a product.
fn items(tree: &Tree) -> usize {
    let kinds = (0..tree.len()).filter_map(|at| tree.attr(at, Attr::Itemtype));
    kinds.filter(|kind| kind.trim().ends_with("schema.org/Product")).take(2).count()
}

fn describes_product(tree: &Tree) -> bool {
    tree.json_ld.iter().any(|text| {
        let flat: String = text.chars().filter(|char| !char.is_whitespace()).collect();
        let one = flat.matches(r#""@type":"Product""#).count() == 1
            || flat.contains(r#""@type":"ProductGroup""#);
        one && !flat.contains(r#""ItemList""#) && !flat.contains(r#"Article""#)
    })
}

/// Whether the words of a name say that it is about what buyers wrote.
pub fn are_reviews(words: &[String]) -> bool {
    words.iter().any(|word| REVIEWS.contains(&word.as_str()))
}

/// Marks the reviews, and what serves the sale.
pub fn mark(tree: &Tree, sums: &Sums, skip: &mut Skip) {
    skip.mark_where(tree, 0..tree.len(), |at| is_aside(tree, at, sums));
}

fn is_aside(tree: &Tree, at: u32, sums: &Sums) -> bool {
    let Some(tag) = tree.tag(at) else { return false };
    !matches!(tag, Tag::Html | Tag::Body | Tag::Main)
        && names::written(tree, at).any(|name| {
            let words = names::words(name);
            let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
            // What the press wrote is chosen by the page itself.
            (are_reviews(&words) || any(PRAISE) || any(SALE)) && !any(&["editorial"])
        })
        && sums.share(tree, at) < MAX_SHARE
        && !sums.holds_h1(tree, at)
}

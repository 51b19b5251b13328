//! Sections that lead on to other pages, told by what their headings say, or in an article the labels
//! that stand in a heading's place.

use super::comments;
use super::lines;
use super::measure::Measure;
use super::skip::Skip;
use super::sums::Sums;
use crate::html::{Tag, Tree};
use std::ops::Range;

/// What headings begin with that lead to other things of the page's kind, lower case: never the
/// page's own matter, however long.
const OTHERS: &[&str] = &[
    "you may also ",
    "you might also ",
    "you'll also ",
    "you may be interested",
    "you might be interested",
    "customers also ",
    "customers who ",
    "people also ",
    "people who ",
    "others also ",
    "readers also ",
    "frequently bought",
    "similar items",
    "similar products",
    "similar articles",
    "similar posts",
    "similar listings",
    "explore related",
    "similar sponsored",
    "more like this",
    "recently viewed",
];

/// How much of the page, in per cent, such a section may be.
const OTHERS_SHARE: u64 = 90;

/// What headings begin with that do as much, unless prose without links stands below: `Related work`.
const RELATED: &[&str] = &["related "];

/// What other headings begin with that lead on, unless the page is about that: `Recommended intake`.
const BEGINNINGS: &[&str] = &[
    "more from ",
    "more in ",
    "more on this",
    "more stories",
    "more articles",
    "more posts",
    "more to explore",
    "recent posts",
    "recent articles",
    "recent comments",
    "recent stories",
    "latest posts",
    "latest articles",
    "latest stories",
    "popular posts",
    "popular articles",
    "popular stories",
    "most popular",
    "most read",
    "most viewed",
    "trending",
    "read next",
    "up next",
    "what to read next",
    "keep reading",
    "continue reading",
    "further articles",
    "recommended ",
    "suggested ",
    "editor's picks",
    "editors' picks",
    "don't miss",
    "mehr zum ",
    "articles similaires",
    "à lire aussi",
    "sur le même ",
    "también te ",
    "artículos relacionados",
    "noticias relacionadas",
    "auch interessant",
    "das könnte ",
    "lesen sie ",
    "mehr themen",
    "mehr aus ",
    "weitere artikel",
    "weitere beiträge",
    "weitere meldungen",
    "weitere themen",
    "weitere nachrichten",
    "neueste ",
    "aktuelle beiträge",
    "meistgelesen",
    "am beliebtesten",
    "ähnlich",
    "verwandte ",
    "articles en relation",
    "articles liés",
    "lire aussi",
    "à voir aussi",
    "vous aimerez ",
    "sur le même sujet",
    "plus lus",
    "los más ",
    "lo más ",
    "lea también",
    "lee también",
    "te puede interesar",
    "le puede interesar",
    "te recomendamos",
    "más noticias",
    "más sobre ",
    "relacionad",
    "leggi anche",
    "articoli correlati",
    "potrebbe interessarti",
    "leia também",
    "leia mais",
    "veja também",
    "mais lidas",
];

/// What such headings are, whole.
const WHOLE: &[&str] =
    &["related", "recommended", "tags", "categories", "archives", "more", "suggested"];

/// What headings begin with that ask the reader to subscribe, share, follow, comment or buy: never the page's own
/// matter, though it be prose.
const ASKS: &[&str] = &[
    "subscribe to ",
    "sign up for ",
    "sign up to ",
    "join our ",
    "join the newsletter",
    "newsletter",
    "stay in touch",
    "stay connected",
    "stay up to date",
    "stay updated",
    "get the latest",
    "follow us",
    "connect with us",
    "share this",
    "leave a reply",
    "leave a comment",
    "post a comment",
    "add a comment",
    "write a review",
    "join the discussion",
    "sponsored",
    "advertisement",
];

/// What such headings are, whole.
const ASKS_WHOLE: &[&str] = &["share", "comments"];

/// What the marking looks at.
pub struct Onward<'a> {
    /// The page.
    pub tree: &'a Tree,
    /// How much each element holds.
    pub sums: &'a Sums,
    /// How much of that is prose.
    pub measure: &'a Measure,
    /// Whether the page is about one product: then no text about others belongs to it.
    pub product: bool,
}

impl Onward<'_> {
    /// Marks the sections whose headings lead on.
    pub fn mark(&self, skip: &mut Skip) {
        self.mark_sections(0..self.tree.len(), |at| self.leads_on(at), skip);
    }

    /// Marks in the article below `root` what leads on though no heading says so: a label, what it begins
    /// and the links after it.
    pub fn mark_labels(&self, root: u32, skip: &mut Skip) {
        let label = |at: u32| self.is_label(at).then_some((LABEL_LEVEL, LABEL_LIMITS));
        self.mark_sections(root + 1..self.tree.end(root), label, skip);
    }

    /// Marks the sections that are `begun` in a range: of which level, and within which limits.
    fn mark_sections(
        &self,
        range: Range<u32>,
        begun: impl Fn(u32) -> Option<(usize, Limits)>,
        skip: &mut Skip,
    ) {
        // How many nodes are looked at, at most, for where sections end: a page may have very many that are begun and
        // none that is left out.
        let mut left = self.tree.len().saturating_mul(LOOKS);
        let mut at = range.start;
        while at < range.end {
            let after = if skip.is(at) {
                self.tree.end(at)
            } else if let Some((level, limits)) = begun(at) {
                self.section(at, level, limits, skip, &mut left)
            } else {
                at + 1
            };
            at = after.max(at + 1);
        }
    }

    /// Whether a block says nothing but what a heading would that leads on.
    fn is_label(&self, at: u32) -> bool {
        let tree = self.tree;
        let bytes = self.sums.text_between(at, tree.end(at));
        let plain = |tag: Tag| {
            tag.is_block()
                && tag.heading().is_none()
                && !matches!(tag, Tag::Li | Tag::Td | Tag::Th | Tag::Dt | Tag::Dd)
        };
        let block = |at: u32| tree.tag(at).is_some_and(Tag::is_block);
        let heading = |at: u32| tree.is_heading(at);
        if bytes == 0
            || bytes > LABEL
            || !tree.tag(at).is_some_and(plain)
            || (at + 1..tree.end(at)).any(block)
            || std::iter::successors(tree.parent(at), |up| tree.parent(*up)).take(2).any(heading)
        {
            return false;
        }
        let text = tree.flat_text(at, 120);
        // What ends as sentences do is said in the article.
        !text.ends_with(['.', '?', '!', '"', '”']) && Leads::read(&text).is_some()
    }

    /// Whether a node holds links and next to nothing else.
    fn is_links(&self, at: u32) -> bool {
        let amount = self.measure.of(self.tree, at);
        amount.prose == 0 && (amount.text == 0 || amount.link_density() > 0.5)
    }

    /// The level of a heading that leads on, and how much its section may be.
    fn leads_on(&self, at: u32) -> Option<(usize, Limits)> {
        let level = self.tree.tag(at).and_then(Tag::heading).filter(|level| *level > 1)?;
        let text = self.tree.flat_text(at, 120);
        let below_text = self.measure.between(0, at).prose >= comments::TEXT;
        if below_text && is_of_comments(&text) && !self.begins_text(at, level) {
            return Some((level, COMMENT_LIMITS));
        }
        let prose = if self.product { u32::MAX } else { MAX_PROSE };
        let leads = Leads::read(&text)?;
        let may_be_matter = leads.may_name_matter();
        Some((level, Limits { share: leads.max_share(), prose, links: false, may_be_matter }))
    }

    /// Whether paragraphs follow a heading in its own element: remarks stand in elements of their own.
    fn begins_text(&self, heading: u32, level: usize) -> bool {
        let tree = self.tree;
        let Some(end) = tree.parent(heading).map(|parent| tree.end(parent)) else { return false };
        let ends =
            |at: &u32| tree.tag(*at).and_then(Tag::heading).is_some_and(|other| other <= level);
        let is_prose =
            |at: &u32| tree.tag(*at) == Some(Tag::P) && self.measure.of(tree, *at).prose > 0;
        let next = |at: &u32| Some(tree.end(*at)).filter(|next| *next < end);
        std::iter::successors(next(&heading), next)
            .take_while(|at| !ends(at))
            .filter(is_prose)
            .nth(PARAGRAPHS - 1)
            .is_some()
    }

    /// Marks the section of a heading; gives where to go on. `left` nodes may be looked at.
    fn section(
        &self,
        heading: u32,
        level: usize,
        limits: Limits,
        skip: &mut Skip,
        left: &mut u32,
    ) -> u32 {
        let tree = self.tree;
        let whole = self.outermost(heading, level, limits.share, skip);
        let mut parts = vec![whole];
        // What follows a heading is its section, up to a heading of the same rank.
        if whole == heading {
            let end = tree.parent(heading).map_or(tree.end(heading), |parent| tree.end(parent));
            let mut next = tree.end(heading);
            while next < end && *left > 0 {
                *left = left.saturating_sub(tree.end(next) - next);
                if has_heading(tree, tree.subtree(next), level, skip)
                    || limits.links && !self.is_links(next)
                {
                    break;
                }
                parts.push(next);
                next = tree.end(next);
            }
        }
        let share: u64 = parts.iter().map(|at| self.sums.share(tree, *at)).sum();
        let amounts: Vec<_> = parts.iter().map(|at| self.measure.of(tree, *at)).collect();
        let prose: u32 = amounts.iter().map(|amount| amount.prose).sum();
        let links: u32 = amounts.iter().map(|amount| amount.links).sum();
        let text: u32 = amounts.iter().map(|amount| amount.text).sum();
        let is_matter = limits.may_be_matter
            && links * 10 < text
            && prose * 2 >= text
            && parts.iter().any(|at| has_sentences(tree, *at, skip));
        if is_matter || share > limits.share || prose > limits.prose {
            return heading + 1;
        }
        parts.iter().for_each(|at| skip.mark(*at));
        parts.last().map_or(heading + 1, |last| tree.end(*last))
    }

    /// The outermost element that a heading begins, and that holds no other section.
    fn outermost(&self, heading: u32, level: usize, max_share: u64, skip: &Skip) -> u32 {
        let tree = self.tree;
        let mut whole = heading;
        while let Some(parent) = tree.parent(whole).filter(|parent| *parent > 0) {
            let begins = self.sums.text_between(parent, whole) == 0;
            if !begins
                // What stands in `whole` was looked through before.
                || has_heading(tree, tree.end(whole)..tree.end(parent), level, skip)
                || self.sums.share(tree, parent) > max_share
            {
                break;
            }
            whole = parent;
        }
        whole
    }
}

/// How much a section may be and still be left out.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Per cent of the page.
    share: u64,
    /// Characters of prose.
    prose: u32,
    /// Whether nothing but links follows.
    links: bool,
    /// Whether it stays where it is prose without links.
    may_be_matter: bool,
}

/// How often each node may be looked at for where a section ends.
const LOOKS: u32 = 16;
/// Bytes of a label.
const LABEL: u64 = 60;
/// The headings that end what a label begins.
const LABEL_LEVEL: usize = 3;
/// How much that may be.
const LABEL_LIMITS: Limits =
    Limits { share: SHARE, prose: MAX_PROSE, links: true, may_be_matter: false };
/// How much comments may be.
const COMMENT_LIMITS: Limits =
    Limits { share: OTHERS_SHARE, prose: u32::MAX, links: false, may_be_matter: false };
/// Per cent of the page that a section may be, unless its heading says that it is about others.
const SHARE: u64 = 35;

/// Characters of prose; teasers are short.
const MAX_PROSE: u32 = 1000;

/// Paragraphs that make a chapter about comments.
const PARAGRAPHS: usize = 3;

/// What headings of comments begin with, after their number.
const COMMENTS: &[&str] = &[
    "comment",
    "comments",
    "kommentar",
    "kommentare",
    "commentaire",
    "commentaires",
    "comentario",
    "comentarios",
    "comentário",
    "comentários",
    "commento",
    "commenti",
];

/// Whose comments those are.
const READERS: &[&str] = &["reader", "readers", "user", "users"];

/// Whether a heading names the comments on what stands above it: `Comments`, `12 Kommentare`, `Reader comments`.
fn is_of_comments(heading: &str) -> bool {
    let text = heading.trim().to_lowercase();
    let name = text.trim_start_matches(|char: char| !char.is_alphabetic());
    let mut words = name.split(|char: char| !char.is_alphabetic()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let named = COMMENTS.contains(&first)
        || first.ends_with("kommentare")
        || READERS.contains(&first) && words.next().is_some_and(|word| COMMENTS.contains(&word));
    named && (name.len() < text.len() || words.count() <= 1)
}

/// What a heading leads to, by its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leads {
    /// Other things of the page's kind.
    Others,
    /// The same, or what the page says of others.
    Related,
    /// Other pages, or a part of this one.
    Further,
    /// A form, a list to join.
    Asks,
}

impl Leads {
    /// None: the heading leads nowhere.
    fn read(heading: &str) -> Option<Self> {
        let text =
            heading.trim().trim_end_matches([':', '.', '!', '…']).replace('’', "'").to_lowercase()
                + " ";
        let whole = text.trim_end();
        let begins = |list: &[&str]| list.iter().any(|beginning| text.starts_with(beginning));
        if text.len() > 80 {
            None
        } else if begins(OTHERS) {
            Some(Self::Others)
        } else if begins(RELATED) {
            Some(Self::Related)
        } else if begins(ASKS) || ASKS_WHOLE.contains(&whole) {
            Some(Self::Asks)
        } else {
            (begins(BEGINNINGS) || WHOLE.contains(&whole)).then_some(Self::Further)
        }
    }

    /// Per cent of the page that its section may be and still be left out.
    fn max_share(self) -> u64 {
        match self {
            Self::Others | Self::Related => OTHERS_SHARE,
            Self::Further | Self::Asks => SHARE,
        }
    }

    /// Whether prose without links below it is the page's own: `Most popular breeds`.
    fn may_name_matter(self) -> bool {
        match self {
            Self::Related | Self::Further => true,

            Self::Others | Self::Asks => false,
        }
    }
}

/// Whether prose of an element ends as sentences do: a list of tags may be long.
fn has_sentences(tree: &Tree, at: u32, skip: &Skip) -> bool {
    lines::of(tree, tree.subtree(at), skip).iter().any(|line| line.is_prose() && line.sentence)
}

/// Whether a heading of `level` or above stands in a range, but for what is left out already.
fn has_heading(tree: &Tree, range: Range<u32>, level: usize, skip: &Skip) -> bool {
    skip.kept(tree, range)
        .any(|at| tree.tag(at).and_then(Tag::heading).is_some_and(|other| other <= level))
}

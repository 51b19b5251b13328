//! What reading a page costs, counted and not timed: nodes that were looked at, and bytes of names that were taken
//! apart. A walk to all ancestors of each node, or through all that each node holds, shows in it.

use crate::extent::Extent;
use crate::page::{self, Headers, Wanted};
use std::cell::Cell;
use url::Url;

thread_local! {
    static DONE: Cell<usize> = const { Cell::new(0) };
}

/// Counts so much work.
pub fn add(amount: usize) {
    DONE.set(DONE.get() + amount);
}

/// The work that a page costs.
fn of(html: &str) -> usize {
    let headers = Headers { content_type: "text/html", ..Headers::default() };
    let url = Url::parse("https://example.com/").unwrap();
    let wanted = Wanted { text: true, passages: true, extent: Extent::AtHand };
    let before = DONE.get();
    // A page without a text costs what it costs.
    _ = page::read(&headers, html.as_bytes(), &url, wanted);
    DONE.get() - before
}

/// A kind of page: its name, and the page of about so many parts.
type Made = (&'static str, fn(usize) -> String);

/// Work for a byte of a page, at most.
const MOST: usize = 30;

const PROSE: &str =
    "<p>A sentence of some words, and another one, which goes on, about bridges.</p>";

const PAGES: [Made; 9] = [
    ("authors around nothing", |parts| {
        "<div itemprop=author class='byline date'>".repeat(190) + &"<i></i>".repeat(parts)
    }),
    ("authors around one long text", |parts| {
        let boxes = "<div itemprop=author class='byline date'>".repeat(190);
        boxes + &"word ".repeat(parts * 40)
    }),
    ("remarks below long names that look like theirs", |parts| {
        let names = format!("<div class=xomment{}>", "a".repeat(8180)).repeat(parts / 250);
        names + &"<p class=comments>".repeat(parts)
    }),
    ("headings around nothing", |parts| "<div><h2>".repeat(99) + &"<i></i>".repeat(parts)),
    ("headings around persons", |parts| {
        format!("<div><h2 class='user{}'>", "-a".repeat(200)).repeat(99) + &"<i></i>".repeat(parts)
    }),
    ("lists of two links", |parts| {
        let boxes = "<div>".repeat(190);
        let links = "<a href=/x>somewhere else</a> <a href=/y>and there</a>";
        format!("<main>{}{boxes}{links}{}", PROSE.repeat(9), "<i></i>".repeat(parts))
    }),
    ("sections within headings that lead on", |parts| {
        let boxes = "<div>".repeat(150);
        let headings = "<h2><div>".repeat(20);
        let tail = "<i></i>".repeat(parts);
        format!("<main>{}{boxes}{headings}Related</div>{tail}", PROSE.repeat(99))
    }),
    ("labels that are links, before a list of links that is too long to be left out", |parts| {
        let labels = "<p><a href=/x>Share</a></p>".repeat(parts);
        let list = format!("<ul><li><a href=/y>{}</a></ul>", "words of a link ".repeat(parts * 3));
        format!("<main>{}{labels}{list}", PROSE.repeat(parts))
    }),
    ("cells of nested tables", |parts| "<table><tr><td>".repeat(60) + &"<i></i>".repeat(parts)),
];

#[test]
fn the_cost_of_a_page_is_linear_in_its_bytes() {
    let mut dear = String::new();
    for (what, made) in PAGES {
        let (small, large) = (made(3_000), made(6_000));
        let (work, twice) = (of(&small), of(&large));
        if twice > large.len() * MOST || twice * 2 > work * 5 {
            let (small, large) = (small.len(), large.len());
            dear += &format!("{what}: {work} for {small} bytes, {twice} for {large}\n");
        }
    }
    assert!(dear.is_empty(), "{dear}");
}

#[test]
fn data_of_many_scripts_is_counted_as_it_comes() {
    let page = |scripts: usize| {
        let script = "<script type=application/ld+json>{}</script>";
        crate::html::parse(&script.repeat(scripts)).json_ld.len()
    };
    assert_eq!(page(1_000), 1_000);
    let long = format!("<script type=application/ld+json>\"{}\"</script>", "a".repeat(100_000));
    assert_eq!(crate::html::parse(&long.repeat(9)).json_ld.len(), 5, "half a MiB of it is kept");
}

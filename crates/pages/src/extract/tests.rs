//! Main text against what stands around it.

use super::*;
use crate::render::{Input, Style, render};
use url::Url;

fn text(html: &str) -> (String, bool) {
    let tree = crate::html::parse(html);
    let content = main_content(&tree);
    let base = Url::parse("https://example.com/").unwrap();
    let input = Input {
        tree: &tree,
        roots: &content.roots,
        skip: &content.skip,
        base: &base,
        limit: 1 << 20,
    };
    (render(&input, Style::Plain).text, content.extracted)
}

const PARAGRAPH: &str = "<p>A sentence that is long enough to count as prose, with commas, and with a second half that goes on.</p>";

#[test]
fn an_article_among_navigation() {
    let html = format!(
        "<body><header><a href=/>Site name</a></header><nav><ul><li><a href=/a>Section A</a></ul></nav>
        <div id=wrap><h1>The headline</h1><div class=post-body>{p}<h2>Part</h2>{p}<ul><li>one point<li>two points</ul>{p}</div>
        <div class='social-share'>Share on everything</div><aside>Read this too</aside></div><footer>Copyright words</footer>",
        p = PARAGRAPH
    );
    let (text, extracted) = text(&html);
    assert!(extracted);
    assert!(text.starts_with("The headline"), "{text}");
    assert_eq!(text.matches("A sentence that").count(), 3);
    assert!(text.contains("Part") && text.contains("two points"));
    for gone in ["Site name", "Section A", "Share on", "Read this too", "Copyright"] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
}

#[test]
fn a_form_around_the_page_does_not_hide_it() {
    let (text, _) =
        text(&format!("<body><form id=aspnetForm><div>{PARAGRAPH}{PARAGRAPH}</div></form>"));
    assert_eq!(text.matches("A sentence that").count(), 2);
}

#[test]
fn a_list_of_links_that_is_the_page_stays() {
    let items: String =
        (0..20).map(|n| format!("<li><a href=/{n}>Entry number {n} of the list</a>")).collect();
    let (text, _) = text(&format!("<body><main><h1>All entries</h1><ul>{items}</ul></main>"));
    assert!(text.contains("Entry number 19"), "{text}");
}

#[test]
fn a_page_with_hardly_a_word_is_shown_whole() {
    let (text, extracted) = text("<body><nav>Home</nav><p hidden>secret</p><p>Hello.</p>");
    assert!(!extracted);
    assert_eq!(text, "Home\n\nHello.");
}

#[test]
fn what_a_click_unfolds_is_part_of_the_page() {
    let (text, _) = text(&format!(
        "<main>{PARAGRAPH}<div class=faq__answer style='display: none'>The answer.</div>
        <div hidden id='S:1'>The late part.</div><div style=display:none>Never shown.</div></main>"
    ));
    assert!(
        text.contains("The answer.")
            && text.contains("The late part.")
            && !text.contains("Never shown."),
        "{text}"
    );
}

#[test]
fn styles_written_as_class_names_name_nothing() {
    let (text, _) = text(&format!(
        "<main>{PARAGRAPH}<p>See <a class='hover:[text-decoration-skip:none]' href=/x>the guide</a>.</main>"
    ));
    assert!(text.contains("See the guide."), "{text}");
}

#[test]
fn an_empty_page_is_empty() {
    assert_eq!(text(""), (String::new(), false));
}

//! What elements are named, where several words say it together.

use super::{numbered, paragraphs, text};

/// The text of an article with an element of this name between its paragraphs.
fn with_named(name: &str, inner: &str) -> String {
    let (above, below) = (paragraphs(12), numbered(13..=20));
    text(&format!("<body><main><h1>T</h1>{above}<div class='{name}'>{inner}</div>{below}</main>")).0
}

#[test]
fn what_is_named_after_what_readers_do_is_no_part_of_the_text() {
    let list = "<ul><li>An entry that says something</ul>";
    for name in [
        "article-comments",
        "leserKommentare",
        "post-ratings",
        "page-feedback",
        "prev-next",
        "nextPost",
        "affiliate-disclosure",
    ] {
        let text = with_named(name, list);
        assert!(text.contains("Paragraph 20") && !text.contains("An entry"), "{name}: {text}");
    }
    for name in ["comments-on-law", "has-post-rating", "next-steps", "disclosure-panel"] {
        assert!(with_named(name, list).contains("An entry"), "{name}");
    }
}

#[test]
fn what_is_named_after_a_picture_beside_it_is_its_caption() {
    for name in ["image-description", "photoCredit", "bildunterschrift"] {
        let said = format!("<img src=a><span class='{name}'>The bridge in May</span>");
        let text = with_named("x", &format!("<ul><li>{said} and so on</ul>"));
        assert!(text.contains("and so on") && !text.contains("in May"), "{name}: {text}");
    }
}

//! Sections whose headings lead on elsewhere, and here.

use super::{Said, Style, numbered, paragraphs, rendered, text};

/// The text of an article with a section below its paragraphs.
fn with_section(heading: &str, section: &str) -> String {
    let above = paragraphs(16);
    text(&format!("<body><main><h1>T</h1>{above}<h2>{heading}</h2>{section}</main>")).0
}

#[test]
fn a_section_of_prose_is_the_texts_own_whatever_else_its_heading_may_name() {
    let prose = numbered(20..=23).replace("Paragraph", "Study");
    for heading in [
        "Related work",
        "Recommended intake",
        "Suggested uses",
        "Most popular dog breeds",
        "Trending methods in ecology",
        "Categories",
        "Ähnliche Arten",
        "Neueste Forschung",
    ] {
        let kept = with_section(heading, &prose);
        assert!(kept.contains(heading) && kept.contains("Study 23"), "{heading}: {kept}");
    }
    for heading in ["You may also like", "Newsletter", "Share", "Leave a comment"] {
        let kept = with_section(heading, &prose);
        assert!(kept.contains("Paragraph 16") && !kept.contains("Study"), "{heading}: {kept}");
    }
}

#[test]
fn a_section_of_teasers_leads_on() {
    let teaser = |n: u32| {
        format!(
            "<div><a href=/{n}>Another story {n} of the bridge</a><p>What it is about, in a sentence that is long enough.</p></div>"
        )
    };
    let teasers: String = (1..=3).map(teaser).collect();
    for heading in ["Related articles", "Recommended for you", "Suggested", "Most read"] {
        let kept = with_section(heading, &teasers);
        assert!(kept.contains("Paragraph 16") && !kept.contains("Another story"), "{kept}");
    }
}

#[test]
fn what_a_heading_alone_calls_comments_is_no_less_than_a_short_text_above_it() {
    let answers = numbered(20..=29).replace("Paragraph", "Answer");
    let page = |above: usize| {
        let above = paragraphs(above);
        format!("<body><main><h1>Why?</h1>{above}<h2>10 comments</h2><div>{answers}</div>")
    };
    for (above, kept) in [(5, true), (16, false)] {
        let said = Said { is_article: true, ..Said::default() };
        let (text, _) = rendered(&page(above), said, Style::Plain);
        assert_eq!(text.contains("Answer 29 "), kept, "below {above} paragraphs: {text}");
    }
}

#[test]
fn a_chapter_about_comments_is_no_list_of_them() {
    let chapter = numbered(20..=40).replace("Paragraph", "Party");
    for heading in ["Comments received", "2. Comments", "Comment period", "1. Comment on the rule"]
    {
        let kept = with_section(heading, &chapter);
        assert!(kept.contains("Party 20 ") && kept.contains("Party 40 "), "{heading}: {kept}");
    }
}

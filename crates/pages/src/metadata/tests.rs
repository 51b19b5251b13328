//! Fields and where they come from.

use super::*;

fn fields(html: &str) -> Metadata {
    read(&crate::html::parse(html), &Url::parse("https://example.com/a/b").unwrap())
}

fn value(field: &Field) -> Option<(&str, Source)> {
    field.as_ref().map(|(text, source)| (text.as_str(), *source))
}

#[test]
fn json_ld_and_meta_tags() {
    let found = fields(
        r#"<html lang="en_us"><head><title>The Great Story | Daily</title><meta property="og:title" content="The Great Story">
        <meta name="Description" content=" A  summary "><link rel="canonical" href="/story">
        <script type="application/ld+json">{"@type":"Article","author":{"name":"Ada"},"datePublished":"2024-05-01T08:00:00+02:00"}</script>
        </head><body><h1>The Great Story</h1>"#,
    );
    assert_eq!(value(&found.title), Some(("The Great Story", Source::Document)));
    assert_eq!(value(&found.author), Some(("Ada", Source::JsonLd)));
    assert_eq!(value(&found.published), Some(("2024-05-01T08:00:00+02:00", Source::JsonLd)));
    assert_eq!(value(&found.language), Some(("en-US", Source::Document)));
    assert_eq!(value(&found.description), Some(("A summary", Source::Meta)));
    assert_eq!(value(&found.canonical), Some(("https://example.com/story", Source::Document)));
}

#[test]
fn the_body_speaks_when_the_head_is_silent() {
    let found = fields(
        r#"<title>Notes - Site</title><meta property="og:site_name" content="Site"><base href="https://cdn.example.org/x/">
        <p class="byline">By <a>Grace Hopper</a></p><time datetime="2023-01-02">2 January</time>"#,
    );
    assert_eq!(value(&found.title), Some(("Notes", Source::Document)));
    assert_eq!(value(&found.author), Some(("Grace Hopper", Source::Byline)));
    assert_eq!(value(&found.published), Some(("2023-01-02", Source::Time)));
    assert_eq!(found.base.map(String::from).as_deref(), Some("https://cdn.example.org/x/"));
    assert_eq!(found.canonical, None);
}

#[test]
fn what_is_no_field_is_left_out() {
    let found = fields(
        r#"<meta name=author content="https://facebook.com/x"><link rel=canonical href="javascript:x"><p>text"#,
    );
    assert_eq!(found, Metadata::default());
    let found = fields(
        "<base href='mailto:a@b.example'><p class=author><a href=/ada>View all posts</a></p><p>text",
    );
    assert_eq!(found, Metadata::default());
}

#[test]
fn the_beginning_of_a_page_that_is_paid_for_is_told_from_the_whole() {
    let paid = |free: &str| {
        let json = format!(r#"{{"@type":"NewsArticle","isAccessibleForFree":{free}}}"#);
        fields(&format!("<script type=application/ld+json>{json}</script><p>text"))
    };
    for no in ["false", "\"False\"", "\"http://schema.org/False\""] {
        assert!(paid(no).is_teaser(900) && !paid(no).is_teaser(9_000), "{no}");
        assert!(!paid(no).at_hand().is_teaser(900), "what is at hand is all there is");
    }
    for yes in ["true", "\"True\"", "null"] {
        assert!(!paid(yes).is_teaser(900), "{yes}");
    }
}

#[test]
fn the_one_heading_may_be_the_name_of_the_site() {
    let title = "How bridges sway in strong autumn wind, explained | Example Site";
    let found = fields(&format!("<title>{title}</title><h1>Example Site</h1>"));
    assert_eq!(value(&found.title), Some((title, Source::Document)));
    let title = "The bridge that sways | The Orrin Courier";
    let site = "<h1><a href=/>The Orrin Courier</a></h1>";
    for (headings, expected) in [
        (site.to_owned(), title),
        (format!("{site}<h1>The bridge that sways</h1>"), "The bridge that sways"),
    ] {
        let found = fields(&format!("<title>{title}</title>{headings}"));
        assert_eq!(value(&found.title), Some((expected, Source::Document)), "{headings}");
    }
}

#[test]
fn language_tags() {
    assert_eq!(tag("zh-hant-TW").as_deref(), Some("zh-Hant-TW"));
    assert_eq!(tag("DE").as_deref(), Some("de"));
    assert_eq!(tag("english"), None);
    assert_eq!(tag(""), None);
}

#[test]
fn texts_are_cut_at_characters() {
    assert_eq!(shorten("aéé", 4), "a…");
    assert_eq!(shorten("aé", 4), "aé");
}

#[test]
fn a_field_is_one_line_and_of_a_book_no_more_than_is_kept() {
    assert_eq!(in_one_line(" a\n b\tc ", 5), "a b c");
    assert_eq!(in_one_line("a b c d", 6), "a b…");
    assert_eq!(in_one_line(" \n", 5), "");
    let line = in_one_line(&"a ".repeat(1 << 20), 500);
    assert!(line.len() <= 500 && line.ends_with("a…"), "{line}");
}

#[test]
fn a_page_says_whether_it_is_an_article() {
    let ld = |json: &str| format!(r#"<script type="application/ld+json">{json}</script>"#);
    for (head, is_article) in [
        ("<meta property=og:type content=article>".to_owned(), true),
        (ld(r#"{"@type":["NewsArticle","Thing"]}"#), true),
        (ld(r#"{"@graph":[{"@type":"http://schema.org/BlogPosting"}]}"#), true),
        ("<meta property=og:type content=website>".to_owned(), false),
        (ld(r#"{"@type":"QAPage","mentions":{"@type":"Article"}}"#), false),
        (ld(r#"[{"@type":"QAPage"},{"@type":"TechArticle"}]"#), false),
        (ld(r#"{"@type":["DiscussionForumPosting","BlogPosting"]}"#), false),
        (
            "<meta property=og:type content=article>".to_owned() + &ld(r#"{"@type":"QAPage"}"#),
            false,
        ),
    ] {
        let tree = crate::html::parse(&format!("<head>{head}</head><p>Text"));
        let url = Url::parse("https://example.com/").unwrap();
        assert_eq!(read(&tree, &url).is_article, is_article, "{head}");
    }
}

//! The heading that is the title, whatever its rank.

use super::paragraphs;
use crate::page::{self, Headers, Wanted};
use url::Url;

/// The plain text, without its title, and the Markdown of an article that is called `title`.
fn called(title: &str, html: &str) -> (String, String) {
    let headers = Headers { content_type: "text/html", ..Headers::default() };
    let url = Url::parse("https://example.com/bridges/1").unwrap();
    let wanted = Wanted { text: true, ..Wanted::default() };
    let html = format!("<!doctype html><title>{title}</title>{html}");
    let page = page::read(&headers, html.as_bytes(), &url, wanted).unwrap();
    (page.text, page.markdown)
}

#[test]
fn a_heading_that_says_what_the_page_is_called_is_its_title() {
    let text = paragraphs(8);
    let heading = "<h2>The bridge that sways</h2>";
    let within = format!("<body><main><span>News</span>{heading}{text}</main>");
    let above = format!("<body><div><div>{heading}</div><div>{text}</div></div>");
    let beside =
        format!("<body><header><h1>The Orrin Courier</h1></header><main>{heading}{text}</main>");
    for html in [within, above, beside] {
        for title in [
            "The Bridge that Sways",
            "The bridge that sways | The Courier",
            "The bridge that sways | The Orrin Courier",
            "The Orrin Courier and the Daily News of Northtown - The bridge that sways",
        ] {
            let (text, markdown) = called(title, &html);
            assert!(text.starts_with("Paragraph 1 "), "{title}: {text}");
            assert!(markdown.starts_with("## The bridge that sways\n\nParagraph 1 "), "{markdown}");
        }
    }
}

#[test]
fn what_data_calls_a_page_in_html_is_what_it_is_called() {
    let said = r#"{"@type":"Article","headline":"The <em>bridge</em> &amp; the boats"}"#;
    let data = format!("<script type=application/ld+json>{said}</script>");
    let heading = "<h2>The bridge &amp; the boats</h2>";
    let text = paragraphs(8);
    let html = format!("{data}<body><main>{heading}{text}</main>");
    let (text, markdown) = called("Start", &html);
    assert!(text.starts_with("Paragraph 1 "), "{text}");
    assert!(markdown.starts_with("## The bridge & the boats\n\nParagraph 1 "), "{markdown}");
}

#[test]
fn the_name_of_the_site_is_no_title_of_its_page() {
    let text = paragraphs(8);
    let linked = "<h1><a href=/>The Orrin Courier</a></h1>";
    let office = "<h1>Department of Physics, University of Northtown</h1>";
    for (title, heading, html) in [
        (
            "The bridge that sways | The Orrin Courier",
            "The bridge that sways",
            format!("<header>{linked}</header><main><h2>The bridge that sways</h2>{text}"),
        ),
        (
            "FAQ | Department of Physics, University of Northtown",
            "FAQ",
            format!("<div>{office}</div><main><h2>FAQ</h2>{text}"),
        ),
        (
            "FAQ | Department of Physics, University of Northtown",
            "FAQ",
            format!("<div>{office}<div><h2>FAQ</h2></div><div>{text}</div></div>"),
        ),
        (
            "Bridges - a study | The Orrin Courier",
            "Bridges – a study",
            format!("<main><h2>Bridges – a study</h2><h3>Bridges</h3>{text}"),
        ),
    ] {
        let (_, markdown) = called(title, &format!("<body>{html}"));
        assert!(markdown.starts_with(&format!("## {heading}\n\n")), "{title}: {markdown}");
    }
    let again = format!("<main><h1>Lamps</h1><h2>How they are lit</h2><h1>Lamps</h1>{text}");
    let (text_of, _) = called("Lamps | Example", &again);
    assert!(text_of.starts_with("How they are lit"), "said again below: {text_of}");
    let (_, markdown) =
        called("Swaying in the wind", &format!("<body><header>{linked}</header><div>{text}"));
    assert!(markdown.starts_with("Paragraph 1 "), "{markdown}");
}

#[test]
fn a_heading_below_a_paragraph_is_none_though_the_page_is_called_so() {
    let html = format!(
        "<body><main>{}<h2>Sway</h2>{}</main>",
        paragraphs(1),
        paragraphs(12).replace("Paragraph", "Part")
    );
    let (text, _) = called("Sway", &html);
    assert!(text.contains("Sway\n\nPart 1 "), "{text}");
}

#[test]
fn a_title_and_a_lead_in_one_box_are_each_said_once() {
    let lead = "What happened, in a sentence that a reader sees just before the article begins.";
    let html =
        format!("<body><div><h2>The news</h2>{lead}</div><div><div>{}</div></div>", paragraphs(9));
    let (text, markdown) = called("The news", &html);
    assert!(text.starts_with("What happened,"), "{text}");
    assert!(markdown.starts_with("## The news\n\nWhat happened,"), "{markdown}");
    assert_eq!(markdown.matches("The news").count(), 1, "{markdown}");
}

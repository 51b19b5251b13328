//! The heading that is the title, whatever its rank.

use super::{Said, Style, paragraphs, rendered};

/// The plain text and the Markdown of an article that is called `title`.
fn called(title: &str, html: &str) -> (String, String) {
    let said = || Said { title: Some(title), ..Said::default() };
    (rendered(html, said(), Style::Plain).0, rendered(html, said(), Style::Markdown).0)
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
        for title in ["The Bridge that Sways", "The bridge that sways | The Courier"] {
            let (_, markdown) = called(title, &html);
            assert!(markdown.starts_with("## The bridge that sways\n\nParagraph 1 "), "{markdown}");
        }
    }
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
    let (text, _) = called("The news", &html);
    assert!(text.starts_with("The news\n\nWhat happened,"), "{text}");
    assert_eq!(text.matches("The news").count(), 1, "{text}");
}

//! Leads that stand apart from their article.

use super::{Said, Style, paragraphs, rendered};

const LEAD: &str = "What happened when the old bridge swayed in the storm of last October, and who stood on it then.";

fn read(above: &str, within: &str, description: &str) -> String {
    let html = format!("<body>{above}<main><h1>The headline</h1>{within}{}</main>", paragraphs(9));
    let said = Said { description: Some(description), ..Said::default() };
    rendered(&html, said, Style::Plain).0
}

#[test]
fn what_the_description_says_above_an_article_is_its_lead() {
    for above in
        [format!("<header><p>{LEAD}</p></header>"), format!("<div><p class=share>{LEAD}</p></div>")]
    {
        assert!(read(&above, "", LEAD).starts_with("What happened when"), "{above}");
        let other = read(&above, "", "Something else that is said of this page in other words.");
        assert!(!other.contains("What happened"), "{above}");
        assert!(other.contains("Paragraph 9"), "{above}");
    }
}

#[test]
fn a_lead_that_the_article_says_itself_is_said_once() {
    let within = format!("<p>{LEAD}</p>");
    let above = format!("<header><p>{LEAD}</p></header>");
    assert_eq!(read(&above, &within, LEAD).matches("What happened").count(), 1);
    let twice = format!("{above}<aside><p>{LEAD}</p></aside>");
    assert_eq!(read(&twice, "", LEAD).matches("What happened").count(), 1);
}

#[test]
fn what_nobody_sees_is_no_lead() {
    let hidden = format!("<p hidden>{LEAD}</p>");
    assert!(!read(&hidden, "", LEAD).contains("What happened"));
}

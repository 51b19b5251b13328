//! What a page says of the kind of text that it is, and of who answers for it.
//!
//! Border: fields and types in, signals out. What they are worth is for whoever ranks sources to say.

use super::jsonld::JsonLd;
use quarry_types::Signal;

/// Meta tags with the DOI.
pub const DOI: &[&str] = &["citation_doi", "dc.identifier", "dc.identifier.doi", "prism.doi"];
/// Meta tags with who published an article.
pub const JOURNAL: &[&str] = &[
    "citation_journal_title",
    "citation_conference_title",
    "citation_technical_report_institution",
    "citation_dissertation_institution",
    "prism.publicationname",
];

/// The signals of a page, each once, in the order of their declaration.
pub fn read(
    doi: Option<&str>,
    journal: Option<&str>,
    ld: &JsonLd,
    has_author: bool,
) -> Vec<Signal> {
    let told = [
        (Signal::Doi, doi.is_some_and(is_doi)),
        (Signal::Journal, journal.is_some()),
        (Signal::ScholarlyArticle, ld.kinds.scholarly),
        (Signal::NewsArticle, ld.kinds.news),
        (Signal::PublicBody, ld.kinds.public_body),
        (Signal::Byline, has_author),
    ];
    told.into_iter().filter(|(_, is_told)| *is_told).map(|(signal, _)| signal).collect()
}

/// Whether a text is a DOI: `10.1234/x`, with or without what it is introduced by.
fn is_doi(text: &str) -> bool {
    let text = text.trim();
    let bare = ["https://doi.org/", "http://doi.org/", "http://dx.doi.org/", "doi:"];
    let bare = bare.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text).trim();
    let Some((prefix, name)) = bare.strip_prefix("10.").and_then(|rest| rest.split_once('/'))
    else {
        return false;
    };
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    (4..=20).contains(&prefix.len()) && prefix.split('.').all(is_number) && !name.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use url::Url;

    fn of(head: &str) -> Vec<Signal> {
        let html = format!("<html><head><title>T</title>{head}</head><body><p>Text");
        let url = Url::parse("https://example.com/").unwrap();
        crate::metadata::read(&crate::html::parse(&html), &url).signals
    }

    fn ld(json: &str) -> Vec<Signal> {
        of(&format!(r#"<script type="application/ld+json">{json}</script>"#))
    }

    #[test]
    fn citation_tags_name_a_journal_and_a_doi() {
        let found =
            of(r#"<meta name="citation_journal_title" content="Journal of Coastal Structures">
            <meta name="citation_doi" content="doi:10.5555/jcs.2024.0117">
            <meta name="citation_author" content="Renner, Ailsa">"#);
        assert_eq!(found, [Signal::Doi, Signal::Journal, Signal::Byline]);
        for no in ["", "10.12/x", "10.1234", "10.1234/", "10.a234/x", "11.1234/x", "soon"] {
            assert_eq!(of(&format!(r#"<meta name="citation_doi" content="{no}">"#)), [], "{no}");
        }
    }

    #[test]
    fn json_ld_names_kinds_and_the_public_body_that_publishes() {
        let news = r#"{"@type":["ReportageNewsArticle","Thing"],"headline":"H","author":{"name":"Lene Faber"}}"#;
        assert_eq!(ld(news), [Signal::NewsArticle, Signal::Byline]);
        let study = r#"{"@graph":[{"@type":"http://schema.org/ScholarlyArticle","headline":"H"}]}"#;
        assert_eq!(ld(study), [Signal::ScholarlyArticle]);
        for role in ["publisher", "creator", "provider", "issuedBy", "author", "sourceOrganization"]
        {
            let body = format!(
                r#"{{"@type":"Dataset","{role}":[{{"@type":"GovernmentOrganization","name":"Statistics"}}]}}"#
            );
            assert!(ld(&body).contains(&Signal::PublicBody), "{role}");
        }
    }

    #[test]
    fn who_is_only_written_about_is_no_publisher() {
        let about = r#"{"@type":"BlogPosting","headline":"H","about":{"@type":"GovernmentOrganization","name":"Tax"},
            "mentions":{"@type":"NewsArticle"},"citation":{"@type":"ScholarlyArticle"}}"#;
        assert_eq!(ld(about), []);
        let listed = r#"{"@graph":[{"@type":"GovernmentOrganization","name":"Tax"},{"@type":"BlogPosting","headline":"H"}]}"#;
        assert_eq!(ld(listed), []);
    }
}

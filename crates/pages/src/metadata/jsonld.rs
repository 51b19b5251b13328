//! What a page says of itself in JSON-LD: the fields of the object that describes the page.

use serde_json::Value;

/// Objects that are looked at, over all scripts of a page.
const MAX_OBJECTS: usize = 2_000;

/// Types that describe a page's main matter, the better first.
const TYPES: &[&str] = &[
    "NewsArticle",
    "BlogPosting",
    "TechArticle",
    "ScholarlyArticle",
    "Report",
    "Article",
    "ReportageNewsArticle",
    "AnalysisNewsArticle",
    "OpinionNewsArticle",
    "DiscussionForumPosting",
    "QAPage",
    "Question",
    "Recipe",
    "Product",
    "Review",
    "VideoObject",
    "Event",
    "JobPosting",
    "Course",
    "SoftwareApplication",
    "Book",
    "ItemPage",
    "AboutPage",
    "CollectionPage",
    "WebPage",
];

/// The fields found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JsonLd {
    /// `headline` or `name`.
    pub title: Option<String>,
    /// `author.name`, several joined by a comma.
    pub author: Option<String>,
    /// `datePublished`, else `uploadDate` or `dateCreated`.
    pub published: Option<String>,
    /// `inLanguage`.
    pub language: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `articleBody`, `reviewBody` or `text`: the page's own text.
    pub body: Option<String>,
    /// What kinds of text it is called, and who answers for it.
    pub kinds: Kinds,
    /// Whether only those who pay may read all of it.
    pub is_paid: bool,
}

/// What the objects that describe a page call it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kinds {
    /// A scholarly article.
    pub scholarly: bool,
    /// A news article.
    pub news: bool,
    /// An article of any kind, or an entry of a blog.
    pub article: bool,
    /// A question and its answers, or a discussion.
    pub discussion: bool,
    /// Something that a public body publishes or made.
    pub public_body: bool,
}

/// Reads the scripts; one that is not JSON is passed over.
pub fn read(scripts: &[String]) -> JsonLd {
    let values: Vec<Value> = scripts.iter().filter_map(|text| parse(text.trim())).collect();
    let mut found: Vec<(usize, JsonLd)> = Vec::new();
    let mut open: Vec<&Value> = values.iter().rev().collect();
    let mut seen = 0;
    let mut kinds = Kinds::default();
    let (mut is_faq, mut is_paid) = (false, false);
    while let Some(value) = open.pop() {
        seen += 1;
        if seen > MAX_OBJECTS {
            break;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Object(object) => {
                kinds.take_in(value);
                is_faq |= types(value).any(|name| name == "FAQPage");
                if let Some(rank) = rank(value) {
                    is_paid |= object.get("isAccessibleForFree").is_some_and(is_false);
                    found.push((rank, fields(value)));
                }
                for name in ["mainEntityOfPage", "mainEntity", "@graph"] {
                    open.extend(object.get(name));
                }
            }
            _ => {}
        }
    }
    // One of many questions is not what a page is about.
    found.retain(|(rank, _)| !is_faq || TYPES.get(*rank).is_none_or(|name| *name != "Question"));
    found.sort_by_key(|(rank, _)| *rank);
    let first = JsonLd { kinds, is_paid, ..JsonLd::default() };
    found.into_iter().fold(first, |best, (_, next)| JsonLd {
        title: best.title.or(next.title),
        author: best.author.or(next.author),
        published: best.published.or(next.published),
        language: best.language.or(next.language),
        description: best.description.or(next.description),
        body: best.body.or(next.body),
        kinds: best.kinds,
        is_paid: best.is_paid,
    })
}

/// JSON, also where line breaks stand in its strings as they are.
fn parse(text: &str) -> Option<Value> {
    let plain = |_: serde_json::Error| serde_json::from_str(&text.replace(char::is_control, " "));
    serde_json::from_str(text).or_else(plain).ok()
}

impl Kinds {
    fn take_in(&mut self, object: &Value) {
        self.scholarly |= types(object)
            .any(|name| matches!(name, "ScholarlyArticle" | "MedicalScholarlyArticle"));
        self.news |= types(object).any(|name| name.ends_with("NewsArticle"));
        self.article |=
            types(object).any(|name| name.ends_with("Article") || name == "BlogPosting");
        self.discussion |=
            types(object).any(|name| matches!(name, "QAPage" | "DiscussionForumPosting"));
        let behind = PUBLISHERS.iter().filter_map(|role| object.get(*role));
        let each = behind.flat_map(|value| match value {
            Value::Array(items) => items.iter().take(10).collect(),
            one => vec![one],
        });
        self.public_body |= each.flat_map(types).any(|name| name == "GovernmentOrganization");
    }
}

/// Roles of those who answer for a page.
const PUBLISHERS: &[&str] =
    &["publisher", "creator", "author", "provider", "issuedBy", "sourceOrganization"];

/// The types of an object, without what they are introduced by.
fn types(object: &Value) -> impl Iterator<Item = &str> {
    let names = match object.get("@type") {
        Some(Value::Array(names)) => names.as_slice(),
        Some(name) => std::slice::from_ref(name),
        None => &[],
    };
    names.iter().filter_map(Value::as_str).map(|name| name.rsplit('/').next().unwrap_or(name))
}

fn rank(object: &Value) -> Option<usize> {
    types(object).filter_map(|name| TYPES.iter().position(|known| *known == name)).min()
}

fn fields(object: &Value) -> JsonLd {
    let text = |name: &str| object.get(name).and_then(plain);
    JsonLd {
        title: text("headline").or_else(|| text("name")),
        author: object.get("author").and_then(|author| names(author, 0)),
        published: text("datePublished")
            .or_else(|| text("uploadDate"))
            .or_else(|| text("dateCreated")),
        language: text("inLanguage"),
        description: text("description"),
        body: ["articleBody", "reviewBody", "text"].iter().find_map(|name| {
            object
                .get(*name)?
                .as_str()
                .map(str::trim)
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        }),
        kinds: Kinds::default(),
        is_paid: false,
    }
}

/// `false`, as it is written: also `"False"`, and with the vocabulary's address before it.
fn is_false(value: &Value) -> bool {
    let name = value.as_str().map(|name| name.trim().rsplit('/').next().unwrap_or_default());
    value.as_bool() == Some(false) || name.is_some_and(|name| name.eq_ignore_ascii_case("false"))
}

fn plain(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    (!text.is_empty() && text.len() <= 4096).then(|| text.to_owned())
}

fn names(value: &Value, depth: usize) -> Option<String> {
    match value {
        Value::String(_) => plain(value).filter(|name| !name.starts_with("http")),
        Value::Object(object) => {
            object.get("name").and_then(|name| names(name, depth + 1)).filter(|_| depth < 3)
        }
        Value::Array(items) if depth < 3 => {
            let mut list: Vec<String> = Vec::new();
            for name in items.iter().take(10).filter_map(|item| names(item, depth + 1)) {
                if !list.contains(&name) {
                    list.push(name);
                }
            }
            (!list.is_empty()).then(|| list.join(", "))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_that_describes_the_page_wins() {
        let scripts = [
            "not json".to_owned(),
            r#"{"@context":"https://schema.org","@graph":[
                {"@type":"WebPage","name":"Site | Page","inLanguage":"en-GB","description":"of the page"},
                {"@type":["NewsArticle","Thing"],"headline":"The headline","author":[{"@type":"Person","name":"Ada L."},{"name":"Bob"}],
                 "datePublished":"2024-05-01"}]}"#
                .to_owned(),
        ];
        let found = read(&scripts);
        assert_eq!(found.title.as_deref(), Some("The headline"));
        assert_eq!(found.author.as_deref(), Some("Ada L., Bob"));
        assert_eq!(found.published.as_deref(), Some("2024-05-01"));
        assert_eq!(found.language.as_deref(), Some("en-GB"));
        assert_eq!(found.description.as_deref(), Some("of the page"));
    }

    #[test]
    fn of_questions_and_answers_none_is_the_title() {
        let nested = r#"{"@type":"FAQPage","name":"About ferries","mainEntity":[
            {"@type":"Question","name":"When does it leave?","acceptedAnswer":{"text":"At noon."}}]}"#;
        assert_eq!(read(&[nested.to_owned()]), JsonLd::default());
        let graph = r#"{"@graph":[{"@type":["WebPage","FAQPage"],"name":"About ferries"},
            {"@type":"Question","name":"When does it leave?"}]}"#;
        assert_eq!(read(&[graph.to_owned()]).title.as_deref(), Some("About ferries"));
        let one = r#"{"@type":"QAPage","mainEntity":{"@type":"Question","name":"When?"}}"#;
        assert_eq!(read(&[one.to_owned()]).title.as_deref(), Some("When?"));
    }

    #[test]
    fn line_breaks_in_strings_are_read_as_spaces() {
        let broken =
            "{\"@type\":\"Article\",\n\"headline\":\"Bridges\",\"articleBody\":\"One.\n\tTwo.\"}";
        let found = read(&[broken.to_owned()]);
        assert_eq!(found.title.as_deref(), Some("Bridges"));
        assert_eq!(found.body.as_deref(), Some("One.  Two."));
    }

    #[test]
    fn other_objects_and_deep_nesting_give_nothing() {
        let deep = "[".repeat(100_000);
        let other = r#"{"@type":"Organization","name":"ACME","author":{"name":{"name":{"name":{"name":"x"}}}}}"#.to_owned();
        assert_eq!(read(&[deep, other]), JsonLd::default());
    }
}

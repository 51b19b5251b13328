//! Which documents count, as searches and questions say it.
//!
//! Border: what the field may hold; the types here are the parser and the schema of the document at once. One may say
//! it with one value or with several, and in the singular or in the plural.

use serde::Deserialize;
use serde_json::Value;

use crate::Refusal;
use crate::json_field::{Field, Given, Known, either};

/// Values of a list, and characters of one.
const VALUES: usize = 100;
pub(super) const CHARACTERS: usize = 500;

/// Documents that count: of each list that is given, one value has to be the document's.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Filter {
    /// As documents write it, whatever its case.
    category: Given<Words>,
    /// The same as `category`.
    categories: Given<Words>,
    /// Whatever its case.
    source_org: Given<Words>,
    /// The same as `source_org`.
    source_orgs: Given<Words>,
    /// Ids.
    document: Given<Words>,
    /// The same as `document`.
    documents: Given<Words>,
}

/// What a filter says; an empty list lets all documents through.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Lists {
    /// Categories as documents write them.
    pub categories: Vec<String>,
    /// Who published them.
    pub source_orgs: Vec<String>,
    /// Ids of documents.
    pub documents: Vec<String>,
}

/// A text, or several.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline, untagged))]
enum Words {
    One(#[cfg_attr(feature = "schema", schemars(length(max = CHARACTERS)))] String),
    Several(
        #[cfg_attr(
            feature = "schema",
            schemars(length(min = 1, max = VALUES), inner(length(min = 1, max = CHARACTERS)))
        )]
        Vec<String>,
    ),
}

impl Field for Words {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let word = |value: Value| match value {
            Value::String(word) if word.chars().nth(CHARACTERS).is_none() => Some(word),
            _ => None,
        };
        let words = match value {
            // Whoever wants none of a list's documents has not asked for all of them.
            Value::Array(words) if words.is_empty() => {
                return Err("wants at least one value; leave it out to have all".to_owned());
            }
            Value::Array(words) if words.len() <= VALUES => {
                let words = words.into_iter().map(|one| word(one).filter(|word| !word.is_empty()));
                words.collect::<Option<_>>().map(Words::Several)
            }
            Value::String(text) if text.is_empty() => return Ok(None),
            one => word(one).map(Words::One),
        };
        let wants = format!(
            "wants a text, or an array of at most {VALUES}, each of 1 to {CHARACTERS} characters"
        );
        words.map(Some).ok_or(wants)
    }
}

impl Words {
    fn list(self) -> Vec<String> {
        match self {
            Words::One(word) => vec![word],
            Words::Several(words) => words,
        }
    }
}

impl Filter {
    /// What a request's field `filter` says.
    pub(crate) fn lists(given: Given<Known<Filter>>) -> Result<Lists, Refusal> {
        let Some(Known(filter)) = given.named("filter")? else { return Ok(Lists::default()) };
        let categories =
            either(("filter.category", filter.category), ("filter.categories", filter.categories))?;
        let source_orgs = either(
            ("filter.source_org", filter.source_org),
            ("filter.source_orgs", filter.source_orgs),
        )?;
        let documents =
            either(("filter.document", filter.document), ("filter.documents", filter.documents))?;
        let list = |given: Option<Words>| given.map(Words::list).unwrap_or_default();
        Ok(Lists {
            categories: list(categories),
            source_orgs: list(source_orgs),
            documents: list(documents),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Body {
        filter: Given<Known<Filter>>,
    }

    fn read(filter: &Value) -> Result<Lists, Refusal> {
        let body: Body = serde_json::from_value(json!({ "filter": filter })).unwrap();
        Filter::lists(body.filter)
    }

    #[test]
    fn one_value_or_several_in_the_singular_or_in_the_plural() {
        let lists = |categories: &[&str], source_orgs: &[&str], documents: &[&str]| {
            let [categories, source_orgs, documents] = [categories, source_orgs, documents]
                .map(|list| list.iter().map(|word| (*word).to_owned()).collect());
            Lists { categories, source_orgs, documents }
        };
        for filter in [
            json!({ "category": "a", "source_org": ["b", "c"], "document": "d" }),
            json!({ "categories": ["a"], "source_orgs": ["b", "c"], "documents": ["d"] }),
            json!({ "categories": "a", "source_org": ["b", "c"], "documents": "d", "document": "" }),
        ] {
            assert_eq!(read(&filter).unwrap(), lists(&["a"], &["b", "c"], &["d"]), "{filter}");
        }
        assert_eq!(read(&json!({})).unwrap(), Lists::default());
        assert_eq!(read(&json!({ "category": null })).unwrap(), Lists::default());
        assert_eq!(read(&json!({ "document": vec!["x"; VALUES] })).unwrap().documents.len(), 100);
    }

    #[test]
    fn what_cannot_be_used_is_told_with_its_field() {
        let none = "wants at least one value; leave it out to have all";
        for (filter, field, says) in [
            (json!({ "category": [] }), "filter.category", none),
            (json!({ "documents": [] }), "filter.documents", none),
            (json!({ "document": [""] }), "filter.document", "1 to 500 characters"),
            (json!({ "source_orgs": 7 }), "filter.source_orgs", "wants a text, or an array"),
            (json!({ "document": vec!["x"; 101] }), "filter.document", "an array of at most 100"),
            (json!({ "category": "a".repeat(501) }), "filter.category", "1 to 500 characters"),
            (json!({ "category": "a", "categories": ["b"] }), "filter.categories", "send one"),
            (json!({ "categry": "a" }), "filter", "the nearest is `category`"),
        ] {
            let Err(Refusal::InvalidField { field: named, message }) = read(&filter) else {
                panic!("{filter}")
            };
            assert_eq!(named, field, "{filter}");
            assert!(message.contains(says), "{message}");
        }
    }
}

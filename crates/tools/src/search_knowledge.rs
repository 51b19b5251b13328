//! `search_knowledge`: searches documents of one's own. Source: the ask contract, *Tools*; the contract of knowledge.

use crate::{
    Errand, FailureKind, KnowledgeFilter, KnowledgeQuery, Outcome, OutputLimits, OwnPassage,
    Passages, Share, Sources, Tool,
};
use quarry_evidence::{Anchor, Content, Evidence, Finding, Passage, Replaced};
use quarry_types::json::put;
use quarry_types::text::cut;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Arguments of `search_knowledge`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchKnowledge {
    /// What to search for: a question, or its words
    #[schemars(length(min = 1, max = 1_000))]
    pub query: String,
    /// Which collection of documents; empty: the default one
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub collection: String,
    /// Only documents of this category; empty: all
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub filter: String,
    /// Passages wanted
    #[serde(default = "five")]
    #[schemars(range(min = 1, max = 20))]
    pub limit: u32,
}

const fn five() -> u32 {
    5
}

/// Addresses that are shown of those that a document says it comes from, and bytes of each: a document may name 32 of
/// 2,048 characters, and what is shown is to be its text.
const SHOWN_SOURCES: usize = 3;
const SHOWN_SOURCE: usize = 300;

impl Tool for SearchKnowledge {
    const NAME: &'static str = "search_knowledge";
    const DESCRIPTION: &'static str = "Search the documents of the knowledge base. Returns passages with the title and headings they stand under, the address that opens each, and their text.";
    const RULE: &'static str = "Search the knowledge base with search_knowledge.";

    fn serves(sources: Sources) -> bool {
        sources.knowledge
    }

    fn errand(&self) -> Errand {
        let given = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
        Errand::SearchKnowledge(KnowledgeQuery {
            text: self.query.clone(),
            collection: given(&self.collection),
            limit: self.limit,
            threshold: Share::USUAL,
            filter: KnowledgeFilter {
                categories: given(&self.filter).into_iter().collect(),
                ..KnowledgeFilter::default()
            },
        })
    }

    /// Above the limit half of the passages stay, the better ones, and the outcome is marked; again until it fits.
    fn bound(&self, mut outcome: Outcome, limits: &OutputLimits) -> Outcome {
        let Outcome::Passages(found) = &mut outcome else { return outcome };
        let too_large = |found: &Passages| {
            let output = self.shown(found).to_string();
            quarry_types::tokens::estimate(&output) > limits.search_tokens
        };
        while found.passages.len() > 1 && too_large(found) {
            found.passages.truncate(found.passages.len().div_ceil(2));
            found.truncated = true;
        }
        outcome
    }

    fn searches_for(&self) -> Option<&str> {
        Some(&self.query)
    }

    fn output(&self, outcome: &Outcome) -> Value {
        match outcome {
            Outcome::Passages(found) => self.shown(found),
            Outcome::Failed(failure) => json!({ "error": failure.message }),
            Outcome::Found(_) | Outcome::Page(_) | Outcome::Program(_) => {
                json!({ "error": "no documents were searched" })
            }
        }
    }

    fn recall(&self, kept: &Value) -> Outcome {
        if let Some(error) = kept.get("error").and_then(Value::as_str) {
            return Outcome::failed(FailureKind::Failed, error);
        }
        let list = kept.get("passages").and_then(Value::as_array).into_iter().flatten();
        Outcome::Passages(Passages {
            passages: list.filter_map(recall).collect(),
            truncated: kept.get("truncated").and_then(Value::as_bool).unwrap_or_default(),
            notes: texts(kept, "notes"),
            spent: None,
        })
    }

    fn learn(&self, outcome: &mut Outcome, evidence: &mut Evidence) -> Vec<usize> {
        let Outcome::Passages(found) = outcome else { return Vec::new() };
        findings(&found.passages, &self.query)
            .into_iter()
            .map(|finding| evidence.find_more(finding, Replaced::GivesWay))
            .collect()
    }

    fn addresses(&self, outcome: &Outcome) -> Vec<String> {
        let Outcome::Passages(found) = outcome else { return Vec::new() };
        let mut addresses = Vec::new();
        for passage in &found.passages {
            let address = passage.whole().to_owned();
            if !addresses.contains(&address) {
                addresses.push(address);
            }
        }
        addresses
    }

    fn line(&self) -> String {
        format!("Searching the documents: {}", cut(&self.query, 120))
    }
}

/// What passages tell as evidence: each document is one source, in the order of its best passage.
#[must_use]
pub fn findings(passages: &[OwnPassage], query: &str) -> Vec<Finding> {
    let mut documents: Vec<(&OwnPassage, Vec<Passage>)> = Vec::new();
    for passage in passages {
        let known = documents.iter_mut().find(|(first, _)| first.whole() == passage.whole());
        match known {
            Some((_, known)) => known.push(passage.evidence()),
            None => documents.push((passage, vec![passage.evidence()])),
        }
    }
    let finding = |(first, passages): (&OwnPassage, Vec<Passage>)| Finding {
        url: first.whole().to_owned(),
        title: Some(first.title.clone()),
        date: first.date.clone(),
        query: Some(query.to_owned()),
        description: String::new(),
        signals: Vec::new(),
        content: Content::Passages(passages),
    };
    documents.into_iter().map(finding).collect()
}

impl OwnPassage {
    /// The address of its document.
    fn whole(&self) -> &str {
        self.address.split('?').next().unwrap_or_default()
    }

    fn evidence(&self) -> Passage {
        let place = self.address.get(self.whole().len()..).unwrap_or_default();
        // Padded, so that the order of anchors is that of the document.
        let anchor = Anchor::new(format!("c{:06}", self.number));
        Passage::of_own(anchor, self.headings.clone(), self.text.clone(), place.to_owned())
    }
}

impl SearchKnowledge {
    fn shown(&self, found: &Passages) -> Value {
        let passages: Vec<Value> = found.passages.iter().map(shown).collect();
        let mut output =
            json!({ "query": self.query, "count": passages.len(), "passages": passages });
        if found.truncated {
            put(&mut output, "truncated", true);
        }
        if !found.notes.is_empty() {
            put(&mut output, "notes", json!(found.notes));
        }
        output
    }
}

fn shown(passage: &OwnPassage) -> Value {
    // What was found comes first: a small context keeps the beginning of a result.
    let mut out = json!({
        "title": passage.title,
        "content": passage.text,
        "headings": passage.headings,
        "url": passage.address,
        "score": passage.score,
        "document": passage.document,
        "number": passage.number,
    });
    if let Some(page) = passage.page {
        put(&mut out, "page", page);
    }
    for (name, value) in
        [("date", &passage.date), ("category", &passage.category), ("org", &passage.org)]
    {
        if let Some(value) = value {
            put(&mut out, name, value.as_str());
        }
    }
    let shown = passage.source_urls.iter().filter(|url| url.len() <= SHOWN_SOURCE);
    let shown: Vec<&String> = shown.take(SHOWN_SOURCES).collect();
    if !shown.is_empty() {
        put(&mut out, "sourceUrls", json!(shown));
    }
    out
}

fn texts(kept: &Value, name: &str) -> Vec<String> {
    let list = kept.get(name).and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The passage behind an output.
fn recall(kept: &Value) -> Option<OwnPassage> {
    let text = |name: &str| kept.get(name).and_then(Value::as_str).map(str::to_owned);
    let number = |name: &str| {
        kept.get(name).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
    };
    // A state that somebody else wrote may name any address as one of ours.
    let address = text("url").filter(|url| quarry_evidence::is_own(url))?;
    Some(OwnPassage {
        document: text("document").unwrap_or_default(),
        title: text("title").unwrap_or_default(),
        headings: texts(kept, "headings"),
        number: number("number").unwrap_or_default(),
        page: number("page"),
        text: text("content").unwrap_or_default(),
        address,
        score: kept.get("score").and_then(Value::as_f64).unwrap_or_default(),
        date: text("date"),
        category: text("category"),
        org: text("org"),
        source_urls: texts(kept, "sourceUrls"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_types::CollectionName;

    const LIMITS: OutputLimits = OutputLimits { search_tokens: 4_000, page_characters: 4_000 };

    fn tool() -> SearchKnowledge {
        let (collection, filter) = (String::new(), " Fees ".to_owned());
        SearchKnowledge { query: "late fee".into(), collection, filter, limit: 5 }
    }

    fn passage(document: &str, number: u32, text: &str) -> OwnPassage {
        OwnPassage {
            document: document.to_owned(),
            title: format!("Title of {document}"),
            headings: vec!["Fees".to_owned(), "Late".to_owned()],
            number,
            page: (number > 0).then_some(number),
            text: text.to_owned(),
            address: format!("/knowledge/documents/{document}/chunks?from={number}"),
            score: 0.5,
            date: Some("2025-02-01".to_owned()),
            org: Some("Harbour Board".to_owned()),
            source_urls: vec!["https://a.example/fees".to_owned()],
            category: Some("rules".to_owned()),
        }
    }

    fn found(passages: Vec<OwnPassage>) -> Outcome {
        Outcome::Passages(Passages { passages, ..Passages::default() })
    }

    #[test]
    fn an_errand_has_the_default_collection_unless_one_is_named() {
        let Errand::SearchKnowledge(query) = tool().errand() else { panic!() };
        assert_eq!((query.collection, query.limit), (None, 5));
        assert_eq!(query.filter.categories, ["Fees"]);
        let named = SearchKnowledge { collection: "team".into(), ..tool() };
        let Errand::SearchKnowledge(query) = named.errand() else { panic!() };
        assert_eq!(query.collection.as_deref(), Some("team"));
    }

    #[test]
    fn a_search_that_names_no_collection_has_the_one_that_is_meant() {
        let boats = CollectionName::read(Some("boats")).unwrap();
        let searched = |tool: SearchKnowledge, meant: Option<&CollectionName>| {
            let Errand::SearchKnowledge(query) = tool.errand().in_collection(meant) else {
                panic!("no search")
            };
            query.collection
        };
        let named = || SearchKnowledge { collection: "team".into(), ..tool() };
        assert_eq!(searched(tool(), None), None);
        assert_eq!(searched(tool(), Some(&boats)).as_deref(), Some("boats"));
        assert_eq!(searched(named(), Some(&boats)).as_deref(), Some("team"));
        let program = Errand::RunProgram { code: "1".into(), timeout_ms: 1 };
        assert_eq!(program.clone().in_collection(Some(&boats)), program);
    }

    #[test]
    fn a_document_is_one_source_and_its_passages_open_their_places() {
        let mut outcome = found(vec![
            passage("d1", 7, "Seven."),
            passage("d2", 0, "Zero."),
            passage("d1", 2, "Two."),
        ]);
        let mut evidence = Evidence::default();
        assert_eq!(tool().learn(&mut outcome, &mut evidence), [1, 2]);
        let first = &evidence.sources()[0];
        assert_eq!(first.url, "/knowledge/documents/d1/chunks");
        assert_eq!(
            (first.title.as_str(), first.date.as_deref()),
            ("Title of d1", Some("2025-02-01"))
        );
        let places: Vec<_> = first
            .content
            .passages()
            .iter()
            .map(|it| (it.text.as_str(), it.fragment.as_str()))
            .collect();
        assert_eq!(places, [("Seven.", "?from=7"), ("Two.", "?from=2")]);
        assert_eq!(
            tool().addresses(&outcome),
            ["/knowledge/documents/d1/chunks", "/knowledge/documents/d2/chunks"]
        );
        // What another search finds of the same document joins it.
        let mut more = found(vec![passage("d1", 5, "Five.")]);
        assert_eq!(tool().learn(&mut more, &mut evidence), [1]);
        assert_eq!(evidence.sources()[0].content.passages().len(), 3);
    }

    #[test]
    fn an_output_reads_back_as_it_was_shown() {
        let output = tool().output(&found(vec![passage("d1", 7, "é"), passage("d2", 0, "x")]));
        assert_eq!(output["passages"][0]["url"], "/knowledge/documents/d1/chunks?from=7");
        assert_eq!(tool().output(&tool().recall(&output)), output);
        let mut foreign = output;
        foreign["passages"][0]["url"] = json!("https://evil.example/");
        let Outcome::Passages(kept) = tool().recall(&foreign) else { panic!() };
        assert_eq!(kept.passages.len(), 1, "an address that is none of ours is not taken for one");
    }

    #[test]
    fn what_a_small_context_keeps_of_an_output_is_what_was_found() {
        let mut rich = passage("d1", 7, "The late fee is 12 euros a day.");
        let long = (0..32).map(|n| format!("https://a.example/{n}?{}", "x".repeat(2_000)));
        rich.source_urls = long.chain((0..9).map(|n| format!("https://a.example/{n}"))).collect();
        let Outcome::Passages(kept) = tool().bound(found(vec![rich]), &LIMITS) else { panic!() };
        let output = tool().shown(&kept);
        assert!(cut(&output.to_string(), 300).contains("The late fee is 12 euros a day."));
        let urls = ["https://a.example/0", "https://a.example/1", "https://a.example/2"];
        assert_eq!(output["passages"][0]["sourceUrls"], json!(urls));
        assert!(quarry_types::tokens::estimate(&output.to_string()) <= LIMITS.search_tokens);
    }

    #[test]
    fn a_large_output_keeps_the_better_half_and_is_marked() {
        let passages = (0..16).map(|n| passage("d1", n, &"word ".repeat(300))).collect();
        let Outcome::Passages(kept) = tool().bound(found(passages), &LIMITS) else { panic!() };
        assert!(kept.truncated && kept.passages.len() < 16);
        assert_eq!(kept.passages[0].number, 0);
        let size = quarry_types::tokens::estimate(&tool().shown(&kept).to_string());
        assert!(size <= LIMITS.search_tokens, "{size}");
    }
}

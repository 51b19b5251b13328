//! `scrape_web_content`: reads one page. Source: reference section 6.3.

use crate::errand::milliseconds;
use crate::{Errand, FailureKind, Outcome, OutputLimits, Page, Sources, Tool};
use quarry_evidence::{Evidence, Finding};
use quarry_types::json::put;
use quarry_types::text::cut;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Arguments of `scrape_web_content`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrapeWebContent {
    /// The page's address
    #[schemars(length(min = 1, max = 8_192))]
    pub url: String,
    /// Seconds
    #[serde(default = "fifteen")]
    #[schemars(range(min = 1, max = 60))]
    pub timeout: u32,
}

const fn fifteen() -> u32 {
    15
}

impl Tool for ScrapeWebContent {
    const NAME: &'static str = "scrape_web_content";
    const DESCRIPTION: &'static str = "Read one web page and return its main text.";
    const RULE: &'static str = "Read promising pages with scrape_web_content.";

    fn serves(sources: Sources) -> bool {
        sources.web
    }

    fn errand(&self) -> Errand {
        Errand::ReadPage { url: self.url.clone(), timeout_ms: milliseconds(self.timeout) }
    }

    fn reads(&self) -> Option<&str> {
        Some(&self.url)
    }

    fn bound(&self, mut outcome: Outcome, limits: &OutputLimits) -> Outcome {
        if let Outcome::Page(page) = &mut outcome {
            page.cut(limits.page_characters);
        }
        outcome
    }

    fn output(&self, outcome: &Outcome) -> Value {
        match outcome {
            Outcome::Page(page) => output(page),
            Outcome::Failed(failure) => json!({ "url": self.url, "error": failure.message }),
            Outcome::Found(_) | Outcome::Passages(_) | Outcome::Program(_) => {
                json!({ "url": self.url, "error": "no page was read" })
            }
        }
    }

    fn recall(&self, kept: &Value) -> Outcome {
        if let Some(error) = kept.get("error").and_then(Value::as_str) {
            return Outcome::failed(FailureKind::Failed, error);
        }
        match recall(kept) {
            Some(page) => Outcome::Page(page),
            None => Outcome::failed(FailureKind::Failed, "the page was not kept"),
        }
    }

    fn learn(&self, outcome: &mut Outcome, evidence: &mut Evidence) -> Vec<usize> {
        let Outcome::Page(page) = outcome else { return Vec::new() };
        vec![evidence.find(finding(page))]
    }

    fn addresses(&self, outcome: &Outcome) -> Vec<String> {
        match outcome {
            Outcome::Page(page) => vec![page.url.clone()],
            Outcome::Found(_) | Outcome::Passages(_) | Outcome::Program(_) | Outcome::Failed(_) => {
                vec![self.url.clone()]
            }
        }
    }

    fn line(&self) -> String {
        format!("Reading {}", cut(&self.url, 120))
    }
}

/// What a page tells as evidence.
fn finding(page: &mut Page) -> Finding {
    Finding {
        url: page.url.clone(),
        title: page.title.clone(),
        date: page.date.clone(),
        query: None,
        description: String::new(),
        signals: page.signals.clone(),
        content: page.take_content(),
    }
}

fn output(page: &Page) -> Value {
    let mut out = json!({ "url": page.url, "content": page.content });
    for (name, value) in [
        ("title", &page.title),
        ("author", &page.author),
        ("date", &page.date),
        ("language", &page.language),
    ] {
        if let Some(value) = value {
            put(&mut out, name, value.as_str());
        }
    }
    if page.needs_script {
        put(&mut out, "needsScript", true);
    }
    if page.is_incomplete() {
        put(&mut out, "truncated", true);
        let original = page.cut_from.unwrap_or_else(|| page.content.chars().count());
        put(&mut out, "originalLength", original);
    }
    out
}

/// The page behind an output.
fn recall(kept: &Value) -> Option<Page> {
    let text = |name: &str| kept.get(name).and_then(Value::as_str).map(str::to_owned);
    let flag = |name: &str| kept.get(name).and_then(Value::as_bool).unwrap_or_default();
    let content = text("content").unwrap_or_default();
    let characters = content.chars().count();
    let original = kept.get("originalLength").and_then(Value::as_u64);
    let original = original.and_then(|length| usize::try_from(length).ok());
    let cut_from = original.filter(|length| *length > characters);
    Some(Page {
        url: text("url")?,
        title: text("title"),
        author: text("author"),
        date: text("date"),
        language: text("language"),
        signals: Vec::new(),
        content,
        passages: Vec::new(),
        truncated: flag("truncated") && cut_from.is_none(),
        cut_from,
        extracted: true,
        needs_script: flag("needsScript"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_evidence::{Anchor, Passage};

    fn tool() -> ScrapeWebContent {
        ScrapeWebContent { url: "https://a.example/".into(), timeout: 15 }
    }

    #[test]
    fn a_page_that_failed_keeps_its_address() {
        let output = tool().output(&Outcome::failed(FailureKind::Timeout, "timed out"));
        assert_eq!(output, json!({ "url": "https://a.example/", "error": "timed out" }));
    }

    #[test]
    fn a_page_is_cut_and_reads_back_as_it_was_shown() {
        let limits = OutputLimits { search_tokens: 4_000, page_characters: 10 };
        let page = Page {
            url: "https://a.example/".into(),
            title: Some("T".into()),
            content: "é".repeat(50),
            extracted: true,
            ..Page::default()
        };
        let bounded = tool().bound(Outcome::Page(page), &limits);
        let output = tool().output(&bounded);
        assert_eq!((&output["truncated"], &output["originalLength"]), (&json!(true), &json!(50)));
        assert_eq!(tool().recall(&output), bounded);
    }

    #[test]
    fn passages_reach_as_far_as_the_text_that_is_shown_and_then_are_the_evidences() {
        let passage = |n: usize| {
            let anchor = Anchor::new(format!("p-{n}"));
            Passage::new(anchor, vec!["é".to_owned()], "é".repeat(9), "")
        };
        let limits = OutputLimits { search_tokens: 4_000, page_characters: 21 };
        let page = Page {
            url: "https://a.example/".into(),
            content: "short".into(),
            passages: (0..9).map(passage).collect(),
            ..Page::default()
        };
        let mut bounded = tool().bound(Outcome::Page(page), &limits);
        let mut evidence = Evidence::default();
        assert_eq!(tool().learn(&mut bounded, &mut evidence), [1]);
        let kept: Vec<Passage> = (0..3).map(passage).collect();
        assert_eq!(evidence.sources()[0].content.passages(), kept);
        let Outcome::Page(page) = bounded else { panic!() };
        assert_eq!((page.content.as_str(), page.passages.len()), ("short", 0));
    }
}

//! `search_web`: searches the web. Source: reference section 6.2.

use crate::errand::milliseconds;
use crate::{Digest, Errand, FailureKind, Found, Hit, Outcome, OutputLimits, Page, Sources, Tool};
use quarry_evidence::{Evidence, Finding};
use quarry_types::json::put;
use quarry_types::text::cut;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Characters of a description that stay when an output is too large.
const SHORT_DESCRIPTION: usize = 500;

/// Characters of a page below which it is not cut further.
const LEAST_PAGE: usize = 100;

/// Arguments of `search_web`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchWeb {
    /// What to search for
    #[schemars(length(min = 1, max = 1_000))]
    pub query: String,
    /// Results wanted
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = 50))]
    pub limit: u32,
    /// Seconds
    #[serde(default = "fifteen")]
    #[schemars(range(min = 1, max = 60))]
    pub timeout: u32,
    /// Also read the pages found
    #[serde(default)]
    pub load_content: bool,
    /// Also digest the results
    #[serde(default)]
    pub generate_summary: bool,
}

const fn three() -> u32 {
    3
}

const fn fifteen() -> u32 {
    15
}

impl Tool for SearchWeb {
    const NAME: &'static str = "search_web";
    const DESCRIPTION: &'static str = "Search the web. Returns titles, addresses and descriptions; with load_content also the pages' text, with generate_summary also a digest.";
    const RULE: &'static str = "Look things up on the web with search_web.";

    fn serves(sources: Sources) -> bool {
        sources.web
    }

    fn errand(&self) -> Errand {
        Errand::Search {
            query: self.query.clone(),
            limit: self.limit,
            timeout_ms: milliseconds(self.timeout),
            load_content: self.load_content,
            domains: Vec::new(),
            anew: false,
        }
    }

    /// Above the limit half of the results stay, their long fields are cut, and the outcome is
    /// marked; again until it fits.
    fn bound(&self, mut outcome: Outcome, limits: &OutputLimits) -> Outcome {
        let Outcome::Found(found) = &mut outcome else { return outcome };
        let mut characters = limits.page_characters;
        found.results.iter_mut().for_each(|hit| hit.cut_page(characters));
        let too_large = |found: &Found| {
            let output = self.found_output(found).to_string();
            quarry_types::tokens::estimate(&output) > limits.search_tokens
        };
        while characters > LEAST_PAGE && too_large(found) {
            if found.results.len() > 1 {
                found.results.truncate(found.results.len().div_ceil(2));
            }
            for hit in &mut found.results {
                hit.cut_page(characters);
                let shorter = cut(&hit.description, SHORT_DESCRIPTION);
                hit.truncated |= shorter.len() < hit.description.len();
                hit.description = shorter;
            }
            found.truncated = true;
            characters /= 2;
        }
        outcome
    }

    fn searches_for(&self) -> Option<&str> {
        Some(&self.query)
    }

    fn asks_for_digest(&self) -> bool {
        self.generate_summary
    }

    fn wants_digest(&self, outcome: &Outcome) -> bool {
        self.asks_for_digest()
            && matches!(outcome, Outcome::Found(found) if !found.results.is_empty())
    }

    fn output(&self, outcome: &Outcome) -> Value {
        match outcome {
            Outcome::Found(found) => self.found_output(found),
            Outcome::Failed(failure) => json!({ "error": failure.message }),
            Outcome::Page(_) | Outcome::Passages(_) | Outcome::Program(_) => {
                json!({ "error": "nothing was searched" })
            }
        }
    }

    fn recall(&self, kept: &Value) -> Outcome {
        if let Some(error) = kept.get("error").and_then(Value::as_str) {
            return Outcome::failed(FailureKind::Failed, error);
        }
        let text = |name: &str| kept.get(name).and_then(Value::as_str).map(str::to_owned);
        let list = |name: &str| kept.get(name).and_then(Value::as_array).into_iter().flatten();
        let written = text("summary").map(|text| Digest::Written {
            model: kept.get("summaryModel").and_then(Value::as_str).unwrap_or_default().to_owned(),
            text,
        });
        Outcome::Found(Found {
            provider: text("provider").unwrap_or_default(),
            results: list("results").filter_map(Hit::recall).collect(),
            notes: list("notes").filter_map(Value::as_str).map(str::to_owned).collect(),
            truncated: kept.get("truncated").and_then(Value::as_bool).unwrap_or_default(),
            digest: written.or_else(|| text("summaryError").map(Digest::Failed)),
        })
    }

    fn learn(&self, outcome: &mut Outcome, evidence: &mut Evidence) -> Vec<usize> {
        let Outcome::Found(found) = outcome else { return Vec::new() };
        let query = Some(self.query.clone());
        let numbers = found
            .results
            .iter_mut()
            .filter(|hit| !hit.url.is_empty())
            .map(|hit| evidence.find(Finding { query: query.clone(), ..hit.finding() }))
            .collect();
        if let Some(Digest::Written { text, .. }) = &found.digest {
            evidence.digest(text);
        }
        numbers
    }

    fn addresses(&self, outcome: &Outcome) -> Vec<String> {
        match outcome {
            Outcome::Found(found) => found.results.iter().map(|hit| hit.url.clone()).collect(),
            Outcome::Page(_) | Outcome::Passages(_) | Outcome::Program(_) | Outcome::Failed(_) => {
                Vec::new()
            }
        }
    }

    fn line(&self) -> String {
        format!("Searching: {}", cut(&self.query, 120))
    }
}

impl SearchWeb {
    fn found_output(&self, found: &Found) -> Value {
        let results: Vec<Value> = found.results.iter().map(Hit::output).collect();
        let mut output = json!({
            "query": self.query,
            "count": results.len(),
            "provider": found.provider,
            "results": results,
        });
        if !found.notes.is_empty() {
            put(&mut output, "notes", json!(found.notes));
        }
        if found.truncated {
            put(&mut output, "truncated", true);
        }
        match &found.digest {
            Some(Digest::Written { model, text }) => {
                put(&mut output, "summary", text.as_str());
                put(&mut output, "summaryModel", model.as_str());
            }
            Some(Digest::Failed(reason)) => put(&mut output, "summaryError", reason.as_str()),
            None => {}
        }
        output
    }
}

impl Hit {
    fn cut_page(&mut self, characters: usize) {
        if let Some(Ok(page)) = &mut self.page {
            page.cut(characters);
        }
    }

    fn finding(&mut self) -> Finding {
        let read = self.page.as_mut().and_then(|page| page.as_mut().ok());
        Finding {
            url: self.url.clone(),
            title: Some(self.title.clone()),
            date: read.as_ref().and_then(|page| page.date.clone()),
            query: None,
            description: self.description.clone(),
            signals: read.as_ref().map(|page| page.signals.clone()).unwrap_or_default(),
            content: read.map(Page::take_content).unwrap_or_default(),
        }
    }

    fn output(&self) -> Value {
        let mut out = Map::new();
        let mut put = |name: &str, value: Value| out.insert(name.to_owned(), value);
        put("title", self.title.as_str().into());
        put("url", self.url.as_str().into());
        put("description", self.description.as_str().into());
        put("score", self.score.into());
        if self.provider == "duckduckgo" {
            put("duckduckgoScore", self.provider_score.unwrap_or(self.score).into());
        }
        match &self.page {
            None => {
                put("state", "found".into());
                put("contentLength", 0.into());
            }
            Some(Err(error)) => {
                put("state", "failed".into());
                put("contentLength", 0.into());
                put("fetchError", error.as_str().into());
            }
            Some(Ok(page)) => {
                let length = page.content.chars().count();
                put("state", "loaded".into());
                put("contentLength", length.into());
                put("originalLength", page.cut_from.unwrap_or(length).into());
                put("intelligentlyExtracted", page.extracted.into());
                put("truncated", (page.is_incomplete() || self.truncated).into());
                if page.needs_script {
                    put("needsScript", true.into());
                }
                if let Some(date) = &page.date {
                    put("date", date.as_str().into());
                }
                put("content", page.content.as_str().into());
            }
        }
        if self.truncated && self.page.as_ref().is_none_or(Result::is_err) {
            put("truncated", true.into());
        }
        put("fetchTimeMs", self.fetch_ms.into());
        Value::Object(out)
    }

    /// The result behind an output.
    fn recall(kept: &Value) -> Option<Hit> {
        let text = |name: &str| kept.get(name).and_then(Value::as_str).map(str::to_owned);
        let flag = |name: &str| kept.get(name).and_then(Value::as_bool).unwrap_or_default();
        let number = |name: &str| kept.get(name).and_then(Value::as_f64);
        let url = text("url")?;
        let failed = text("fetchError").map(Err);
        let page =
            failed.or_else(|| text("content").map(|content| Ok(Page::recall(kept, content))));
        let engine = number("duckduckgoScore");
        Some(Hit {
            title: text("title").unwrap_or_default(),
            url,
            description: text("description").unwrap_or_default(),
            score: number("score").unwrap_or_default(),
            provider_score: engine,
            provider: engine.map_or_else(String::new, |_| "duckduckgo".to_owned()),
            truncated: flag("truncated") && !matches!(page, Some(Ok(_))),
            page,
            fetch_ms: kept.get("fetchTimeMs").and_then(Value::as_u64).unwrap_or_default(),
        })
    }
}

impl Page {
    /// The page that a search output holds.
    fn recall(kept: &Value, content: String) -> Page {
        let flag = |name: &str| kept.get(name).and_then(Value::as_bool).unwrap_or_default();
        let original = kept.get("originalLength").and_then(Value::as_u64);
        let original = original.and_then(|length| usize::try_from(length).ok());
        let cut_from = original.filter(|length| *length > content.chars().count());
        Page {
            url: kept.get("url").and_then(Value::as_str).unwrap_or_default().to_owned(),
            date: kept.get("date").and_then(Value::as_str).map(str::to_owned),
            truncated: flag("truncated") && cut_from.is_none(),
            cut_from,
            extracted: flag("intelligentlyExtracted"),
            needs_script: flag("needsScript"),
            content,
            ..Page::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: OutputLimits = OutputLimits { search_tokens: 4_000, page_characters: 4_000 };

    fn tool() -> SearchWeb {
        SearchWeb {
            query: "q".into(),
            limit: 3,
            timeout: 15,
            load_content: true,
            generate_summary: false,
        }
    }

    fn hit(content: &str) -> Hit {
        let page = Page { content: content.to_owned(), extracted: true, ..Page::default() };
        Hit {
            url: "https://a.example/".into(),
            provider: "duckduckgo".into(),
            score: 0.5,
            page: Some(Ok(page)),
            ..Hit::default()
        }
    }

    #[test]
    fn results_carry_the_contracts_fields() {
        let found =
            Found { results: vec![hit(&"é".repeat(5_000)), Hit::default()], ..Found::default() };
        let output = tool().output(&tool().bound(Outcome::Found(found), &LIMITS));
        let first = &output["results"][0];
        for field in [
            "title",
            "url",
            "description",
            "score",
            "duckduckgoScore",
            "state",
            "contentLength",
            "fetchTimeMs",
            "content",
            "originalLength",
            "intelligentlyExtracted",
            "truncated",
        ] {
            assert!(first.get(field).is_some(), "{field}");
        }
        assert_eq!((&output["query"], &first["originalLength"]), (&json!("q"), &json!(5_000)));
    }

    #[test]
    fn a_large_output_is_halved_and_marked() {
        let results = vec![hit(&"word ".repeat(2_000)); 4];
        let found = Found { results, ..Found::default() };
        let output = tool().output(&tool().bound(Outcome::Found(found), &LIMITS));
        assert_eq!(output["truncated"], true);
        assert_eq!(output["results"].as_array().unwrap().len(), 2);
        let size = quarry_types::tokens::estimate(&output.to_string());
        assert!(size <= LIMITS.search_tokens, "{size}");
    }

    #[test]
    fn an_output_reads_back_as_it_was_shown() {
        let failed =
            Hit { url: "https://b.example/".into(), page: Some(Err("x".into())), ..Hit::default() };
        let digest = Some(Digest::Written { model: "openai:x".into(), text: "in short".into() });
        let found = Found {
            provider: "brave".into(),
            results: vec![hit(&"é".repeat(5_000)), failed],
            notes: vec!["searxng failed".into()],
            digest,
            truncated: false,
        };
        let output = tool().output(&tool().bound(Outcome::Found(found), &LIMITS));
        assert_eq!(tool().output(&tool().recall(&output)), output);
    }
}

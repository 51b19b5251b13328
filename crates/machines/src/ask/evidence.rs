//! What research has found: numbered sources with their text, and whether an iteration brought
//! anything new.

use super::text::cut;
use quarry_events::{self as event, Calculation};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A passage shorter than this says too little to count as new.
const PASSAGE_CHARACTERS: usize = 40;

/// A page or a search result that an answer may cite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// Its number in the evidence, from 1.
    pub n: usize,
    /// Its address.
    pub url: String,
    /// Its title, or its address.
    pub title: String,
    /// When it was published, as far as it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The search that found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// What the search engine said of it.
    #[serde(default)]
    pub description: String,
    /// Its text, as far as it was read.
    #[serde(default)]
    pub text: String,
}

impl Source {
    /// Takes in what reading its page brought.
    fn read(&mut self, text: &str, date: Option<String>) {
        if self.text.len() < text.len() {
            text.clone_into(&mut self.text);
        }
        self.date = self.date.take().or(date);
    }
}

/// All that was found so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    sources: Vec<Source>,
    calculations: Vec<Calculation>,
    /// Digests of search results that a model wrote.
    digests: Vec<String>,
    /// Hashes of passages and numbers already seen.
    seen: BTreeSet<u64>,
    /// Whether the current iteration brought anything new.
    learned: bool,
    /// Iterations in a row that brought nothing new.
    barren: u32,
}

impl Evidence {
    /// The sources, by number.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Whether nothing at all was found.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sources.is_empty() && self.calculations.is_empty()
    }

    /// Iterations in a row that brought no source, passage or number not seen before.
    #[must_use]
    pub const fn barren_iterations(&self) -> u32 {
        self.barren
    }

    /// Takes in a source that a continuation state kept. Its page may be known from nowhere
    /// else, when the call that read it had to be cut.
    pub fn restore(&mut self, kept: Source) {
        match self.sources.iter_mut().find(|source| source.url == kept.url) {
            Some(known) => known.read(&kept.text, kept.date),
            None => self.sources.push(Source { n: self.sources.len() + 1, ..kept }),
        }
    }

    /// Results of programs.
    #[must_use]
    pub fn calculations(&self) -> &[Calculation] {
        &self.calculations
    }

    /// Ends an iteration.
    pub fn end_iteration(&mut self) {
        self.barren = if self.learned { 0 } else { self.barren + 1 };
        self.learned = false;
    }

    /// Takes in the output of a tool call: a JSON text as the tools write it.
    pub fn take_in(&mut self, tool: &str, arguments: &Value, output: &str) {
        let Ok(output) = serde_json::from_str::<Value>(output) else { return };
        match tool {
            "search_web" => {
                let query = text(&output, "query");
                let results = output.get("results").and_then(Value::as_array);
                for result in results.into_iter().flatten() {
                    self.take_in_source(result, query);
                }
                if let Some(summary) = text(&output, "summary") {
                    self.digests.push(summary.to_owned());
                    self.note(summary);
                }
            }
            "scrape_web_content" => self.take_in_source(&output, None),
            "execute_javascript" => {
                let Some(result) = text(&output, "result") else { return };
                self.note(result);
                let code = text(arguments, "code").unwrap_or_default().to_owned();
                self.calculations.push(Calculation { code, result: result.to_owned() });
            }
            _ => {}
        }
    }

    fn take_in_source(&mut self, result: &Value, query: Option<&str>) {
        let Some(url) = text(result, "url") else { return };
        if result.get("error").is_some() {
            return;
        }
        let content = text(result, "content").unwrap_or_default();
        let description = text(result, "description").unwrap_or_default();
        self.note(description);
        self.note(content);
        let date = text(result, "date").map(str::to_owned);
        if let Some(known) = self.sources.iter_mut().find(|source| source.url == url) {
            known.read(content, date);
            return;
        }
        self.learned = true;
        self.sources.push(Source {
            n: self.sources.len() + 1,
            url: url.to_owned(),
            title: text(result, "title").unwrap_or(url).to_owned(),
            date,
            query: query.map(str::to_owned),
            description: description.to_owned(),
            text: content.to_owned(),
        });
    }

    /// Notes the passages and numbers of a text; any not seen before counts as learning.
    fn note(&mut self, text: &str) {
        for line in text.split(['\n', '.', ';']) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let passage = words.join(" ").to_lowercase();
            if passage.chars().count() >= PASSAGE_CHARACTERS {
                self.see(&passage);
            }
        }
        for word in text.split_whitespace() {
            let number: String = word.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
            let number = number.trim_matches('.');
            if !number.is_empty() {
                self.see(number);
            }
        }
    }

    fn see(&mut self, passage: &str) {
        let mut hasher = DefaultHasher::new();
        passage.hash(&mut hasher);
        self.learned |= self.seen.insert(hasher.finish());
    }

    /// The evidence as text for the final prompt: calculations, digests, then sources with
    /// their text, the best-read ones at length, within the given numbers of characters.
    #[must_use]
    pub fn render(&self, of_one: usize, of_all: usize) -> String {
        let mut out = String::new();
        let mut left = of_all;
        let mut push = |block: String| {
            let gap = if out.is_empty() { "" } else { "\n\n" };
            let block = cut(&block, left.saturating_sub(gap.len()));
            left = left.saturating_sub(gap.len() + block.chars().count());
            if block.chars().count() > 1 {
                out.push_str(gap);
                out.push_str(&block);
            }
        };
        for calculation in &self.calculations {
            push(format!("Calculation result: {}", cut(&calculation.result, of_one)));
        }
        for digest in &self.digests {
            push(cut(digest, of_one));
        }
        // What was read says more than what was only found.
        let mut order: Vec<&Source> = self.sources.iter().collect();
        order.sort_by_key(|source| source.text.is_empty());
        for source in order {
            let date = source.date.as_ref().map(|date| format!(" ({date})")).unwrap_or_default();
            let body = if source.text.is_empty() { &source.description } else { &source.text };
            push(format!(
                "[{}] {} — {}{date}\n{}",
                source.n,
                source.title,
                source.url,
                cut(body, of_one)
            ));
        }
        out
    }

    /// The sources as events show them, with a short description and no page text.
    #[must_use]
    pub fn listing(&self) -> Vec<event::Source> {
        let entry = |source: &Source| event::Source {
            n: source.n,
            title: source.title.clone(),
            url: source.url.clone(),
            date: source.date.clone(),
            description: cut(&source.description, 300),
        };
        self.sources.iter().map(entry).collect()
    }
}

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str().filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn search(url: &str, description: &str) -> String {
        json!({ "query": "q", "results": [{ "url": url, "title": "T", "description": description }] })
            .to_string()
    }

    #[test]
    fn the_same_finding_in_other_words_of_the_query_is_not_new() {
        let mut evidence = Evidence::default();
        let found = "The lamp was lit for the first time in the year 1823 by the keeper";
        evidence.take_in("search_web", &Value::Null, &search("https://a.example/", found));
        evidence.end_iteration();
        assert_eq!(evidence.barren_iterations(), 0);
        for barren in 1..=2 {
            evidence.take_in("search_web", &Value::Null, &search("https://a.example/", found));
            evidence.end_iteration();
            assert_eq!(evidence.barren_iterations(), barren);
        }
        let output = json!({ "result": "42" }).to_string();
        evidence.take_in("execute_javascript", &Value::Null, &output);
        evidence.end_iteration();
        assert_eq!(evidence.barren_iterations(), 0, "a new number is learning");
    }

    #[test]
    fn reading_a_page_fills_in_the_source_that_a_search_found() {
        let mut evidence = Evidence::default();
        evidence.take_in("search_web", &Value::Null, &search("https://a.example/", "short"));
        let page =
            json!({ "url": "https://a.example/", "content": "The whole text", "date": "2024" });
        evidence.take_in("scrape_web_content", &Value::Null, &page.to_string());
        let failed = json!({ "url": "https://b.example/", "error": "timeout" });
        evidence.take_in("scrape_web_content", &Value::Null, &failed.to_string());
        let [source] = evidence.sources() else { panic!("one source") };
        assert_eq!((source.n, source.text.as_str()), (1, "The whole text"));
        assert_eq!(
            evidence.render(100, 1_000),
            "[1] T — https://a.example/ (2024)\nThe whole text"
        );
    }

    #[test]
    fn rendering_keeps_within_its_room() {
        let mut evidence = Evidence::default();
        for n in 0..20 {
            let page =
                json!({ "url": format!("https://{n}.example/"), "content": "é".repeat(500) });
            evidence.take_in("scrape_web_content", &Value::Null, &page.to_string());
        }
        assert!(evidence.render(300, 600).chars().count() <= 600);
        assert!(evidence.render(300, 100_000).contains("[20]"));
    }
}

//! Ranks pages by the words that they share with a query.

use crate::Page;
use std::collections::BTreeMap;

const TITLE_WEIGHT: f64 = 3.0;
const SNIPPET_CHARS: usize = 260;

/// Words that tell pages apart from nothing.
const STOP_WORDS: [&str; 40] = [
    "a", "about", "an", "and", "are", "at", "be", "by", "did", "do", "does", "for", "from", "has",
    "have", "how", "in", "is", "it", "its", "of", "on", "or", "s", "site", "that", "the", "there",
    "this", "to", "was", "were", "what", "when", "where", "which", "who", "why", "with", "you",
];

/// A page that fits a query.
#[derive(Debug, Clone)]
pub struct Hit<'a> {
    /// The page.
    pub page: &'a Page,
    /// Higher is better; only comparable within one query.
    pub score: f64,
    /// The part of the text with most of the query's words.
    pub snippet: String,
}

/// The pages that share a word with the query, best first.
pub fn search<'a>(pages: &'a [Page], query: &str) -> Vec<Hit<'a>> {
    let mut wanted = terms(query);
    wanted.sort();
    wanted.dedup();
    let indexed: Vec<_> = pages.iter().map(|page| (page, weights(page))).collect();
    let mut hits: Vec<_> = indexed
        .iter()
        .filter_map(|(page, weights)| {
            let score: f64 = wanted
                .iter()
                .filter_map(|term| {
                    let weight = weights.get(term)?;
                    let holders = indexed.iter().filter(|(_, w)| w.contains_key(term)).count();
                    let rarity = (1.0 + pages.len() as f64 / holders as f64).ln();
                    Some(rarity * weight / (weight + 1.5))
                })
                .sum();
            (score > 0.0).then(|| Hit { page, score, snippet: snippet(&page.text, &wanted) })
        })
        .collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.page.name.cmp(&b.page.name)));
    hits
}

/// How much each word counts in a page; words of the title count more.
fn weights(page: &Page) -> BTreeMap<String, f64> {
    let mut weights = BTreeMap::new();
    for term in terms(&page.title) {
        *weights.entry(term).or_insert(0.0) += TITLE_WEIGHT;
    }
    for term in terms(&page.text) {
        *weights.entry(term).or_insert(0.0) += 1.0;
    }
    weights
}

fn terms(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .filter(|word| !STOP_WORDS.contains(&word.as_str()))
        .map(|word| stem(&word))
        .collect()
}

/// Makes singular and plural meet.
fn stem(word: &str) -> String {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
    }
}

/// The stretch of about `SNIPPET_CHARS` characters with most of the wanted words.
fn snippet(text: &str, wanted: &[String]) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut best = (0, 0..0);
    for start in 0..words.len() {
        let mut length = 0;
        let stretch: Vec<_> = words
            .iter()
            .skip(start)
            .take_while(|word| {
                length += word.chars().count() + 1;
                length <= SNIPPET_CHARS
            })
            .collect();
        let mut found: Vec<_> = stretch
            .iter()
            .flat_map(|word| terms(word))
            .filter(|term| wanted.contains(term))
            .collect();
        found.sort();
        found.dedup();
        if found.len() > best.0 {
            best = (found.len(), start..start + stretch.len());
        }
    }
    let (_, range) = best;
    let end = if range.end < words.len() { " …" } else { "" };
    let start = if range.start > 0 { "… " } else { "" };
    format!("{start}{}{end}", words.get(range).unwrap_or_default().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(name: &str, title: &str, text: &str) -> Page {
        let html = format!("<title>{title}</title><article>{text}</article>");
        Page::new(name.to_owned(), html)
    }

    #[test]
    fn the_page_about_it_comes_first() {
        let pages = [
            page("a", "Bread", "Flour, water and salt. A seal was mentioned."),
            page("b", "Seals", "Seals rest on rocks. Seals swim."),
            page("c", "Boats", "Nothing to see."),
        ];
        let hits = search(&pages, "How do seals swim?");
        let names: Vec<_> = hits.iter().map(|hit| hit.page.name.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
    }

    #[test]
    fn a_query_of_stop_words_finds_nothing() {
        assert!(search(&[page("a", "The", "what is it")], "what is the").is_empty());
    }

    #[test]
    fn the_snippet_holds_the_words_and_keeps_to_its_length() {
        let text =
            format!("{}the lamp was lit in 1871 {}", "far away ".repeat(80), "x ".repeat(99));
        let pages = [page("a", "Light", &text)];
        let hits = search(&pages, "lamp lit 1871");
        let snippet = &hits[0].snippet;
        assert!(snippet.contains("lamp was lit in 1871"), "{snippet}");
        assert!(snippet.chars().count() <= SNIPPET_CHARS + 4, "{snippet}");
    }
}

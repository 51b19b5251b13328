//! Quarry's own ranking of what a provider found.
//!
//! `score = 0.5 · place + 0.5 · overlap`, both 0 to 1. `place` is `10 / (10 + n)` for the n-th
//! result from 0. `overlap` is `0.6 · t + 0.4 · b`: the shares of the query's words that stand in
//! the title, and in the title or the description. A query of nothing but small words ranks by place alone.

use crate::Hit;
use crate::query::Query;
use quarry_evidence::address;
use std::collections::HashSet;
use url::Url;

/// A result with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Plain text.
    pub title: String,
    /// Without fragment and tracking parameters.
    pub url: Url,
    /// Plain text.
    pub description: String,
    /// 0 to 1, higher is better.
    pub score: f64,
    /// The provider's own figure.
    pub provider_score: Option<f64>,
}

/// Words that say little about what is sought.
const SMALL: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "did", "do", "does", "for", "from",
    "has", "have", "how", "in", "is", "it", "of", "on", "or", "that", "the", "this", "to", "was",
    "were", "what", "when", "where", "which", "who", "why", "will", "with",
];

/// Drops doubles, what has no web address and what lies outside of the sites that count; scores, sorts, and keeps the
/// best that are wanted.
pub fn rank(hits: Vec<Hit>, query: &Query) -> Vec<Ranked> {
    let terms: HashSet<String> =
        words(&query.text).into_iter().filter(|word| !SMALL.contains(&word.as_str())).collect();
    let mut seen: Vec<String> = Vec::new();
    let mut ranked: Vec<Ranked> = Vec::new();
    for hit in hits {
        let url = address::clean(&hit.url).filter(|url| query.admits(url));
        let Some(url) = url else { continue };
        let key = address::key(&url);
        if let Some(at) = seen.iter().position(|known| *known == key) {
            // The same page again may say more about itself.
            if let Some(first) =
                ranked.get_mut(at).filter(|first| first.description.len() < hit.description.len())
            {
                first.description = hit.description;
            }
            continue;
        }
        seen.push(key);
        let title = if hit.title.is_empty() { url.as_str().to_owned() } else { hit.title };
        ranked.push(Ranked {
            title,
            url,
            description: hit.description,
            score: 0.0,
            provider_score: hit.provider_score,
        });
    }
    for (place, result) in ranked.iter_mut().enumerate() {
        result.score = score(place, &terms, &result.title, &result.description);
    }
    ranked.sort_by(|one, other| other.score.total_cmp(&one.score));
    ranked.truncate(query.limit as usize);
    ranked
}

fn score(place: usize, terms: &HashSet<String>, title: &str, description: &str) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "places and counts are small")]
    let (place, count) = (10.0 / (10.0 + place as f64), terms.len() as f64);
    if terms.is_empty() {
        return place;
    }
    let title: HashSet<String> = words(title).into_iter().collect();
    let description: HashSet<String> = words(description).into_iter().collect();
    #[expect(clippy::cast_precision_loss, reason = "places and counts are small")]
    let share = |found: &dyn Fn(&String) -> bool| {
        terms.iter().filter(|term| found(term)).count() as f64 / count
    };
    let in_title = share(&|term| title.contains(term));
    let in_both = share(&|term| title.contains(term) || description.contains(term));
    let score = 0.5 * place + 0.5 * (0.6 * in_title + 0.4 * in_both);
    (score * 10_000.0).round() / 10_000.0
}

/// Lower-case words; a plural's `s` is dropped so that `cells` finds `cell`.
fn words(text: &str) -> Vec<String> {
    text.split(|char: char| !char.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| {
            let word = word.to_lowercase();
            match word.strip_suffix('s') {
                Some(stem) if stem.chars().count() >= 3 && !stem.ends_with('s') => stem.to_owned(),
                _ => word,
            }
        })
        .collect()
}

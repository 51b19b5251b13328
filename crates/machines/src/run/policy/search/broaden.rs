//! The same search, broader: more results, fewer terms.
//!
//! Border: a query in, a broader one out.

use super::time::time_words;
use quarry_evidence::text::{is_stop_word, tokens};
use quarry_types::Knobs;
use quarry_types::order;

/// Results asked for at most.
const MOST_RESULTS: u32 = 50;
/// Words that a query keeps at least.
const LEAST_WORDS: usize = 2;
/// What search engines read as orders.
const OPERATORS: [&str; 10] = [
    "after:",
    "before:",
    "ext:",
    "filetype:",
    "inanchor:",
    "intext:",
    "intitle:",
    "inurl:",
    "related:",
    "site:",
];

/// Results that an attempt, from 1, asks for.
#[must_use]
pub fn wanted(knobs: &Knobs, attempt: u32) -> u32 {
    knobs.search_results_per_query.saturating_mul(attempt.clamp(1, 3)).min(MOST_RESULTS)
}

/// The query of a later attempt: as many of the narrowest terms dropped as attempts came before; none when
/// nothing can be dropped.
#[must_use]
pub fn broader(query: &str, attempt: u32) -> Option<String> {
    let mut terms = terms(query);
    let mut words: usize = terms.iter().map(|term| term.words).sum();
    let mut order: Vec<usize> = (0..terms.len()).collect();
    let key = |at: &usize| terms.get(*at).map(|term| (term.kind, std::cmp::Reverse(term.length)));
    // Of equally long ones the later: what matters is named first.
    order::sort_by(&mut order, |one, other| key(one).cmp(&key(other)).then(other.cmp(one)));
    let mut left = attempt.saturating_sub(1);
    let mut is_broader = false;
    for at in order {
        let Some(term) = terms.get_mut(at).filter(|_| left > 0) else { break };
        if term.kind == Kind::Stays {
            break;
        }
        if words - term.words >= LEAST_WORDS && !term.keeps_words {
            words -= term.words;
            term.text.clear();
        } else if term.kind == Kind::Phrase {
            term.text.retain(|c| !is_quote(c));
        } else {
            continue;
        }
        is_broader = true;
        left -= 1;
    }
    let kept = terms.iter().map(|term| term.text.trim()).filter(|text| !text.is_empty());
    is_broader.then(|| kept.collect::<Vec<_>>().join(" "))
}

/// How readily a term is dropped, most readily first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// `site:example.com`, `-jobs`.
    Operator,
    /// In quotation marks; where it names something, it only loses those.
    Phrase,
    Word,
    /// A number or a word of time.
    Time,
    /// Names, and words that are no terms.
    Stays,
}

struct Term {
    text: String,
    kind: Kind,
    /// Characters, as a sign of how rare it is.
    length: usize,
    /// Words of it that count for what a query keeps.
    words: usize,
    keeps_words: bool,
}

impl Term {
    fn of(text: &str, is_phrase: bool) -> Term {
        let lower = text.to_lowercase();
        let bare = lower.trim_start_matches('-');
        let is_operator = !is_phrase
            && (lower.len() > bare.len() || OPERATORS.iter().any(|name| bare.starts_with(name)));
        let tokens = tokens(text);
        let told = tokens.iter().filter(|token| !is_stop_word(&token.word));
        let words = if is_operator { 0 } else { told.count() };
        let is_name = tokens.iter().any(quarry_evidence::text::Token::is_name);
        let has_digit = text.contains(|c: char| c.is_ascii_digit());
        let kind = match () {
            () if is_operator => Kind::Operator,
            () if is_phrase => Kind::Phrase,
            () if is_name || words == 0 => Kind::Stays,
            () if has_digit || !time_words(text).is_empty() => Kind::Time,
            () => Kind::Word,
        };
        let length = text.chars().count();
        Term { text: text.to_owned(), kind, length, words, keeps_words: is_phrase && is_name }
    }
}

/// The words between blanks, and quoted phrases whole.
fn terms(query: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    let mut rest = query;
    while let Some(open) = rest.find(is_quote) {
        let (before, quoted) = rest.split_at(open);
        let mark = quoted.chars().next().map_or(0, char::len_utf8);
        let Some(close) = quoted.get(mark..).and_then(|inside| inside.find(is_quote)) else {
            break;
        };
        let inside = quoted.get(mark..mark + close).unwrap_or_default();
        let behind = quoted.get(mark + close..).unwrap_or_default();
        terms.extend(before.split_whitespace().map(|word| Term::of(word, false)));
        terms.push(Term::of(&format!("\"{}\"", inside.trim()), true));
        let mark = behind.chars().next().map_or(0, char::len_utf8);
        rest = behind.get(mark..).unwrap_or_default();
    }
    terms.extend(rest.split_whitespace().map(|word| Term::of(word, false)));
    terms
}

const fn is_quote(character: char) -> bool {
    matches!(character, '"' | '“' | '”' | '„' | '«' | '»')
}

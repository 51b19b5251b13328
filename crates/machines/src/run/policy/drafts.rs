//! Findings before they are checked: as a model wrote them, or as rules chose them.
//!
//! Border: a model's reply, or a question with its sources, in; drafts out. Nothing here is believed: see
//! `synthesis`.

use super::contradiction::corrects;
use crate::extractive::{EvidenceSource, RankedSentence, ranking};
use quarry_evidence::cite::{Folded, Listed, Sought, listed};
use quarry_evidence::{Source, voice};
use quarry_types::json;
use quarry_types::text::cut;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// Findings that are read of one reply: more than are kept, since some fail.
pub const MOST_DRAFTS: usize = 24;
/// Quotations that are read of one finding.
const MOST_SNIPPETS: usize = 8;
/// Uncertainties that are read of one finding, and characters of each.
const MOST_UNCERTAINTIES: usize = 5;
const UNCERTAINTY: usize = 300;
/// Characters of a claim, and of a quotation, that are read.
const MOST_CHARACTERS: usize = 4_000;
/// Sentences of other voices that rules add to the best one of a part of a question.
const SUPPORTING: usize = 2;
/// What they count at least, of what the best counts.
const LEAST_SHARE: f64 = 0.6;

/// A quotation that somebody gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftSnippet {
    /// The short name of the passage that it is said to stand in.
    pub passage: Option<String>,
    /// As it was given.
    pub quote: String,
}

/// A finding that nobody has checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// What it says.
    pub claim: String,
    /// What it is said to rest on.
    pub evidence: Vec<DraftSnippet>,
    /// What speaks against it or is not known.
    pub uncertainties: Vec<String>,
}

/// Reads a model's reply: one object with `findings`, a bare list of them, or one finding; with the slips that
/// models make. What cannot be read is left out; the confidence that a model claims is not read at all.
#[must_use]
pub fn read_reply(text: &str) -> Vec<Draft> {
    let list = text.find('[').filter(|list| text.find('{').is_none_or(|object| list < &object));
    let wrapped =
        list.and_then(|list| text.get(list..)).map(|rest| format!("{{\"findings\":{rest}}}"));
    let of = |text: &str| drafts(&json::read(text)?);
    let read = wrapped.as_deref().and_then(of).filter(|drafts| !drafts.is_empty());
    read.or_else(|| of(text)).unwrap_or_default()
}

fn drafts(value: &Value) -> Option<Vec<Draft>> {
    let found = match value.get("findings") {
        Some(Value::Array(findings)) => {
            findings.iter().filter_map(draft).take(MOST_DRAFTS).collect()
        }
        Some(finding @ Value::Object(_)) => draft(finding).into_iter().collect(),
        Some(_) => Vec::new(),
        None => vec![draft(value)?],
    };
    Some(found)
}

fn draft(value: &Value) -> Option<Draft> {
    let claim = text(value.get("claim").or_else(|| value.get("finding"))?)?;
    let evidence = ["evidence", "evidence_snippets", "snippets", "quotes"];
    let evidence = evidence.iter().find_map(|name| value.get(name));
    let snippets = evidence.into_iter().flat_map(items).filter_map(snippet).take(MOST_SNIPPETS);
    let uncertainties = value.get("uncertainties").into_iter().flat_map(items).filter_map(text);
    let uncertainties = uncertainties.map(|text| cut(&text, UNCERTAINTY)).take(MOST_UNCERTAINTIES);
    Some(Draft { claim, evidence: snippets.collect(), uncertainties: uncertainties.collect() })
}

/// The members of a list; of anything else, itself.
fn items(value: &Value) -> &[Value] {
    match value {
        Value::Array(items) => items,
        other => std::slice::from_ref(other),
    }
}

fn snippet(value: &Value) -> Option<DraftSnippet> {
    let quote = value.get("quote").or_else(|| value.get("text")).unwrap_or(value);
    let passage = value.get("passage").or_else(|| value.get("id")).and_then(text);
    let is_mark = |c: char| matches!(c, '[' | ']' | ' ');
    let passage = passage.map(|name| name.trim_matches(is_mark).to_owned());
    Some(DraftSnippet { passage, quote: text(quote)? })
}

/// A text that is not blank, on one line.
fn text(value: &Value) -> Option<String> {
    let text = cut(value.as_str()?, MOST_CHARACTERS);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// Findings without a language model: of each part of the question that is answered the best sentence, what
/// other voices say nearly as well, and who gives another figure. The claim is the sentence itself.
///
/// With them pairs of sentences that answer with different figures.
#[must_use]
pub fn by_rule(question: &str, sources: &[Source]) -> (Vec<Draft>, Vec<[String; 2]>) {
    let views: Vec<EvidenceSource<'_>> = sources.iter().map(EvidenceSource::from).collect();
    let places: Vec<Listed<'_>> = listed(sources).collect();
    let mut known = BTreeSet::new();
    let parts = ranking(question, &views).into_iter().filter(|part| part.is_answered);
    let mut differences = Vec::new();
    let chosen = parts.flat_map(|part| {
        let first = part.sentences.first().map(|it| it.text.clone()).unwrap_or_default();
        let mut found = heard(part.sentences);
        for (other, explaining) in part.differing {
            differences.push([first.clone(), other.text.clone()]);
            let both = [Some(other), explaining].into_iter().flatten();
            found.extend(both.map(|it| (it.text, it.source.n)));
        }
        found
    });
    let chosen = chosen.filter_map(|(text, n)| {
        let is_new = known.insert(text.clone());
        let is_of = |listed: &&Listed<'_>| sources.get(listed.source).is_some_and(|it| it.n == n);
        let sought = Sought::new(&text);
        let has = |listed: &&Listed<'_>| Folded::new(listed.text).find(&sought).is_some();
        let passage = places.iter().filter(is_of).find(has).map(|listed| listed.id.to_string());
        let evidence = vec![DraftSnippet { passage, quote: text.clone() }];
        is_new.then_some(Draft { claim: text, evidence, uncertainties: Vec::new() })
    });
    let drafts = chosen.take(MOST_DRAFTS).collect();
    (drafts, differences)
}

/// The best sentence, the next of other voices that count nearly as much, and what corrects one of these, or is
/// corrected by it, whoever says it; each with its source's number.
fn heard(sentences: Vec<RankedSentence<'_>>) -> Vec<(String, usize)> {
    let all: Vec<(String, usize)> =
        sentences.iter().map(|it| (it.text.clone(), it.source.n)).collect();
    let least = sentences.first().map_or(0.0, |best| best.score) * LEAST_SHARE;
    let mut voices = BTreeSet::new();
    let of_others = sentences.into_iter().take_while(|sentence| sentence.score >= least);
    let of_others = of_others.enumerate().filter(|(at, it)| *at == 0 || !it.is_aside);
    let of_others = of_others.map(|(_, sentence)| sentence);
    let of_others = of_others.filter(|sentence| voices.insert(voice(sentence.source.url)));
    let mut found: Vec<(String, usize)> =
        of_others.take(1 + SUPPORTING).map(|it| (it.text, it.source.n)).collect();
    let concerns = |(text, _): &(String, usize)| {
        found.iter().any(|(known, _)| corrects(known, text) || corrects(text, known))
    };
    let corrections: Vec<_> = all.into_iter().filter(concerns).take(SUPPORTING).collect();
    found.extend(corrections);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use quarry_evidence::{Content, Finding};

    /// A line for each finding: its claim, its snippets, how many uncertainties.
    fn shown(text: &str) -> Vec<String> {
        let line = |draft: &Draft| {
            let snippets = draft.evidence.iter();
            let snippets = snippets
                .map(|it| format!(" <{}: {}>", it.passage.as_deref().unwrap_or("-"), it.quote));
            format!("{}{} {}", draft.claim, snippets.collect::<String>(), draft.uncertainties.len())
        };
        read_reply(text).iter().map(line).collect()
    }

    #[test]
    fn replies_are_read_as_models_write_them() {
        for (text, expected) in [
            (
                r#"{"findings": [{"claim": "It burns.", "evidence": [{"passage": "q7", "quote": "it burns"}], "uncertainties": ["old"]}]}"#,
                "It burns. <q7: it burns> 1",
            ),
            (
                "Here:\n```json\n{'findings': [{claim: 'It  burns.', evidence: {'id': '[q7]', 'text': 'it burns'},}]}\n```",
                "It burns. <q7: it burns> 0",
            ),
            (
                r#"[{"claim": "It burns.", "evidence": ["it burns"], "confidence": 0.99}]"#,
                "It burns. <-: it burns> 0",
            ),
            (
                r#"See [q7]: {"claim": "It burns.", "evidence_snippets": [{"passage": "q7", "quote": "it burns"}, 7, {"passage": "q8"}]}"#,
                "It burns. <q7: it burns> 0",
            ),
            (
                r#"{"findings": [{"claim": "It burns.", "evidence": [{"passage": "q7", "quote": "it burns"}]}, {"cl"#,
                "It burns. <q7: it burns> 0",
            ),
        ] {
            assert_eq!(shown(text), [expected], "{text}");
        }
        for nothing in [
            "",
            "I cannot.",
            "{}",
            "[]",
            r#"{"findings": []}"#,
            r#"{"findings": "none"}"#,
            r#"{"findings": [{"claim": " "}]}"#,
        ] {
            assert!(shown(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn what_the_prompt_asks_for_is_read_whole() {
        let schema = include_str!("../../../../../prompts/schemas/run_findings.json");
        let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
        let reply = serde_json::json!({ "findings": [
            { "claim": "a b", "evidence": [{ "passage": "q1", "quote": "c d" }], "uncertainties": ["e"] },
            { "claim": "f", "evidence": [], "uncertainties": [] },
        ] });
        assert!(schema.is_valid(&reply));
        let read = read_reply(&reply.to_string());
        assert_eq!(serde_json::json!({ "findings": read }), reply);
    }

    #[test]
    fn rules_find_the_sentence_that_answers_and_what_other_voices_say() {
        let source = |n: usize, url: &str, text: &str| {
            let content = Content::Text(text.to_owned());
            Source::new(n, Finding { url: url.to_owned(), content, ..Finding::default() })
        };
        let sources = [
            source(
                1,
                "https://a.example/1",
                "Boats leave daily. The lighthouse of Sker was built by Ann Marsh in 1823.",
            ),
            source(2, "https://a.example/2", "The lighthouse of Sker was built in 1823, they say."),
            source(
                3,
                "https://b.example/",
                "The lighthouse of Sker was built in the year 1824 by the crown.",
            ),
            source(4, "https://c.example/", "Bread is baked from rye."),
        ];
        let (drafts, _) = by_rule("When was the lighthouse of Sker built?", &sources);
        let from: Vec<&str> =
            drafts.iter().filter_map(|it| it.evidence[0].passage.as_deref()).collect();
        assert_eq!(from.len(), 2, "{drafts:?}");
        assert!(
            from.contains(&"q3") && (from.contains(&"q1") || from.contains(&"q2")),
            "{drafts:?}"
        );
        assert!(drafts.iter().all(|it| it.claim == it.evidence[0].quote));
        assert_eq!(by_rule("Who paints whales in Peru?", &sources).0, []);
        assert_eq!(by_rule("", &[]).0, []);
    }

    proptest! {
        #[test]
        fn any_reply_is_read_within_bounds(text in "(\\PC{0,60}|[\\[\\]{}\",:a-c ]{0,40})", question in "\\PC{0,20}") {
            let drafts = read_reply(&text);
            prop_assert!(drafts.len() <= MOST_DRAFTS);
            let content = Content::Text(text);
            let source = Source::new(1, Finding { content, ..Finding::default() });
            prop_assert!(by_rule(&question, &[source]).0.len() <= MOST_DRAFTS);
        }
    }
}

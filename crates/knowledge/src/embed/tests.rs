//! Embedding a load against replies of all kinds.

use super::*;
use std::collections::BTreeMap;

const MODEL: &str = "openai:small";
const LIMITS: BatchLimits = BatchLimits { texts: 2, tokens: 1_000 };

fn scope() -> Scope {
    Scope { owner: "ada@example.org".to_owned(), model: MODEL.to_owned() }
}

fn begun(texts: &[&str], budget: u64) -> Embedding {
    let mut embedding = Embedding::new(scope(), None, LIMITS, budget);
    for text in texts {
        embedding.add(text, None).unwrap();
    }
    embedding
}

fn asked(embedding: &mut Embedding) -> Vec<String> {
    match embedding.step().unwrap() {
        Next::Ask(texts) => texts,
        Next::Done => Vec::new(),
    }
}

#[test]
fn the_same_text_is_asked_for_once_and_in_order() {
    let mut embedding = begun(&["one", "two", "one", "three"], 1_000);
    assert_eq!(asked(&mut embedding), ["one", "two"]);
    assert_eq!(asked(&mut embedding), ["one", "two"], "a call that failed changes nothing");
    embedding.answered(vec![vec![1.0, 0.0], vec![0.0, 1.0]], 2).unwrap();
    assert_eq!(asked(&mut embedding), ["three"]);
    embedding.answered(vec![vec![1.0, 1.0]], 1).unwrap();
    assert_eq!(embedding.step(), Ok(Next::Done));
    assert_eq!(embedding.vector(&scope().key("two")), Some(&Vector::of(&[0.0, 1.0])));
    assert_eq!((embedding.spent(), embedding.dimension()), (3, Some(2)));
}

#[test]
fn a_load_that_died_pays_for_nothing_twice() {
    let texts = ["one", "two", "three", "four", "five"];
    for dies_after in 0..=3 {
        let mut cache = BTreeMap::new();
        let mut seen = Vec::new();
        for calls in [dies_after, usize::MAX] {
            let mut embedding = Embedding::new(scope(), None, LIMITS, 1_000);
            for text in texts {
                let cached = cache.get(&scope().key(text)).cloned();
                embedding.add(text, cached).unwrap();
            }
            for _ in 0..calls {
                let batch = asked(&mut embedding);
                if batch.is_empty() {
                    break;
                }
                let reply = batch
                    .iter()
                    .map(|text| vec![1.0, if text == "one" { 0.5 } else { 2.0 }])
                    .collect();
                for key in embedding.answered(reply, 1).unwrap() {
                    cache.insert(key, embedding.vector(&key).unwrap().clone());
                }
                seen.extend(batch);
            }
        }
        assert_eq!(seen, texts, "died after {dies_after} calls");
    }
}

#[test]
fn a_budget_that_is_used_up_says_so_and_keeps_what_is_there() {
    let mut embedding = begun(&["one", "two", "three"], 4);
    assert_eq!(asked(&mut embedding).len(), 2);
    embedding.answered(vec![vec![1.0], vec![2.0]], 4).unwrap();
    let error = embedding.step().unwrap_err();
    assert_eq!(error, EmbedError::Budget { model: MODEL.to_owned(), spent: 4, missing: 1 });
    let says = format!("it has paid for 4 tokens of {MODEL}, and 1 text is without a vector;");
    assert!(error.to_string().contains(&says), "{error}");
    assert!(embedding.vector(&scope().key("one")).is_some());
}

#[test]
fn a_text_above_the_limit_of_a_batch_goes_alone() {
    let long = "word ".repeat(2_000);
    let mut embedding = begun(&[&long, "two"], 100_000);
    assert_eq!(asked(&mut embedding), [long]);
}

#[test]
fn a_reply_that_cannot_be_used_names_the_model_and_is_not_taken() {
    let good = vec![1.0, 2.0];
    for (reply, says) in [
        (vec![], "0 embeddings for 2 texts"),
        (vec![good.clone()], "1 embedding for 2 texts"),
        (vec![good.clone(), vec![1.0]], "1 number behind others of 2; load again"),
        (vec![good.clone(), vec![]], "empty embedding"),
        (vec![good.clone(), vec![0.0, 0.0]], "empty embedding"),
        (vec![good.clone(), vec![f32::NAN, 1.0]], "numbers that are none"),
        (vec![good.clone(), vec![f32::INFINITY, 1.0]], "numbers that are none"),
    ] {
        let mut embedding = begun(&["one", "two"], 1_000);
        let before = asked(&mut embedding);
        let error = embedding.answered(reply, 1).unwrap_err().to_string();
        assert!(error.contains(MODEL) && error.contains(says), "{error}");
        assert_eq!(embedding.dimension(), None);
        assert_eq!(embedding.spent(), 1, "it was paid for");
        assert_eq!(asked(&mut embedding), before);
    }
}

#[test]
fn vectors_of_another_dimension_than_the_collections_are_refused() {
    let mut embedding = Embedding::new(scope(), Some(3), LIMITS, 1_000);
    assert!(matches!(
        embedding.add("one", Some(Vector::of(&[1.0]))),
        Err(EmbedError::Dimension { wanted: 3, came: 1, .. })
    ));
}

#[test]
fn keys_tell_models_and_texts_apart() {
    let key = |owner: &str, model: &str, text: &str| {
        Scope { owner: owner.to_owned(), model: model.to_owned() }.key(text).digits()
    };
    assert_eq!(key("o", "a", "b"), key("o", "a", "b"));
    let others =
        [("o", "a", "bc"), ("o", "ab", "c"), ("oa", "b", "c"), ("", "oab", "c"), ("p", "a", "bc")];
    let keys: std::collections::BTreeSet<_> =
        others.into_iter().map(|(owner, model, text)| key(owner, model, text)).collect();
    assert_eq!(keys.len(), others.len());
}

#[test]
fn what_would_cost_more_than_it_may_is_not_begun() {
    let mut embedding = begun(&["one", "two", "three"], 2);
    let error = embedding.step().unwrap_err();
    assert!(matches!(error, EmbedError::TooDear { budget: 2, .. }), "{error:?}");
    assert!(error.to_string().contains("raise `embedding_max_cost`"), "{error}");
}

#[test]
fn a_ceiling_in_dollars_is_one_in_tokens() {
    assert_eq!(tokens_for(1.0, 0.02), 50_000_000);
    assert_eq!((tokens_for(0.0, 0.02), tokens_for(0.0, 0.0)), (0, u64::MAX));
}

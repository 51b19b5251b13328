//! Embeddings, provider's side: words in hashed places, so that texts with the same words lie together, and those
//! with words that mean the same, too.

use crate::record::Wire;
use crate::script::{Misfit, Reply};
use serde_json::{Value, json};

const DIMENSION: usize = 256;
/// Words that mean the same: the first stands for all.
const MEANINGS: [&[&str]; 3] = [
    &["beacon", "lighthouse", "lantern"],
    &["demurrage", "fee", "penalty"],
    &["hive", "apiary", "beekeeping"],
];

/// The body of a reply to a request for embeddings.
pub(crate) fn body(reply: &Reply, wire: Wire, request: &Value) -> Value {
    let dimension = reply.dimension.unwrap_or(DIMENSION);
    let inputs = request["input"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = inputs.iter().filter_map(Value::as_str);
    let mut vectors: Vec<Vec<Value>> = texts.clone().map(|text| vector(text, dimension)).collect();
    spoil(&mut vectors, reply.misfit);
    let tokens: usize = texts.map(|text| text.split_whitespace().count()).sum();
    let model = &request["model"];
    if wire == Wire::OllamaEmbed {
        let count = (!reply.no_usage).then_some(tokens);
        return json!({ "model": model, "embeddings": vectors, "prompt_eval_count": count });
    }
    let item = |(index, embedding): (usize, Vec<Value>)| json!({ "object": "embedding", "index": index, "embedding": embedding });
    let data: Vec<Value> = vectors.into_iter().enumerate().map(item).collect();
    let usage =
        (!reply.no_usage).then(|| json!({ "prompt_tokens": tokens, "total_tokens": tokens }));
    json!({ "object": "list", "model": model, "data": data, "usage": usage })
}

fn spoil(vectors: &mut Vec<Vec<Value>>, misfit: Option<Misfit>) {
    let Some(misfit) = misfit else { return };
    let Some(mut last) = vectors.pop() else { return };
    match misfit {
        Misfit::Count => return,
        Misfit::Dimension => _ = last.pop(),
        Misfit::NotANumber => {
            last.pop();
            last.push(Value::Null);
        }
        Misfit::Empty => last.clear(),
    }
    vectors.push(last);
}

fn vector(text: &str, dimension: usize) -> Vec<Value> {
    let mut counts = vec![0.0_f64; dimension];
    for word in text.to_lowercase().split(|sign: char| !sign.is_alphanumeric()) {
        let means = MEANINGS.iter().find(|words| words.contains(&word)).and_then(|of| of.first());
        let means = means.copied().unwrap_or(word);
        let place = means.bytes().fold(7_usize, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(usize::from(byte)) % 1_000_003
        });
        // Short words say little.
        let counts = counts.get_mut(place % dimension.max(1));
        counts.into_iter().for_each(|sum| *sum += if means.len() > 3 { 1.0 } else { 0.01 });
    }
    counts.into_iter().map(|count| json!(count)).collect()
}

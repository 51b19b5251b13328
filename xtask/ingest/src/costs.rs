//! What the vectors of all documents cost, by the model that made them.
//!
//! Border: sums and their words; the figures are the server's. What has no known price is in no sum, and is said.

use quarry_types::text;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What the vectors of one document cost, as the server tells it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Paid {
    /// `provider:name`.
    pub model: String,
    /// Tokens that were paid for.
    pub tokens: u64,
    /// US dollars; none: no price is known.
    pub cost: Option<f64>,
}

/// What all cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Costs(BTreeMap<String, Sum>);

/// What the vectors of one model cost.
#[derive(Debug, Clone, PartialEq)]
struct Sum {
    tokens: u64,
    /// US dollars, of those that have a known price.
    cost: f64,
    cost_known: bool,
}

impl Costs {
    /// One more document.
    pub fn add(&mut self, paid: Paid) {
        let blank = Sum { tokens: 0, cost: 0.0, cost_known: true };
        let sum = self.0.entry(paid.model).or_insert(blank);
        sum.tokens = sum.tokens.saturating_add(paid.tokens);
        sum.cost += paid.cost.unwrap_or_default();
        sum.cost_known &= paid.cost.is_some();
    }

    /// A line for each model; nothing where no model embeds.
    #[must_use]
    pub fn lines(&self) -> String {
        let line = |(model, sum): (&String, &Sum)| {
            let tokens = text::count(sum.tokens, "token", "tokens");
            format!("embeddings: {tokens} of {model}, {}\n", sum.dollars())
        };
        self.0.iter().map(line).collect()
    }
}

impl Sum {
    /// As `cargo xtask ask` writes costs, with more digits: a million tokens cost two cents.
    fn dollars(&self) -> String {
        match (self.cost_known, self.cost) {
            (false, 0.0) => "cost unknown".to_owned(),
            (false, part) => format!("cost unknown (${} of it known)", text::dollars(part, 6)),
            (true, dollars) => format!("${}", text::dollars(dollars, 6)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unknown_is_said_and_never_summed_as_nothing() {
        let paid =
            |model: &str, tokens, cost| Paid { model: format!("openai:{model}"), tokens, cost };
        let lines = |all: &[Paid]| {
            let mut costs = Costs::default();
            all.iter().cloned().for_each(|paid| costs.add(paid));
            costs.lines()
        };
        assert_eq!(lines(&[]), "");
        assert_eq!(
            lines(&[paid("b", 5, Some(1e-6)), paid("a", 0, Some(0.0)), paid("b", 7, Some(2e-6))]),
            "embeddings: 0 tokens of openai:a, $0\nembeddings: 12 tokens of openai:b, $0.000003\n"
        );
        let part = [paid("b", 5, Some(1e-6)), paid("b", 7, None)];
        assert_eq!(
            lines(&part),
            "embeddings: 12 tokens of openai:b, cost unknown ($0.000001 of it known)\n"
        );
        let one = [paid("b", 1, Some(2e-8))];
        assert_eq!(lines(&one), "embeddings: 1 token of openai:b, $0.00000002\n");
        assert_eq!(lines(&part[1..]), "embeddings: 7 tokens of openai:b, cost unknown\n");
    }
}

//! Runs without a language model over the demo web.

use crate::drive::{Sim, brief, with_models};
use crate::models::{Script, rules};
use crate::stream;
use crate::world::Web;
use quarry_events::run::RunStatus;
use quarry_types::Knobs;
use serde_json::Value;
use std::collections::BTreeSet;

const QUESTIONS: [&str; 3] = [
    "Why was the weight limit on the Orrin Bridge lowered, who decided it, and what did the bridge cost?",
    "How much electricity does the tidal array deliver, and what do households pay for it since 2026?",
    "How tall is the Orrin Head lighthouse, who was its last keeper, and when was it automated?",
];

/// Words of the instructions that pages of the demo web try to give.
const INJECTED: [&str; 3] = ["Grand Combs", "guest4471", "ignore all previous"];

#[test]
fn rules_answer_deep_questions_over_the_demo_web_with_citations_that_hold() {
    for question in QUESTIONS {
        let mut asked = with_models(brief(Knobs::default()), &[rules()]);
        asked.task = question.to_owned();
        let mut sim = Sim::new(asked, Script::new(|_| 0.0), Web::Demo);
        sim.drive();
        stream::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        let run = sim.run();
        let kept = run.kept_report().unwrap();
        let companion: Value = serde_json::from_str(&kept.json).unwrap();
        assert!(cited(&companion) >= 1, "{question}: {}", kept.markdown);
        let answer = kept.markdown.split("\n## ").nth(1).unwrap();
        assert!(answer.contains('“'), "{question}: {answer}");
        for injected in INJECTED {
            let shown = kept.markdown.to_lowercase();
            assert!(!shown.contains(&injected.to_lowercase()), "{question}: {injected}");
        }
        assert_eq!(run.metrics(sim.now).tokens, 0);
    }
}

/// Checks that each citation's quote stands in the page that it names, and counts them.
fn cited(companion: &Value) -> usize {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut numbers = BTreeSet::new();
    let mut count = 0;
    for claim in companion["claims"].as_array().unwrap() {
        for citation in claim["citations"].as_array().unwrap() {
            let url = citation["url"].as_str().unwrap();
            let page = crate::world::page(url.split('#').next().unwrap());
            let quote = folded(citation["quote"].as_str().unwrap());
            assert!(folded(&page).contains(&quote), "{url} does not say: {quote}");
            numbers.extend(citation["n"].as_u64());
            count += 1;
        }
    }
    let sources = companion["sources"].as_array().unwrap();
    let listed: BTreeSet<u64> = sources.iter().filter_map(|it| it["n"].as_u64()).collect();
    assert!(numbers.is_subset(&listed), "{numbers:?} of {listed:?}");
    count
}

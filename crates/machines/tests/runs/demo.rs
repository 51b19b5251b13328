//! Runs without a language model over the demo web.

use crate::drive::{Sim, brief, with_models};
use crate::models::{Script, rules};
use crate::stream;
use crate::world::Web;
use quarry_events::run::{EventName, RunStatus};
use quarry_machines::core::ModelSheet;
use quarry_machines::run::Brief;
use quarry_types::Knobs;
use serde_json::Value;
use std::collections::BTreeSet;

const QUESTIONS: [&str; 4] = [
    "How many people live on Orrin, and how has that changed?",
    "Why was the weight limit on the Orrin Bridge lowered, who decided it, and what did the bridge cost?",
    "How much electricity does the tidal array deliver, and what do households pay for it since 2026?",
    "How tall is the Orrin Head lighthouse, who was its last keeper, and when was it automated?",
];

/// Words of the instructions that pages of the demo web try to give.
const INJECTED: [&str; 3] = ["Grand Combs", "guest4471", "ignore all previous"];

/// A run over the demo web with this task and model, driven to where it rests.
fn driven(task: &str, model: ModelSheet, script: Script) -> Sim {
    let mut asked = with_models(brief(Knobs::default()), &[model]);
    asked.task = task.to_owned();
    let mut sim = Sim::new(asked, script, Web::Demo);
    sim.drive();
    sim
}

/// The same by rules, without a language model.
fn by_rules(task: &str) -> Sim {
    driven(task, rules(), Script::new(|_| 0.0))
}

#[test]
fn rules_answer_deep_questions_over_the_demo_web_with_citations_that_hold() {
    for question in QUESTIONS {
        let sim = by_rules(question);
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

#[test]
fn a_report_of_rules_begins_with_the_answer_and_says_behind_it_who_chose_it() {
    const NOTE: &str = "No language model was used: rules chose these quotations";
    let answer = |revision| {
        let mut asked = with_models(brief(Knobs::default()), &[rules()]);
        (asked.task, asked.revision) = (QUESTIONS[1].to_owned(), revision);
        let mut sim = Sim::new(asked, Script::new(|_| 0.0), Web::Demo);
        sim.drive();
        stream::check(&sim);
        let report = sim.run().kept_report().unwrap().markdown.clone();
        let answer = report.split("\n## ").nth(1).unwrap();
        let paragraphs = answer.trim_end().split("\n\n").skip(1);
        paragraphs.map(|it| it.starts_with(NOTE)).collect::<Vec<_>>()
    };
    let (now, before) = (answer(Brief::REVISION), answer(9));
    assert!(now.len() > 1 && now.ends_with(&[true]) && !now[0], "{now:?}");
    assert!(before[0], "as the journals of before say: {before:?}");
}

/// Questions, a page that each finds, its tier and why.
const TIERS: [(&str, &str, u8, &str); 3] = [
    (
        "How much of the fatigue damage is caused by lorries?",
        "stay-cable-fatigue.html",
        2,
        "its page names its journal and its DOI",
    ),
    (
        "How many pupils has the school on Orrin?",
        "school-roll.html",
        2,
        "its page names a public body as its publisher",
    ),
    (
        "How many euros have the rotors in the sound earned the island in six years?",
        "post-tidal-millions.html",
        2,
        "a news article with its author's name",
    ),
];

#[test]
fn what_pages_say_of_themselves_gives_their_tier_and_its_reason() {
    for (question, page, tier, reason) in TIERS {
        let sim = by_rules(question);
        let ranked = stream::all_of(&sim.events(), EventName::SourcesRanked);
        let sources = ranked.iter().flat_map(|it| it["sources"].as_array().unwrap());
        let told = sources.into_iter().find(|it| it["url"].as_str().unwrap().ends_with(page));
        let told = told.unwrap_or_else(|| panic!("{question}: {ranked:?}"));
        let found = (told["quality_tier"].as_u64(), told["tier_reason"].as_str());
        assert_eq!(found, (Some(tier.into()), Some(reason)), "{question}");
        let run = sim.run();
        let markdown = &run.kept_report().unwrap().markdown;
        assert!(markdown.contains(reason), "{question}: {markdown}");
    }
}

/// What two pages of the demo web say otherwise: a question, words of both sides, and why one is believed.
const CONTRADICTIONS: [(&str, &str, &str, Option<&str>); 4] = [
    (
        "What did the Orrin Bridge cost?",
        "The bridge cost 186 million euros",
        "say 212 million euros",
        Some("primary"),
    ),
    (
        "How much does a household on Orrin pay for a kilowatt-hour?",
        "From January 2026 a household on Orrin pays 21.9 cents for a kilowatt-hour",
        "From January 2022 a household on Orrin pays 18.4 cents for a kilowatt-hour",
        Some("newer"),
    ),
    // The engineers found a fault in what they had published.
    (
        "What is the remaining fatigue life of the welds of the Orrin Bridge?",
        "under the traffic of 2023 is 19 years, not 31",
        "the welds have a remaining fatigue life of 31 years",
        Some("corrected"),
    ),
    // The minister says later that nobody knows.
    (
        "How much of the fatigue damage is caused by lorries?",
        "we attribute 88 percent of the fatigue damage in these welds to lorries",
        "lorries caused 55 percent of the fatigue damage",
        None,
    ),
];

/// The same for a model, in whole sentences.
const STATED: [&str; 9] = [
    "The bridge cost 186 million euros.",
    "Whoever wants to know what it cost to drive to Orrin should therefore say 212 million euros.",
    "From January 2026 a household on Orrin pays 21.9 cents for a kilowatt-hour.",
    "From January 2022 a household on Orrin pays 18.4 cents for a kilowatt-hour.",
    "From the authority's counters and a model of the deck we attribute 88 percent of the fatigue damage in these welds to lorries and 12 percent to wind.",
    "Counted by rainflow, lorries caused 55 percent of the fatigue damage and wind 45 percent.",
    "With the traffic of 2023 the welds have a remaining fatigue life of 31 years.",
    "The remaining fatigue life of the welds under the traffic of 2023 is 19 years, not 31.",
    "The inspection attributes 88 percent of the damage to lorries, a reviewed article 55 percent.",
];

#[test]
fn contradictions_are_settled_with_a_reason_and_one_that_nobody_can_settle_stays_open() {
    for (question, one, other, reason) in CONTRADICTIONS {
        for by_model in [false, true] {
            let sheet = if by_model { crate::models::sheet("openai:gpt-5") } else { rules() };
            let mut script = Script::new(|_| 0.9);
            script.queries = Box::new(|asked| vec![asked.question.to_owned()]);
            script.sentences = STATED.to_vec();
            let sim = driven(question, sheet, script);
            stream::check(&sim);
            let run = sim.run();
            let kept = run.kept_report().unwrap();
            let companion: Value = serde_json::from_str(&kept.json).unwrap();
            let conflicts = companion["conflicts"].as_array().unwrap();
            let has = |conflict: &&Value, side: &str, text: &str| {
                conflict["conflict"][side]["quote"].as_str().unwrap().contains(text)
            };
            let told = conflicts.iter().find(|it| has(it, "one", one) && has(it, "other", other));
            let told = told.unwrap_or_else(|| panic!("{question} {by_model}: {conflicts:?}"));
            assert_eq!(told["conflict"]["reason"].as_str(), reason, "{question}: {told}");
            assert_eq!(told.get("explained_by"), None, "{question}: {told}");
            let section = kept.markdown.split("\n## 5. ").nth(1).unwrap();
            let section = section.split("\n## ").next().unwrap();
            let is_open = section.contains("open: nothing tells which is right");
            assert_eq!(is_open, reason.is_none(), "{question} {by_model}: {section}");
        }
    }
}

/// All of it in one run, as somebody asks who wants to know whom to believe. A question has twelve findings at most, so
/// what has most to say comes last.
const WHOM_TO_BELIEVE: &str = "How much of the fatigue damage is caused by lorries? What did the Orrin Bridge cost? \
     How much does a household on Orrin pay for a kilowatt-hour? \
     What is the remaining fatigue life of the welds of the Orrin Bridge?";

#[test]
fn one_run_over_the_demo_web_settles_three_contradictions_and_leaves_one_open() {
    let sim = by_rules(WHOM_TO_BELIEVE);
    stream::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    let run = sim.run();
    let kept = run.kept_report().unwrap();
    let section = kept.markdown.split("\n## 5. ").nth(1).unwrap().split("\n## ").next().unwrap();
    let companion: Value = serde_json::from_str(&kept.json).unwrap();
    for (question, one, other, reason) in CONTRADICTIONS {
        let told = companion["conflicts"].as_array().unwrap().iter().find(|it| {
            let quotes = |side: &str, text: &str| {
                it["conflict"][side]["quote"].as_str().unwrap().contains(text)
            };
            quotes("one", one) && quotes("other", other)
        });
        let told = told.unwrap_or_else(|| panic!("{question}: {section}"));
        assert_eq!(told["conflict"]["reason"].as_str(), reason, "{question}: {told}");
        assert!(section.contains(one) && section.contains(other), "{question}: {section}");
    }
    assert!(section.contains("open: nothing tells which is right"), "{section}");
    assert!(cited(&companion) >= 1);
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

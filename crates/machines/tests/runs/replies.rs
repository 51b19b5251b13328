//! Replies of models that cannot be read, and those that say that there is nothing.

use crate::asked::with_models;
use crate::drive::{Sim, brief};
use crate::models::{Script, sheet};
use crate::replay;
use crate::stream::{self, all_of};
use crate::world::Web;
use quarry_events::run::{EventName, RunStatus};
use quarry_machines::run::Brief;
use quarry_types::Knobs;
use serde_json::{Value, json};

const PROSE: &str = "I am sorry, but I cannot help with that.";
const STEPS: [&str; 5] = ["queries", "findings", "judgement", "parts", "pass"];

fn sim(revision: u32, models: &[&str], says: &[(&'static str, &'static str, &'static str)]) -> Sim {
    let mut script = Script::new(|_| 0.3);
    script.says = says.iter().map(|(by, of, said)| ((*by, *of), *said)).collect();
    let knobs = Knobs { max_rounds: 2, max_depth: 1, ..Knobs::default() };
    let sheets: Vec<_> = models.iter().map(|name| sheet(name)).collect();
    let asked = with_models(Brief { revision, ..brief(knobs) }, &sheets);
    let mut sim = Sim::new(asked, script, Web::Scripted);
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    sim
}

fn companion(sim: &Sim) -> Value {
    serde_json::from_str(&sim.run().kept_report().unwrap().json).unwrap()
}

fn failed(sim: &Sim) -> Vec<(String, String)> {
    let text = |it: &Value, name: &str| it[name].as_str().unwrap().to_owned();
    let told = all_of(&sim.events(), EventName::StepFailed);
    told.iter().map(|it| (text(it, "step"), text(it, "fallback"))).collect()
}

#[test]
fn a_model_that_replies_what_cannot_be_read_has_failed() {
    for step in STEPS {
        let prose = [("openai:one", step, PROSE)];
        let now = sim(Brief::REVISION, &["openai:one"], &prose);
        let told = failed(&now);
        assert!(!told.is_empty(), "{step}");
        for (failed, fallback) in &told {
            assert!(failed.ends_with(step) && fallback == "rules", "{failed}: {fallback}");
        }
        let penalties = companion(&now)["confidence"]["penalties"].to_string();
        assert!(penalties.contains("its reply could not be read"), "{step}: {penalties}");
        // As the journals of before say.
        let before = sim(3, &["openai:one"], &prose);
        assert_eq!(failed(&before), []);
        let score = |sim: &Sim| companion(sim)["confidence"]["score"].as_f64().unwrap();
        assert!(score(&now) <= score(&before), "{step}");
        assert!(step != "judgement" || score(&now) < score(&before), "it costs confidence");
    }
    // It is named for what it was of use for.
    let prose = ["judgement", "pass"].map(|step| ("openai:one", step, PROSE));
    let is_judge = |revision| {
        let sim = sim(revision, &["openai:one"], &prose);
        sim.run().kept_report().unwrap().markdown.contains("judging")
    };
    assert_eq!((is_judge(Brief::REVISION), is_judge(3)), (false, true));
}

#[test]
fn the_next_model_is_asked_where_a_reply_cannot_be_read() {
    for step in STEPS {
        let prose = [("openai:one", step, PROSE)];
        let models = ["openai:one", "openai:two"];
        let now = sim(Brief::REVISION, &models, &prose);
        let told = failed(&now);
        assert!(
            !told.is_empty() && told.iter().all(|(_, fallback)| fallback == "openai:two"),
            "{step}"
        );
        assert_eq!(failed(&sim(3, &models, &prose)), [], "as the journals of before say");
        // The second does what the first would have done.
        let whole = sim(Brief::REVISION, &["openai:one"], &[]);
        assert_eq!(now.run().tree(), whole.run().tree(), "{step}");
    }
}

#[test]
fn that_nothing_was_found_and_no_part_would_help_are_answers() {
    let none = [
        ("openai:one", "findings", r#"{"findings": []}"#),
        ("openai:one", "parts", r#"{"parts": []}"#),
    ];
    let sim = sim(Brief::REVISION, &["openai:one"], &none);
    let told = all_of(&sim.events(), EventName::SynthesisCompleted);
    assert!(told.iter().all(|it| (&it["by"], &it["findings"]) == (&json!("model"), &json!([]))));
    let parted = all_of(&sim.events(), EventName::NodeDecomposed);
    assert!(!parted.is_empty());
    assert!(parted.iter().all(|it| (&it["by"], &it["children"]) == (&json!("model"), &json!([]))));
    assert_eq!(failed(&sim), []);
    // In runs of before rules made findings of what the model had found nothing in.
    let before =
        all_of(&self::sim(3, &["openai:one"], &none).events(), EventName::SynthesisCompleted);
    assert!(before.iter().all(|it| it["by"] == "rule"));
}

#[test]
fn a_report_without_a_word_is_written_by_the_next_model() {
    let none = [("openai:one", "report", " ")];
    let sim = sim(Brief::REVISION, &["openai:one", "openai:two"], &none);
    assert_eq!(failed(&sim), [("report".to_owned(), "openai:two".to_owned())]);
    assert_eq!(companion(&sim)["answer_by_model"], true);
    assert_eq!(
        companion(&self::sim(3, &["openai:one", "openai:two"], &none))["answer_by_model"],
        false
    );
}

#[test]
fn what_came_from_a_cache_and_what_was_thought_is_counted_apart() {
    let of = |revision| {
        let mut script = Script::new(|_| 0.9);
        script.apart = 10;
        let asked = Brief { revision, ..brief(Knobs::default()) };
        let mut sim = Sim::new(asked, script, Web::Scripted);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        let calls = sim.performed.iter().filter(|it| it.is_model).count() as u64;
        let ended = all_of(&sim.events(), EventName::RunCompleted);
        let metrics = &ended[0]["summary_metrics"];
        let told = ["cached_input_tokens", "reasoning_tokens"].map(|name| metrics[name].as_u64());
        (calls, told)
    };
    let (calls, told) = of(Brief::REVISION);
    assert_eq!(told, [Some(10 * calls); 2]);
    assert_eq!(of(11).1, [None; 2], "as the journals of before say");
}

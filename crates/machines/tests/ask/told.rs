//! What events tell beyond the reference's fields: what doors and people need of an ask.

use crate::driver::{Call, Reply, Run, params, resume, run, with_iterations};
use crate::replies::{ANSWER, LAMP, calls, ordinary, programs, rate_limit, text, tools};
use quarry_events::{EventName, Fallback};
use quarry_machines::ask::AskConfig;
use quarry_tools::{Errand, FailureKind, Found, Hit, Outcome, Page};
use quarry_types::Completion;
use serde_json::{Value, json};

const READ: (&str, &str, &str) = ("a", "search_web", r#"{"query":"Sker","load_content":true}"#);
const SEARCH: (&str, &str, &str) = ("a", "search_web", r#"{"query":"Sker"}"#);

/// One iteration with this reply, then the answer.
fn once(reply: Completion) -> Run {
    let model = ordinary(move |call| match call.iteration {
        1 => reply.clone().into(),
        _ => text("enough").into(),
    });
    run(with_iterations(3), (model, tools))
}

fn place(run: &Run, name: EventName) -> usize {
    run.events.iter().position(|event| event.name == name).unwrap()
}

#[test]
fn sources_are_told_when_they_are_found_and_results_refer_to_them() {
    let run = once(calls(&[SEARCH, ("b", "search_web", r#"{"query":"Sker again"}"#)]));
    let added = run.the(EventName::Sources)["added"].clone();
    assert_eq!((&added[0]["n"], &added[0]["url"]), (&json!(1), &json!("https://sker.example/")));
    assert!(place(&run, EventName::Sources) < place(&run, EventName::ToolResult));
    for result in run.all(EventName::ToolResult) {
        assert_eq!((&result["ok"], &result["found"]), (&json!(true), &json!([1])));
        assert_eq!(result["urls"], json!(["https://sker.example/"]));
    }
}

#[test]
fn a_tool_that_fails_says_of_what_kind() {
    let model = ordinary(|call| match call.iteration {
        1 => calls(&[
            SEARCH,
            ("b", "scrape_web_content", r#"{"url":"https://a.example/"}"#),
            ("c", "browse", "{}"),
            ("d", "search_web", "{}"),
        ])
        .into(),
        _ => text("enough").into(),
    });
    let failing = |job: &Errand| match job {
        Errand::ReadPage { .. } => (5, Outcome::failed(FailureKind::NotFound, "gone")),
        _ => (5, Outcome::failed(FailureKind::Timeout, "late")),
    };
    let run = run(with_iterations(3), (model, failing));
    let kinds: Vec<Value> = run
        .all(EventName::ToolResult)
        .iter()
        .map(|result| result["error"]["kind"].clone())
        .collect();
    assert_eq!(kinds, ["unknown_tool", "refused_arguments", "timeout", "not_found"]);
}

#[test]
fn the_words_beside_calls_are_a_thought() {
    let reply = Completion { text: "## Looking\nfor the date.".to_owned(), ..calls(&[SEARCH]) };
    let thought = once(reply).the(EventName::Thought);
    assert_eq!((&thought["title"], &thought["iteration"]), (&json!("Looking"), &json!(1)));
    assert_eq!(thought["text"], "## Looking\nfor the date.");
}

/// One search that loads its page, then this answer in pieces of a few characters.
fn answering(words: &str) -> Run {
    answering_by(7, words)
}

fn answering_by(size: usize, words: &str) -> Run {
    answering_from(size, words, tools)
}

/// The same with what these tools find.
fn answering_from(size: usize, words: &str, tools: impl FnMut(&Errand) -> (u64, Outcome)) -> Run {
    let pieces: Vec<char> = words.chars().collect();
    let pieces: Vec<String> = pieces.chunks(size).map(|piece| piece.iter().collect()).collect();
    let reply = Reply { pieces, ..Reply::from(text(words)) };
    let model = ordinary(move |call| match (call.phase.as_str(), call.iteration) {
        ("tool_iteration", 1) => calls(&[READ]).into(),
        _ => text("enough").into(),
    });
    let mut model = model;
    run(
        with_iterations(3),
        (
            move |call: &Call| match call.phase.as_str() {
                "final_synthesis" => reply.clone(),
                _ => model(call),
            },
            tools,
        ),
    )
}

#[test]
fn citations_carry_their_proof_before_they_are_shown() {
    let run = answering(
        "The lamp of Sker was lit for the first time on 1 February 1823 [q1]. \
         It was lit for the first time on 9 May 1911 [q1]. Whales sing in cold polar waters [q1]. \
         Nobody knows more [q8].",
    );
    let answer = run.the(EventName::FinalAnswer);
    let address = "https://sker.example/#:~:text=The%20lamp";
    assert_eq!(
        answer["content"],
        format!(
            "The lamp of Sker was lit for the first time on 1 February 1823 [1]({address}). \
             It was lit for the first time on 9 May 1911 [1]({address}). \
             Whales sing in cold polar waters (unverified). Nobody knows more."
        )
    );
    let citations = answer["citations"].as_array().unwrap();
    let of = |name: &str| citations.iter().map(|it| it[name].clone()).collect::<Vec<Value>>();
    assert_eq!(of("verdict"), ["supported", "partly", "not_found"]);
    assert_eq!(of("n"), [json!(1), json!(1), Value::Null]);
    assert_eq!(of("vetoes")[1], json!(["date"]));
    assert_eq!((&of("quote")[0], &of("passage")[0]), (&json!(LAMP), &json!("p-1823")));
    assert_eq!((&answer["unknown"], &answer["finish"]), (&json!(["q8"]), &json!("stop")));
    assert!(answer["confidence"]["score"].as_f64().unwrap() < 0.8, "{}", answer["confidence"]);
    // Each was told before the piece that shows it.
    let told = run.all(EventName::Citation);
    assert_eq!(told.len(), 3);
    let mut characters = 0;
    let mut waiting = told.iter().map(|it| it["end"].as_u64().unwrap());
    let mut announced = 0;
    for event in &run.events {
        match event.name {
            EventName::Citation => announced = waiting.next().unwrap(),
            EventName::AnswerDelta => {
                let data: Value = serde_json::from_str(&event.data).unwrap();
                characters += data["text"].as_str().unwrap().chars().count() as u64;
            }
            _ => {}
        }
        let shown = citations.iter().filter(|it| it["start"].as_u64().unwrap() < characters);
        assert!(shown.map(|it| it["end"].as_u64().unwrap()).all(|end| end <= announced));
    }
}

#[test]
fn cited_sources_come_first_by_their_numbers_and_conflicts_are_told() {
    let page = |n: usize, title: &str, steps: u32| Page {
        url: format!("https://{n}.example/"),
        title: Some(title.to_owned()),
        content: format!("The lighthouse of Sker has {steps} steps and a lamp of brass."),
        ..Page::default()
    };
    let hit = |page: Page| Hit {
        title: page.title.clone().unwrap(),
        url: page.url.clone(),
        page: Some(Ok(page)),
        ..Hit::default()
    };
    let pages = move |_: &Errand| {
        let results = vec![hit(page(1, "Guide", 212)), hit(page(2, "Board", 196))];
        (5, Outcome::Found(Found { results, ..Found::default() }))
    };
    let words = "The lighthouse of Sker has 196 steps and a lamp of brass [q2].";
    let run = answering_from(7, words, pages);
    let answer = run.the(EventName::FinalAnswer);
    let listed = |sources: &Value| {
        let sources = sources.as_array().unwrap().iter();
        sources.map(|it| (it["n"].clone(), it["title"].clone())).collect::<Vec<_>>()
    };
    let expected = [(json!(1), json!("Board")), (json!(2), json!("Guide"))];
    assert_eq!(listed(&answer["sources"]), expected);
    assert_eq!(listed(&run.the(EventName::Complete)["result"]["searchResults"]), expected);
    let conflict = &answer["conflicts"][0];
    assert_eq!(
        (&conflict["difference"], &conflict["one"]["title"]),
        (&json!("number"), &json!("Board"))
    );
    assert!(conflict["other"]["quote"].as_str().unwrap().contains("212"));
}

#[test]
fn citations_that_fail_beside_one_that_holds_are_counted_with_the_answer() {
    let hit = |n: usize, content: &str| {
        let (url, title) = (format!("https://{n}.example/"), format!("Page {n}"));
        let (content, shown) = (content.to_owned(), Some(title.clone()));
        let page = Page { url: url.clone(), title: shown, content, ..Page::default() };
        Hit { title, url, page: Some(Ok(page)), ..Hit::default() }
    };
    let pages = move |_: &Errand| {
        let results = vec![
            hit(1, "The lighthouse of Sker has 196 steps and a lamp of brass."),
            hit(2, "Bread is baked from rye in ovens of stone."),
        ];
        (5, Outcome::Found(Found { results, ..Found::default() }))
    };
    let words = "The lighthouse of Sker has 196 steps and a lamp of brass [q1, q2].";
    let answer = answering_from(7, words, pages).the(EventName::FinalAnswer);
    assert_eq!((&answer["failed"], &answer["verdicts"]["not_found"]), (&json!(1), &json!(0.5)));
    assert_eq!(answer["citations"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_end_says_how_it_ended_and_who_was_asked_to_answer() {
    let run = run(with_iterations(1), (programs(1), tools));
    let complete = run.the(EventName::Complete);
    assert_eq!(complete["ended"], "answered");
    assert_eq!(complete["result"]["persona"], "A historian of lighthouses", "the set-up's");
}

#[test]
fn a_rate_limit_tells_the_hour_and_what_was_spent() {
    let model = ordinary(|_| rate_limit().into());
    let run = run(with_iterations(3), (model, tools));
    let limited = run.the(EventName::QuotaExceeded);
    assert_eq!(limited["costSummary"]["totalTokens"], 240);
    let costs = &limited["costs"];
    assert_eq!(costs["tokenCounts"]["total"], 240);
    let steps = costs["stepCosts"].as_array().unwrap();
    let names: Vec<_> = steps.iter().map(|step| step["phase"].as_str().unwrap()).collect();
    assert_eq!(names, ["initial_setup", "planning"]);
    for field in ["totalCost", "costKnown", "unpricedCalls", "modelName"] {
        assert_eq!(costs[field], limited["costSummary"][field], "{field}");
    }
    let wait = limited["waitTime"].as_f64().unwrap();
    let at = |field: &str| {
        quarry_types::Timestamp::parse_iso(limited[field].as_str().unwrap()).unwrap().0
    };
    assert_eq!(at("resumeAfter") - at("timestamp"), (wait * 1_000.0) as u64);
}

#[test]
fn another_model_than_the_one_asked_for_is_named_three_times() {
    let mut fallen = with_iterations(1);
    let reason = "no key".to_owned();
    fallen.fallback = Some(Fallback { requested: "groq:big".to_owned(), reason });
    let run = run(fallen, (programs(1), tools));
    assert!(run.logged("groq:big cannot answer (no key)"));
    for event in [EventName::Init, EventName::FinalAnswer] {
        assert_eq!(run.the(event)["fallback"]["requested"], "groq:big");
    }
}

/// No effect asks for a model: nothing can be paid, and nothing can fail.
#[test]
fn without_a_language_model_rules_reply_to_typed_evidence() {
    let mut local = params(AskConfig::default());
    local.model.is_language_model = false;
    local.model.id = "local:extractive".parse().unwrap();
    let run = run(local, (|_: &crate::driver::Call| panic!("no model is called"), tools));
    assert!(run.calls.is_empty());
    let answer = run.answer();
    assert!(answer.contains("No language model was used"), "{answer}");
    assert!(answer.contains("1 February 1823") && answer.contains("[1](https://sker.example/"));
    let proof = run.the(EventName::FinalAnswer);
    assert_eq!(proof["verdicts"]["supported"], 1.0, "quotations stand where they are from");
    assert_eq!(proof["confidence"]["level"], "medium", "rules do not know whether they answer");
    assert_eq!(run.the(EventName::FinalAnswer).get("degraded"), None, "it was asked for");
    assert!(run.all(EventName::LlmResponse).len() >= 4, "clients still see each step");
    let tokens = &run.the(EventName::CostSummary)["tokenCounts"];
    assert_eq!(tokens["total"], 0, "rules use no tokens: {tokens}");
}

#[test]
fn what_the_originals_front_end_collected_is_gone_on_with() {
    let limited = ordinary(|call| match call.iteration {
        1 => calls(&[SEARCH]).into(),
        _ => rate_limit().into(),
    });
    let kept = run(with_iterations(3), (limited, tools)).continuation.unwrap();
    let collected = json!({ "workState": {
        "toolCallCycles": kept["toolCallCycles"], "llmCalls": [], "searchResults": [],
        "currentIteration": 1, "totalCost": 0, "totalTokens": 240,
        "persona": "A keeper of records", "questions": ["When?"], "setupData": null,
    } });
    let resumed = resume(with_iterations(3), &collected, (programs(0), tools));
    assert_eq!(resumed.answer(), ANSWER);
    assert_eq!(resumed.phases(), ["tool_iteration", "final_synthesis"]);
    let shown = resumed.the(EventName::Complete);
    assert_eq!(shown["result"]["persona"], "A keeper of records");
}

#[test]
fn all_that_was_taken_out_or_not_checked_is_counted() {
    let unknown: String = (100..140).map(|n| format!("[q{n}] ")).collect();
    let run = answering(&format!("Nobody knows more {unknown}."));
    let answer = run.the(EventName::FinalAnswer);
    assert_eq!(answer["unknown"].as_array().unwrap().len(), 32);
    assert_eq!((&answer["unknownCount"], &answer["unchecked"]), (&json!(40), &json!(null)));
    let says = "The lamp of Sker was lit for the first time on 1 February 1823 [q1]. ";
    let run = answering_by(20_000, &says.repeat(1_003));
    let answer = run.the(EventName::FinalAnswer);
    assert_eq!((&answer["unchecked"], &answer["unknownCount"]), (&json!(3), &json!(null)));
}

//! Models that their provider has by Responses alone, and what else of a call it wants otherwise: on the built components.

use quarry_scenarios::client::{self, Event};
use quarry_scenarios::invariants;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Recorded, Reply, Script, Split, Usage};
use serde_json::{Value, json};

const MODEL: &str = "openai:gpt-6.2-sol";
const THOUGHTS: &str = "canary-thoughts-sealed";

/// One search whose page is read, then an answer that cites it.
fn script() -> Script {
    let arguments =
        json!({ "query": "bridge savings ferry subsidised", "limit": 1, "load_content": true });
    let answer = "The ferry had been subsidised with 4.1 million euros a year [q1].";
    let mut script = Script::ordinary()
        .first_always(Match::AnyIteration, Reply::text("Enough."))
        .first_always(
            Match::Phase(Phase::Iteration(1)),
            Reply::call("search_web", arguments).sealed(THOUGHTS).split(Split::Awkward),
        )
        .first_always(Match::Phase(Phase::Synthesis), Reply::text(answer));
    let usage = Usage { input: 1_000, output: 200, cached: 400, reasoning: 50 };
    for reply in script.rules.iter_mut().flat_map(|rule| &mut rule.replies) {
        reply.usage = usage;
    }
    script
}

async fn ask(quarry: &Quarry, more: Value) -> Vec<Event> {
    let mut body = json!({ "query": "What is six times seven, and what is the capacity factor?" });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let events = client::ask(&quarry.url, &body).await.unwrap().events().await.unwrap();
    assert_eq!(events.last().unwrap().name, "complete");
    assert_eq!(invariants::of_stream(&events), Vec::<String>::new());
    events
}

fn the<'a>(events: &'a [Event], name: &str) -> &'a Value {
    &events.iter().find(|event| event.name == name).unwrap().data
}

fn of_phase(quarry: &Quarry, phase: Phase) -> Vec<Recorded> {
    let mut calls = quarry.provider.calls();
    calls.retain(|call| call.phase() == Some(phase));
    calls
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_takes_tools_by_responses_alone_researches_and_gets_its_thoughts_back() {
    // Passages are numbered as with a model of any context.
    let setup = Setup::new(script()).variable("context_profile", "frugal");
    let quarry = setup.start().await.unwrap();
    let events = ask(&quarry, json!({ "model": MODEL })).await;
    let calls = quarry.provider.calls();
    assert_eq!(invariants::of_calls(&calls), Vec::<String>::new());
    for call in &calls {
        assert_eq!((call.path.as_str(), &call.body["store"]), ("/v1/responses", &json!(false)));
        assert!(call.body.get("temperature").is_none(), "{}", call.body);
    }
    let second = of_phase(&quarry, Phase::Iteration(2)).remove(0);
    let kinds = second.body["input"].as_array().unwrap().iter().map(|item| &item["type"]);
    let behind: Vec<&Value> = kinds.skip_while(|kind| **kind == "message").collect();
    assert_eq!(behind, ["reasoning", "function_call", "function_call_output"]);
    assert!(second.text().contains(THOUGHTS));
    assert!(events.iter().all(|event| !event.raw.contains(THOUGHTS)), "nobody is shown them");

    let answer = the(&events, "final_answer");
    assert_eq!(answer["citations"][0]["verdict"], "supported", "{answer}");
    let costs = the(&events, "cost_summary");
    let steps = costs["stepCosts"].as_array().unwrap();
    assert_eq!(steps.len(), calls.len());
    for step in steps {
        assert_eq!(
            (&step["cachedInputTokens"], &step["reasoningTokens"]),
            (&json!(400), &json!(50))
        );
        // At 2, 0.1 and 10 dollars a million.
        let of_one = (600.0 * 2.0 + 400.0 * 0.1 + 200.0 * 10.0) / 1e6;
        assert!((step["cost"].as_f64().unwrap() - of_one).abs() < 1e-12, "{step}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_nobody_knows_is_moved_there_when_its_provider_says_so_and_stays() {
    let words = "Function tools with reasoning_effort are not supported for scripted in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
    let script = script().first(Match::Phase(Phase::Iteration(1)), [Reply::status(400, words)]);
    let quarry = Setup::new(script).start().await.unwrap();
    ask(&quarry, json!({})).await;
    let paths = |phase| -> Vec<String> {
        of_phase(&quarry, phase).into_iter().map(|call| call.path).collect()
    };
    assert_eq!(paths(Phase::Iteration(1)), ["/v1/chat/completions", "/v1/responses"]);
    assert_eq!(paths(Phase::Iteration(2)), ["/v1/responses"], "without a refusal on the way");
    assert_eq!(paths(Phase::Synthesis), ["/v1/chat/completions"], "which takes all but tools");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_refused_of_one_call_is_not_sent_with_the_next() {
    let refusal = Reply {
        code: Some("unsupported_parameter".to_owned()),
        ..Reply::status(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model.",
        )
    };
    let script = script().first(Match::Phase(Phase::Iteration(1)), [refusal]);
    let quarry = Setup::new(script).start().await.unwrap();
    ask(&quarry, json!({})).await;
    let has_it = |phase| -> Vec<bool> {
        let calls = of_phase(&quarry, phase);
        calls.iter().map(|call| call.body.get("max_tokens").is_some()).collect()
    };
    assert_eq!(has_it(Phase::Iteration(1)), [true, false]);
    assert_eq!(has_it(Phase::Iteration(2)), [false]);
}

//! What a caller wants beside its question: each wish reaches the model, or the answer.

use crate::driver::{Call, Driver, Reply, Run, with_iterations};
use crate::replies::{ANSWER, ordinary, setup, text, tools};
use quarry_events::{EventName, FinalAnswer};
use quarry_machines::ask::{
    Answering, Ask, AskConfig, AskParams, AskRequest, AskSettings, Asker, Own, Said, Speaker, Wish,
};
use quarry_machines::core::Budget;
use quarry_tools::Domains;
use quarry_types::{
    AskId, ChatError, CollectionName, Completion, FinishReason, ReasoningEffort, Role, Timestamp,
};
use serde_json::json;

fn said(by: Speaker, text: &str) -> Said {
    Said { by, text: text.to_owned() }
}

fn conversation() -> Vec<Said> {
    vec![
        said(Speaker::User, "Tell me about the lighthouse of Sker."),
        said(Speaker::Assistant, "It stands on a rock."),
    ]
}

fn wishing(wish: Wish) -> AskParams {
    AskParams { wish, ..with_iterations(1) }
}

fn run(params: AskParams, model: impl FnMut(&Call) -> Reply) -> Run {
    Driver::new(params, (model, tools)).finish()
}

/// A model that needs no research.
fn knowing() -> impl FnMut(&Call) -> Reply {
    ordinary(|_| text("I know.").into())
}

fn final_answer(run: &Run) -> FinalAnswer {
    serde_json::from_value(run.the(EventName::FinalAnswer)).unwrap()
}

fn all_text(call: &Call) -> String {
    call.request
        .messages
        .iter()
        .map(|message| message.content.as_str())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_conversation_becomes_a_question_that_stands_alone() {
    let alone = "When was the lighthouse of Sker first lit?";
    let mut others = knowing();
    let model = |call: &Call| match call.phase.as_str() {
        "initial_setup" => {
            text(&setup().text.replacen('{', &format!("{{\"question\": \"{alone}\", "), 1)).into()
        }
        _ => others(call),
    };
    let wish = Wish { history: conversation(), ..Wish::default() };
    let run = run(AskParams { query: "And when was it lit?".into(), ..wishing(wish) }, model);
    let setup = all_text(run.call("initial_setup"));
    assert!(
        setup.contains("User: Tell me about") && setup.contains("Assistant: It stands on a rock.")
    );
    assert!(setup.contains("And when was it lit?"));
    for phase in ["planning", "tool_iteration", "final_synthesis"] {
        let text = all_text(run.call(phase));
        assert!(text.contains(alone) && !text.contains("And when was it lit?"), "{phase}: {text}");
    }
    // Whoever writes may need what was said, too.
    assert!(all_text(run.call("final_synthesis")).contains("It stands on a rock."));
    assert_eq!(run.the(EventName::Init)["turns"], 2);
    assert_eq!(run.the(EventName::SetupComplete)["question"], alone);
    assert_eq!(run.the(EventName::Complete)["result"]["query"], "And when was it lit?");
}

#[test]
fn of_a_conversation_that_is_too_long_the_newest_turns_are_told_and_their_fence_is_closed() {
    let turn = |n: u32| said(Speaker::User, &format!("Turn {n}. {}", "word ".repeat(2_000)));
    let wish = Wish { history: (0..300).map(turn).collect(), ..Wish::default() };
    let mut asked = wishing(wish.within(Some(1_050_000)));
    let kept = asked.wish.history.len();
    asked.model.context_window = Some(1_050_000);
    let mark = asked.fence.mark().to_owned();
    let run = run(asked, knowing());
    for phase in ["initial_setup", "final_synthesis"] {
        let text = all_text(run.call(phase));
        assert!(!text.contains("Turn 0."), "{phase}");
        let (_, behind) = text.split_once("Turn 299.").unwrap();
        let (tail, _) = behind.split_once(&format!("\n{mark} end")).unwrap();
        assert!(!tail.contains(&mark), "{phase}: the fence of the conversation is not closed");
    }
    let init = run.the(EventName::Init);
    assert_eq!((&init["turns"], &init["turnsLeftOut"]), (&json!(kept), &json!(300 - kept)));
    let words = format!(
        "The {} oldest turns of the conversation are left out: the model has no room for them",
        300 - kept
    );
    assert!(run.all(EventName::Log).iter().any(|log| log["message"] == words), "{words}");
}

#[test]
fn without_a_conversation_nothing_is_said_of_one() {
    let run = run(wishing(Wish::default()), knowing());
    assert!(!all_text(run.call("initial_setup")).contains("\"question\","));
    assert_eq!(run.the(EventName::SetupComplete).get("question"), None);
    assert_eq!(run.the(EventName::Init).get("turnsLeftOut"), None);
}

#[test]
fn instructions_reach_the_writer_fenced_and_below_our_rules() {
    let instructions = Some("Answer in French.".to_owned());
    let run = run(wishing(Wish { instructions, ..Wish::default() }), knowing());
    let [system, user] = &run.call("final_synthesis").request.messages[..] else { panic!() };
    assert!(!system.content.contains("Answer in French."), "a caller's words are no rules of ours");
    assert!(user.content.contains("the caller's wishes\nAnswer in French."), "{}", user.content);
    assert!(all_text(run.call("initial_setup")).contains("Answer in French."));
}

#[test]
fn limits_and_temperature_are_those_of_the_answer_alone() {
    let wish = Wish { max_tokens: Some(77), temperature: Some(1.5), ..Wish::default() };
    let run = run(wishing(wish), knowing());
    let request = &run.call("final_synthesis").request;
    assert_eq!((request.max_output_tokens, request.temperature), (77, Some(1.5)));
    let request = &run.call("planning").request;
    assert_ne!((request.max_output_tokens, request.temperature), (77, Some(1.5)));
}

#[test]
fn an_answer_is_never_longer_than_configured() {
    let wish = Wish { max_tokens: Some(u32::MAX), ..Wish::default() };
    let run = run(wishing(wish), knowing());
    let most = run.call("final_synthesis").request.max_output_tokens;
    assert_eq!(most, quarry_machines::ask::TokenCeilings::default().low);
}

#[test]
fn what_a_model_thinks_has_room_beside_its_replies_unless_the_caller_bounds_both() {
    let ceilings = quarry_machines::ask::TokenCeilings::default();
    let most = |wish: Wish, effort: Option<ReasoningEffort>, window: u64| {
        let mut asked = AskParams { wish, ..with_iterations(1) };
        (asked.model.thinks, asked.model.context_window) = (true, Some(window));
        asked.config.reasoning_effort = effort;
        let run = run(asked, knowing());
        ["planning", "final_synthesis"].map(|phase| run.call(phase).request.max_output_tokens)
    };
    let (wish, much) = (Wish::default, Some(ReasoningEffort::High));
    let beside = |room: u32| [ceilings.planning + room, ceilings.low + room];
    assert_eq!(most(wish(), None, 128_000), beside(8_000));
    assert_eq!(most(wish(), much, 128_000), beside(16_000));
    assert_eq!(most(wish(), None, 16_000), beside(4_000), "a quarter of its context");
    let bounded = Wish { max_tokens: Some(300), ..Wish::default() };
    assert_eq!(most(bounded, None, 128_000)[1], 300);
}

#[test]
fn an_answer_ends_before_a_stop_wherever_its_pieces_are_cut() {
    let wish = Wish { stop: vec!["lit in".into()], ..Wish::default() };
    let run = run(wishing(wish), knowing());
    assert!(ANSWER.contains("lit in"));
    let answer = final_answer(&run);
    assert_eq!(answer.content, "It was first");
    assert_eq!(json!(answer.finish), "stop");
    let pieces = run.all(EventName::AnswerDelta);
    let pieces: String = pieces.iter().map(|piece| piece["text"].as_str().unwrap()).collect();
    assert_eq!(pieces, answer.content);
}

fn direct() -> AskParams {
    let instructions = Some("Titles only.".to_owned());
    wishing(Wish { history: conversation(), instructions, is_direct: true, ..Wish::default() })
}

#[test]
fn directly_there_is_one_call_with_the_conversation_as_it_was() {
    let written = "A title {\"tags\": [\"a\"]}";
    let run = run(direct(), |_: &Call| text(written).into());
    assert_eq!(run.phases(), ["final_synthesis"]);
    assert!(run.jobs.is_empty());
    let request = &run.calls[0].request;
    let roles: Vec<Role> = request.messages.iter().map(|message| message.role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::User]);
    assert!(request.tools.is_empty());
    assert_eq!(request.messages[0].content, "Titles only.");
    let answer = final_answer(&run);
    assert_eq!((answer.content.as_str(), json!(answer.finish)), (written, json!("stop")));
}

/// Nothing was looked for, so it has no sources: nothing in it may lead a reader anywhere, and no sentence lacks one.
#[test]
fn a_direct_answer_has_no_links_and_is_not_blamed_for_having_no_sources() {
    for (written, shown, unknown) in [
        ("Hello! Seventeen times 23 is 391.", "Hello! Seventeen times 23 is 391.", &[][..]),
        (
            "The [guide](https://evil.example/?q=1) says so [q1], see https://evil.example/x.",
            "The guide `https://evil.example/?q=1` says so [q1], see `https://evil.example/x`.",
            &["https://evil.example/?q=1", "https://evil.example/x"],
        ),
        (
            "Look: ![chart](https://evil.example/p.png?secret) Done.",
            "Look: chart `https://evil.example/p.png?secret` Done.",
            &["https://evil.example/p.png?secret"],
        ),
        (
            "Write `curl https://a.example/` or\n\n```sh\ncurl https://a.example/ # [q1]\n```",
            "Write `curl https://a.example/` or\n\n```sh\ncurl https://a.example/ # [q1]\n```",
            &[],
        ),
        // Whoever asks for an address is told it.
        ("https://a.example/x", "`https://a.example/x`", &["https://a.example/x"]),
        ("Buy Q1 [Q1], then [Q2].", "Buy Q1 [Q1], then [Q2].", &[]),
        ("It is `m`[1](2), m[1](2) and [1].", "It is `m`[1](2), m[1](2) and [1].", &[]),
        // What programs read and mathematicians write.
        (r#"{"tags": ["a", "b"], "n": [1, 2]}"#, r#"{"tags": ["a", "b"], "n": [1, 2]}"#, &[]),
        (r"a[0] lies in [0, 1], \[x^2\]", r"a[0] lies in [0, 1], \[x^2\]", &[]),
    ] {
        for size in [1, 7, written.len()] {
            let characters: Vec<char> = written.chars().collect();
            let pieces = characters.chunks(size).map(|piece| piece.iter().collect()).collect();
            let reply = Reply { pieces, ..Reply::from(text(written)) };
            let run = run(direct(), move |_: &Call| reply.clone());
            let answer = final_answer(&run);
            assert_eq!(answer.content, shown);
            let pieces = run.all(EventName::AnswerDelta);
            let pieces: String = pieces.iter().map(|it| it["text"].as_str().unwrap()).collect();
            assert_eq!(pieces, shown, "{size}");
            assert_eq!(answer.unknown, unknown, "{written}");
            assert_eq!(answer.unknown_count, unknown.len(), "{written}");
            assert_eq!((answer.uncited, answer.confidence), (0, None), "{written}");
            assert!(answer.citations.is_empty(), "{written}");
        }
    }
}

/// Whether it is written in one go, or broken off in the middle of an address and begun again.
#[test]
fn a_direct_answer_that_is_gone_on_with_has_no_links_either() {
    let written = "It is [here](https://evil.example/x), they say.";
    let pieces = vec![written[..20].to_owned()];
    let limited = ChatError::RateLimited { wait_seconds: 99.0, message: "later".into() };
    let broken = Reply { pieces, ..Reply::from(limited) };
    let mut driver = Driver::new(direct(), (move |_: &Call| broken.clone(), tools));
    while driver.step() {}
    let told = driver.run.all(EventName::AnswerDelta);
    assert!(told.iter().all(|it| !it["text"].as_str().unwrap().contains("evil")), "{told:?}");
    let later = move |_: &Call| text(written).into();
    let answer = final_answer(&driver.revived(direct(), (later, tools)).finish());
    assert_eq!(answer.content, "It is here `https://evil.example/x`, they say.");
    assert_eq!(answer.unknown, ["https://evil.example/x"]);
}

#[test]
fn a_direct_answer_of_which_nothing_is_shown_says_why() {
    // Who shows it may see no code behind that backtick.
    let run = run(direct(), |_: &Call| text("` https://evil.example/x").into());
    let message = run.the(EventName::Error)["error"].as_str().unwrap().to_owned();
    assert!(message.contains("only addresses"), "{message}");
}

#[test]
fn a_direct_answer_that_is_cut_gets_no_words_of_ours() {
    let cut = Completion { finish_reason: FinishReason::Length, ..text("So far") };
    let run = run(direct(), |_: &Call| cut.clone().into());
    let answer = final_answer(&run);
    assert_eq!((answer.content.as_str(), json!(answer.finish)), ("So far", json!("length")));
}

#[test]
fn an_ask_that_is_gone_on_with_wants_what_was_wanted() {
    let limited = || ChatError::RateLimited { wait_seconds: 99.0, message: "later".into() };
    let wish =
        Wish { temperature: Some(1.5), instructions: Some("In French.".into()), ..Wish::default() };
    let mut driver = Driver::new(wishing(wish), (ordinary(move |_| limited().into()), tools));
    while driver.step() {}
    let revived = driver.revived(wishing(Wish::default()), (knowing(), tools));
    let run = revived.finish();
    let request = &run.call("final_synthesis").request;
    assert_eq!(request.temperature, Some(1.5));
    assert!(request.messages[1].content.contains("In French."));
}

/// What an ask is kept with that says this, once it goes on by a request that says that.
fn gone_on(before: (Option<ReasoningEffort>, Own), then: (Option<ReasoningEffort>, Own)) -> Ask {
    let asked = |(effort, own): (Option<ReasoningEffort>, Own)| {
        let wish = Wish { effort, ..Wish::default() };
        let asked = AskRequest {
            query: with_iterations(3).query,
            wish,
            model: None,
            budget: Budget::default(),
            max_iterations: own.max_iterations,
            sources: AskConfig::default().sources,
            collection: None,
            domains: Domains::default(),
            max_tool_calls: None,
            verify_with_model: own.verify_with_model,
        };
        let answering = Answering { model: with_iterations(3).model, fallback: None };
        let settings = AskSettings::default();
        asked.params(AskId::new(0, 1), 0, answering, Asker::default(), &settings).unwrap()
    };
    let kept = serde_json::to_string(&Ask::new(asked(before), Timestamp(0))).unwrap();
    Ask::revive(asked(then), serde_json::from_str(&kept).unwrap(), Timestamp(0))
}

#[test]
fn effort_rounds_and_the_check_stay_where_nothing_is_said_of_them() {
    use ReasoningEffort::{High, Low};
    let nothing = Own::default();
    let rounds = |most| Own { max_iterations: Some(most), ..nothing };
    let check = |is_wanted| Own { verify_with_model: Some(is_wanted), ..nothing };
    for (before, then, effort, most, is_checked) in [
        ((Some(Low), rounds(1)), (None, nothing), Some(Low), 1, false),
        ((Some(Low), nothing), (None, nothing), Some(Low), 2, false),
        ((None, nothing), (None, nothing), None, 3, false),
        // What is said anew counts, and rounds that were counted do not follow from it.
        ((Some(Low), nothing), (Some(High), nothing), Some(High), 6, false),
        ((Some(Low), rounds(1)), (Some(High), nothing), Some(High), 1, false),
        ((Some(Low), rounds(1)), (None, rounds(5)), Some(Low), 5, false),
        ((None, check(true)), (None, nothing), None, 3, true),
        ((None, check(true)), (None, check(false)), None, 3, false),
        ((None, nothing), (None, check(true)), None, 3, true),
    ] {
        let case = format!("{before:?}, then {then:?}");
        let ask = gone_on(before, then);
        let config = serde_json::to_value(&ask).unwrap()["config"].clone();
        assert_eq!(config["max_iterations"], most, "{case}");
        assert_eq!(config["verify_with_model"], is_checked, "{case}");
        let effort = effort.map(|effort| serde_json::to_value(effort).unwrap());
        assert_eq!(config["reasoning_effort"], effort.clone().unwrap_or_default(), "{case}");
        let calls = serde_json::to_value(&ask).unwrap()["calls"].clone();
        assert_eq!(calls["effort"], effort.unwrap_or_default(), "{case}: what the calls carry");
        // It may be interrupted once more.
        let again = Ask::revive(with_iterations(3), ask, Timestamp(0));
        let again = serde_json::to_value(again).unwrap()["config"].clone();
        for kept in ["max_iterations", "verify_with_model", "reasoning_effort"] {
            assert_eq!(again[kept], config[kept], "{case}: {kept}");
        }
    }
}

/// Whoever shows an ask again as a request has its bounds from its first event.
#[test]
fn the_beginning_says_what_was_asked_for_and_nothing_of_what_was_not() {
    let plain = run(wishing(Wish::default()), knowing());
    assert_eq!(plain.the(EventName::Init).get("asked"), None);
    let mut params = wishing(Wish { effort: Some(ReasoningEffort::Low), ..Wish::default() });
    params.own = Own { max_iterations: Some(2), verify_with_model: Some(true) };
    params.config.budget.tokens = Some(90_000);
    params.config.sources.knowledge = true;
    params.config.collection = CollectionName::read(Some("boats")).ok();
    params.config.domains = Domains::new(["sker.example".to_owned()]);
    params.config.max_tool_calls = Some(7);
    let asked = json!({
        "budget": { "tokens": 90_000 }, "max_iterations": 2, "sources": ["web", "knowledge"],
        "collection": "boats", "verify_with_model": true, "effort": "low", "allowed_domains": ["sker.example"], "max_tool_calls": 7,
    });
    assert_eq!(run(params, knowing()).the(EventName::Init)["asked"], asked);
}

#[test]
fn another_question_is_asked_as_its_request_says() {
    let wish = Wish { effort: Some(ReasoningEffort::Low), ..Wish::default() };
    let earlier = Ask::new(wishing(wish), Timestamp(0));
    let other = AskParams { query: "Who lit it?".into(), ..with_iterations(3) };
    let config = serde_json::to_value(Ask::revive(other, earlier, Timestamp(0))).unwrap();
    assert_eq!(config["config"]["max_iterations"], 3);
    assert_eq!(config["config"]["reasoning_effort"], serde_json::Value::Null);
}

#[test]
fn an_ask_that_was_kept_before_there_were_wishes_is_read() {
    let mut kept = serde_json::to_value(Ask::new(with_iterations(1), Timestamp(0))).unwrap();
    let brief = kept["brief"].as_object_mut().unwrap();
    for later in ["wish", "question", "own"] {
        assert!(brief.remove(later).is_some(), "{later}");
    }
    let ask: Ask = serde_json::from_value(kept).unwrap();
    assert_eq!(ask, Ask::new(with_iterations(1), Timestamp(0)));
}

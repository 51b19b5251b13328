//! Answers as JSON: one call more, and nobody is shown anything before it fits.

use crate::driver::{Call, Driver, Reply, Run, with_iterations};
use crate::replies::{ordinary, text, tools};
use quarry_events::EventName;
use quarry_machines::ask::{AskConfig, AskParams, Form, Wish};
use quarry_machines::core::{Budget, Input};
use quarry_types::{ChatError, Completion, FinishReason, Json, Role};
use serde_json::{Value, json};

/// A form with this schema.
pub fn schema(schema: &Value) -> Form {
    Form::JsonSchema { name: "lamp".to_owned(), schema: Json::of(schema), strict: true }
}

fn year() -> Form {
    schema(&json!({
        "type": "object", "properties": { "year": { "type": "integer" } }, "required": ["year"], "additionalProperties": false,
    }))
}

fn wishing(form: Form) -> AskParams {
    AskParams { wish: Wish { form: Some(form), ..Wish::default() }, ..with_iterations(1) }
}

/// A model that puts the answer into these texts, one after the other, and else does the usual.
fn writing<'t>(texts: &'t [&'t str]) -> impl FnMut(&Call) -> Reply + 't {
    let mut others = ordinary(|_| text("I know.").into());
    let mut texts = texts.iter();
    move |call| match call.phase.as_str() {
        "final_format" => text(texts.next().unwrap()).into(),
        _ => others(call),
    }
}

fn run(params: AskParams, model: impl FnMut(&Call) -> Reply) -> Run {
    Driver::new(params, (model, tools)).finish()
}

fn written(run: &Run) -> Vec<Value> {
    run.all(EventName::AnswerDelta).into_iter().map(|piece| piece["text"].clone()).collect()
}

/// Whoever shows it as a request again shows it with them.
#[test]
fn the_form_and_the_instructions_are_told_with_what_was_asked_for() {
    let mut params = wishing(year());
    params.wish.instructions = Some("Be brief.".to_owned());
    let asked = run(params, writing(&[r#"{"year":1823}"#])).the(EventName::Init)["asked"].clone();
    assert_eq!(asked["instructions"], "Be brief.");
    let format = &asked["format"];
    assert_eq!(
        (&format["type"], &format["name"], &format["strict"]),
        (&json!("json_schema"), &json!("lamp"), &json!(true))
    );
    assert_eq!(format["schema"]["required"], json!(["year"]));
    let asked =
        run(wishing(Form::JsonObject), writing(&["{}"])).the(EventName::Init)["asked"].clone();
    assert_eq!(asked, json!({ "format": { "type": "json_object" } }));
}

#[test]
fn the_answer_is_put_into_its_form_by_one_call_more_and_told_in_one_piece() {
    let run = run(wishing(year()), writing(&[r#"{"year": 1823}"#]));
    assert_eq!(run.phases()[run.phases().len() - 2..], ["final_synthesis", "final_format"]);
    assert_eq!(written(&run), [r#"{"year": 1823}"#]);
    let answer = run.the(EventName::FinalAnswer);
    assert_eq!((&answer["format"], &answer["finish"]), (&json!("json"), &json!("stop")));
    assert_eq!(run.the(EventName::Complete)["result"]["response"], r#"{"year": 1823}"#);
    // It is asked for as the caller wants it, and what it is made of is no instruction.
    let request = &run.call("final_format").request;
    let asked = request.schema.as_ref().unwrap();
    assert!(request.json && !request.streams_text && asked.strict && !asked.in_words);
    assert_eq!(
        (asked.name.as_str(), &asked.schema.value()["required"]),
        ("lamp", &json!(["year"]))
    );
    assert!(!run.call("final_synthesis").request.streams_text, "nobody is shown the words");
    let [_, user] = &request.messages[..] else { panic!("{:?}", request.messages) };
    assert!(user.content.contains("When was the lighthouse of Sker first lit?"));
}

#[test]
fn what_it_rests_on_stays_and_has_no_place() {
    let mut with_words = writing(&[r#"{"year": 1823}"#]);
    let params = wishing(year());
    let plain = AskParams { wish: Wish::default(), ..params.clone() };
    let words = run(plain, ordinary(|_| text("I know.").into()));
    let forms = run(params, |call: &Call| with_words(call));
    let cited = |run: &Run| -> Vec<(Value, Value, Value)> {
        let all = run.the(EventName::FinalAnswer)["citations"].as_array().unwrap().clone();
        all.iter()
            .map(|one| (one["n"].clone(), one["url"].clone(), one["verdict"].clone()))
            .collect()
    };
    assert_eq!(cited(&forms), cited(&words), "it is checked as the words are");
    assert_eq!(forms.all(EventName::Citation).len(), 0, "no place, no mark in the text");
    let (of_forms, of_words) =
        (forms.the(EventName::FinalAnswer), words.the(EventName::FinalAnswer));
    for name in ["sources", "verdicts", "uncited", "confidence"] {
        assert_eq!(of_forms.get(name), of_words.get(name), "{name}");
    }
}

#[test]
fn figures_are_as_the_model_wrote_them_and_slips_are_repaired() {
    for (wrote, told) in [
        (
            "{\"a\": 123456789012345678901234567890.10}",
            "{\"a\": 123456789012345678901234567890.10}",
        ),
        ("```json\n{\"a\": 1}\n```", "{\"a\":1}"),
        ("Here: {a: 'x',}", "{\"a\":\"x\"}"),
    ] {
        let run = run(wishing(Form::JsonObject), writing(&[wrote]));
        assert_eq!(run.answer(), told, "{wrote}");
        assert_eq!(run.call("final_format").request.schema, None);
    }
}

#[test]
fn what_does_not_fit_is_asked_for_once_more_with_what_is_wrong() {
    for (first, why) in [
        (r#"{"year": "1823"}"#, "/year must be of type integer"),
        (r#"{"years": 1823}"#, "must have a member \"year\""),
        ("In 1823.", "not one whole JSON object"),
        ("[1823]", "not a JSON object"),
        ("{\"year\": 18", "not one whole JSON object"),
        ("", "not one whole JSON object"),
    ] {
        let run = run(wishing(year()), writing(&[first, r#"{"year": 1823}"#]));
        assert_eq!(run.answer(), r#"{"year": 1823}"#, "{first}");
        assert_eq!(written(&run).len(), 1, "nobody was shown what does not fit");
        let again = &run.calls.last().unwrap().request.messages;
        let last = again.last().unwrap();
        assert_eq!(last.role, Role::User);
        assert!(last.content.contains(why), "{first}: {}", last.content);
        let shown = again.iter().any(|said| said.role == Role::Assistant && said.content == first);
        assert_eq!(shown, !first.is_empty(), "no empty turn");
        assert!(run.logged("asking again"));
    }
}

#[test]
fn twice_is_an_error_that_says_what_is_wrong() {
    let run = run(wishing(year()), writing(&["no", r#"{"year": null}"#]));
    let error = run.the(EventName::Error);
    assert_eq!(
        (&error["type"], &error["code"]),
        (&json!("invalid_output"), &json!("INVALID_OUTPUT"))
    );
    let message = error["error"].as_str().unwrap();
    assert!(
        message.contains("twice") && message.contains("/year must be of type integer"),
        "{message}"
    );
    assert!(written(&run).is_empty() && run.all(EventName::FinalAnswer).is_empty());
    let phases = run.phases();
    assert_eq!(phases.iter().filter(|phase| **phase == "final_format").count(), 2);
    // Both were paid for and are on the record.
    let steps = run.the(EventName::CostSummary)["stepCosts"].as_array().unwrap().clone();
    assert_eq!(steps.iter().filter(|step| step["phase"] == "final_format").count(), 2);
}

#[test]
fn what_is_cut_off_is_asked_for_shorter() {
    let mut others = writing(&[r#"{"year": 1823}"#]);
    let mut is_first = true;
    let model = |call: &Call| -> Reply {
        if call.phase == "final_format" && std::mem::take(&mut is_first) {
            let cut = Completion { finish_reason: FinishReason::Length, ..text(r#"{"year": 1"#) };
            return cut.into();
        }
        others(call)
    };
    let run = run(wishing(year()), model);
    assert_eq!(run.answer(), r#"{"year": 1823}"#);
    assert!(run.calls.last().unwrap().request.messages.last().unwrap().content.contains("shorter"));
}

#[test]
fn a_schema_that_the_provider_refuses_is_said_in_words() {
    let mut others = writing(&[r#"{"year": 1823}"#]);
    let model = |call: &Call| -> Reply {
        match &call.request.schema {
            Some(schema) if !schema.in_words => {
                ChatError::Rejected { status: 400, message: "invalid schema".into() }.into()
            }
            _ => others(call),
        }
    };
    let run = run(wishing(year()), model);
    assert_eq!(run.answer(), r#"{"year": 1823}"#);
    assert!(run.logged("saying it in words"));
}

#[test]
fn what_else_fails_is_the_ask_s_failure_and_quotes_nothing() {
    let mut others = writing(&[]);
    let model = |call: &Call| -> Reply {
        match call.phase.as_str() {
            "final_format" => ChatError::Timeout { message: "slow".into() }.into(),
            _ => others(call),
        }
    };
    let failed = run(wishing(year()), model);
    assert_eq!(failed.the(EventName::Error)["type"], "provider_failed");
    assert!(written(&failed).is_empty());
    let mut others = writing(&[]);
    let model = |call: &Call| -> Reply {
        match call.phase.as_str() {
            "final_synthesis" => ChatError::NoCredit { message: "paid up".into() }.into(),
            _ => others(call),
        }
    };
    let failed = run(wishing(year()), model);
    assert_eq!(failed.the(EventName::Error)["type"], "no_credit");
    assert!(written(&failed).is_empty());
}

#[test]
fn a_filter_leaves_no_answer() {
    let mut others = writing(&[]);
    let model = |call: &Call| -> Reply {
        match call.phase.as_str() {
            "final_format" => {
                Completion { finish_reason: FinishReason::ContentFilter, ..text("{\"ye") }.into()
            }
            _ => others(call),
        }
    };
    let run = run(wishing(year()), model);
    let answer = run.the(EventName::FinalAnswer);
    assert_eq!((&answer["content"], &answer["finish"]), (&json!(""), &json!("filter")));
}

#[test]
fn a_limit_is_gone_on_with_and_the_answer_is_not_written_twice() {
    let mut others = writing(&[]);
    let model = move |call: &Call| -> Reply {
        match call.phase.as_str() {
            "final_format" => {
                ChatError::RateLimited { wait_seconds: 99.0, message: "later".into() }.into()
            }
            _ => others(call),
        }
    };
    let mut driver = Driver::new(wishing(year()), (model, tools));
    while driver.step() {}
    let later = AskParams { wish: Wish::default(), ..with_iterations(1) };
    let run = driver.revived(later, (writing(&[r#"{"year": 1823}"#]), tools)).finish();
    assert_eq!(
        (run.phases(), run.answer()),
        (vec!["final_format"], r#"{"year": 1823}"#.to_owned())
    );
    // Who goes on and says something else still wants the form.
    let longer =
        AskParams { wish: Wish { max_tokens: Some(900), ..Wish::default() }, ..with_iterations(1) };
    let run = driver.revived(longer, (writing(&[r#"{"year": 1823}"#]), tools)).finish();
    assert_eq!(run.answer(), r#"{"year": 1823}"#);
}

#[test]
fn a_stop_leaves_the_answer_to_be_gone_on_with() {
    let mut driver = Driver::new(wishing(year()), (writing(&["{}", "{}"]), tools));
    driver.until("final_format");
    driver.handle(Input::Stop);
    assert!(driver.run.all(EventName::FinalAnswer).is_empty());
    assert_eq!(driver.run.the(EventName::Complete)["ended"], "stopped");
    let later = AskParams { wish: Wish::default(), ..with_iterations(1) };
    let run = driver.revived(later, (writing(&[r#"{"year": 1823}"#]), tools)).finish();
    assert_eq!(run.phases(), ["final_format"]);
}

#[test]
fn directly_there_is_one_call_in_the_form() {
    let wish = Wish {
        form: Some(year()),
        is_direct: true,
        max_tokens: Some(50),
        temperature: Some(0.3),
        ..Wish::default()
    };
    let run = run(AskParams { wish, ..with_iterations(1) }, writing(&[r#"{"year": 1823}"#]));
    assert_eq!(run.phases(), ["final_format"]);
    let request = &run.calls[0].request;
    assert_eq!((request.max_output_tokens, request.temperature), (50, Some(0.3)));
    assert!(
        request.messages[0].role == Role::System && request.messages[0].content.contains("JSON")
    );
    assert_eq!(run.answer(), r#"{"year": 1823}"#);
}

#[test]
fn what_the_caller_wants_of_the_answer_is_for_its_form() {
    let wish = Wish {
        form: Some(year()),
        max_tokens: Some(77),
        top_p: Some(0.4),
        instructions: Some("Use the key year.".to_owned()),
        ..Wish::default()
    };
    let run = run(AskParams { wish, ..with_iterations(1) }, writing(&[r#"{"year": 1823}"#]));
    let request = &run.call("final_format").request;
    assert_eq!(
        (request.max_output_tokens, request.top_p, request.temperature),
        (77, Some(0.4), None)
    );
    assert!(request.messages[1].content.contains("Use the key year."));
    assert!(run.call("final_synthesis").request.max_output_tokens > 77);
}

#[test]
fn a_budget_holds_the_form_too() {
    let at = |tokens| {
        let config = AskConfig {
            budget: Budget { usd: None, tokens: Some(tokens) },
            ..with_iterations(1).config
        };
        run(AskParams { config, ..wishing(year()) }, writing(&[r#"{"year": 1823}"#; 2]))
    };
    let mut answered = 0;
    for tokens in (500..9_000).step_by(150) {
        let run = at(tokens);
        match run.all(EventName::Error).pop() {
            Some(error) => {
                assert_eq!(error["type"], "budget_exceeded", "{tokens}");
                assert!(
                    run.calls.is_empty(),
                    "{tokens}: nothing is paid for that cannot be finished"
                );
            }
            None => answered += 1,
        }
    }
    assert!(answered > 10);
}

#[test]
fn rules_write_no_json_and_say_so_before_anything_is_looked_for() {
    let mut params = wishing(year());
    params.model.id = "local:extractive".parse().unwrap();
    params.model.is_language_model = false;
    let run = run(params, writing(&[]));
    let error = run.the(EventName::Error);
    assert_eq!(error["type"], "invalid_output");
    assert!(error["error"].as_str().unwrap().contains("no language model"));
    assert!(run.jobs.is_empty() && run.calls.is_empty());
}

#[test]
fn whoever_goes_on_without_a_word_is_bound_by_what_was_wanted() {
    let mut first = wishing(year());
    (first.config.sources.web, first.config.sources.knowledge) = (false, true);
    first.config.budget = Budget { tokens: Some(90_000), ..Budget::default() };
    first.wish.instructions = Some("Be brief.".to_owned());
    let mut driver = Driver::new(first, (writing(&["{}", "{}"]), tools));
    driver.until("final_format");
    driver.handle(Input::Stop);
    let later = AskParams { wish: Wish::default(), ..with_iterations(1) };
    let revived = driver.revived(later, (writing(&[]), tools));
    let kept: Value = serde_json::from_str(&serde_json::to_string(&revived.ask).unwrap()).unwrap();
    assert_eq!(kept["config"]["sources"], json!({ "web": false, "knowledge": true }));
    assert_eq!(kept["config"]["budget"]["tokens"], 90_000);
    assert_eq!(kept["brief"]["wish"]["instructions"], "Be brief.");
}

//! Random scripts of replies, outcomes and failures. The driver checks at every step that a
//! checkpoint goes on as the ask does, and at the end that the invariants hold.

use crate::driver::{Call, Driver, FailedTry, PRICE, Reply, World, params, resume};
use crate::failures::every_error;
use crate::forms::schema;
use crate::replies::{calls, plan, programs, setup, text, tools};
use proptest::prelude::*;
use quarry_events::EventName;
use quarry_machines::ask::{AskConfig, AskParams, ContinuationState, Form, Wish};
use quarry_machines::core::{Budget, ContextProfile, Input, Ticket};
use quarry_tools::{Errand, FailureKind, Outcome, Program, Sources};
use quarry_types::{Completion, FinishReason, Price, Usage, tokens};
use serde_json::json;

/// A world that draws its behaviour from a list of numbers, over and over.
#[derive(Debug, Clone)]
struct Drawn {
    draws: Vec<u16>,
    at: usize,
    /// Whether calls may fail so that an ask ends before its answer.
    fatal: bool,
}

impl Drawn {
    fn draw(&mut self, below: usize) -> usize {
        let drawn = self.draws[self.at % self.draws.len()];
        self.at += 1;
        usize::from(drawn) % below
    }

    fn calls(&mut self) -> Completion {
        let count = self.draw(20);
        let drawn: Vec<(String, &str, String)> = (0..count).map(|_| self.call()).collect();
        let given: Vec<_> =
            drawn.iter().map(|(id, name, args)| (id.as_str(), *name, args.as_str())).collect();
        calls(&given)
    }

    fn call(&mut self) -> (String, &'static str, String) {
        let n = self.draw(30);
        let id = ["", "same", "x-1", "x-2"].get(n).map_or(format!("id-{n}"), |id| (*id).to_owned());
        let (name, arguments) = match self.draw(9) {
            0 => ("search_web", r#"{"query":"x","generate_summary":true}"#.to_owned()),
            1 => ("search_web", r#"{"query":"x","limit":50,"load_content":true}"#.to_owned()),
            2 => ("search_web", r#"{"query":"x","extra":true}"#.to_owned()),
            3 => ("scrape_web_content", r#"{"url":"https://a.example/"}"#.to_owned()),
            4 => ("execute_javascript", format!(r#"{{"code":"{n}"}}"#)),
            5 => ("execute_javascript", r#"{"code":"cut o"#.to_owned()),
            6 => ("invented tool", "not json".to_owned()),
            7 => ("", String::new()),
            _ => ("search_web", r#"{query: 'slips',}"#.to_owned()),
        };
        (id, name, arguments)
    }

    fn completion(&mut self, phase: &str) -> Completion {
        match (phase, self.draw(6)) {
            (_, 0) => text(["", "no json", "{\"a\": [", "é…\u{2028}"][self.draw(4)]),
            ("initial_setup", _) => setup(),
            ("planning", n) => plan(["low", "medium", "high"][n % 3]),
            ("final_format", 1 | 2) => text("{\"a\": \"x\"}"),
            ("final_format", 3) => text("```json\n{\"a\": 1,}\n```"),
            ("tool_iteration", 1) => text("enough"),
            ("tool_iteration", _) => self.calls(),
            _ => text(&"An answer in words. ".repeat(self.draw(40))),
        }
    }
}

impl World for Drawn {
    fn model(&mut self, call: &Call) -> Reply {
        let mut reply = if self.draw(6) == 0 {
            let errors = every_error();
            let error = errors[self.draw(errors.len())].clone();
            let is_fatal = error.wait_seconds().is_some() || !self.fatal;
            if is_fatal && !self.fatal { text("fine").into() } else { error.into() }
        } else {
            let mut completion = self.completion(&call.phase);
            // Never more than the estimate and the ceiling: so the budget must hold.
            let input = call.request.messages.iter().map(|m| tokens::estimate(&m.content)).sum();
            let output = u64::from(call.request.max_output_tokens) * self.draw(5) as u64 / 4;
            completion.usage = Usage { input, output, ..completion.usage };
            if self.draw(9) == 0 {
                completion.finish_reason = FinishReason::Length;
            }
            Reply::from(completion)
        };
        reply.after_ms = self.draw(5_000) as u64;
        let pieces = self.draw(3);
        reply.pieces = (0..pieces).map(|n| ["", "piece "][n % 2].to_owned()).collect();
        if self.draw(8) == 0 {
            reply.retries.extend((0..=self.draw(3)).map(|_| FailedTry {
                wait_ms: self.draw(9_000) as u64,
                reason: "overloaded".to_owned(),
                may_be_paid: self.draw(2) == 1,
            }));
        }
        reply
    }

    fn tool(&mut self, job: &Errand) -> (u64, Outcome) {
        let (_, outcome) = tools(job);
        let outcome = match self.draw(5) {
            0 => match job {
                Errand::Search { .. } => Outcome::failed(FailureKind::Failed, "failed".to_owned()),
                Errand::ReadPage { .. } | Errand::SearchKnowledge(_) => {
                    Outcome::failed(FailureKind::Failed, "failed".to_owned())
                }
                Errand::RunProgram { .. } => Outcome::Program(Program {
                    error: Some("Error: thrown".to_owned()),
                    ..Program::default()
                }),
            },
            1 => {
                let console = vec!["日本語 1823\n".repeat(self.draw(200))];
                Outcome::Program(Program { console, ..Program::default() })
            }
            _ => outcome,
        };
        (self.draw(9_000) as u64, outcome)
    }
}

fn worlds() -> impl Strategy<Value = Drawn> {
    (prop::collection::vec(any::<u16>(), 1..200), any::<bool>()).prop_map(|(draws, fatal)| Drawn {
        draws,
        at: 0,
        fatal,
    })
}

fn asks() -> impl Strategy<Value = AskParams> {
    let price = prop::option::of(Just(Price { reasoning: Some(3.0), ..PRICE }));
    let usd = prop::option::weighted(0.3, 0.0f64..0.02);
    let tokens = prop::option::weighted(0.3, 0u64..12_000);
    let profile = prop_oneof![Just(ContextProfile::Frugal), Just(ContextProfile::Roomy)];
    let window = prop::option::of(prop_oneof![Just(2_000u64), Just(8_000), Just(128_000)]);
    let query = prop_oneof![Just("What is 17 * 23?"), Just("When was Sker lit?"), Just("灯台?")];
    let form = prop_oneof![
        3 => Just(None),
        1 => Just(Some(Form::JsonObject)),
        1 => Just(Some(schema(&json!({ "properties": { "a": { "type": "string" } } })))),
    ];
    let wish = (form, any::<bool>()).prop_map(|(form, is_direct)| Wish {
        is_direct: is_direct && form.is_some(),
        form,
        ..Wish::default()
    });
    let calls = prop::option::weighted(0.2, 1u32..6);
    (price, usd, tokens, profile, window, query, 0u32..5, any::<bool>(), wish, calls).prop_map(
        |(
            price,
            usd,
            tokens,
            profile,
            window,
            query,
            max_iterations,
            web,
            wish,
            max_tool_calls,
        )| {
            let mut params = params(AskConfig {
                max_iterations,
                profile,
                budget: Budget { usd, tokens },
                sources: Sources { web, knowledge: true, program: true },
                max_tool_calls,
                ..AskConfig::default()
            });
            params.model.price = price;
            params.model.context_window = window;
            params.query = query.to_owned();
            params.wish = wish;
            params
        },
    )
}

/// Makes the checks that need to know what was asked for.
fn check_budget(run: &crate::driver::Run, params: &AskParams) -> Result<(), TestCaseError> {
    let exceeded = run.all(EventName::Error);
    if exceeded.iter().any(|error| error["type"] == "budget_exceeded") {
        prop_assert_eq!(run.calls.len(), 0, "what is left always holds a short answer");
    }
    let Some(summary) = run.all(EventName::CostSummary).pop() else { return Ok(()) };
    let budget = params.config.budget;
    let sum = |name: &str| -> f64 {
        let lost = summary["unsettledCalls"].as_array().into_iter().flatten();
        lost.filter_map(|call| call[name].as_f64()).sum()
    };
    if let Some(limit) = budget.tokens {
        let spent = summary["tokenCounts"]["total"].as_f64().unwrap() + sum("mostTokens");
        prop_assert!(spent <= limit as f64, "{} of {}", spent, limit);
    }
    if let Some(limit) = budget.usd {
        let spent = summary["totalCost"].as_f64().unwrap_or_default() + sum("mostCost");
        prop_assert!(spent <= limit + 1e-12, "{} of {}", spent, limit);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any world, any ask: it ends well, within its budget.
    #[test]
    fn every_ask_ends_well_and_within_its_budget(world in worlds(), params in asks()) {
        let run = Driver::new(params.clone(), world).finish();
        check_budget(&run, &params)?;
    }

    /// Stops, late outcomes and unknown tickets at any moment do no harm.
    #[test]
    fn inputs_out_of_place_do_no_harm(
        world in worlds(),
        params in asks(),
        stop_ms in prop::option::of(0u64..40_000),
        strays in prop::collection::vec((0u64..60_000, 100u64..200), 0..5),
    ) {
        let mut driver = Driver::new(params.clone(), world);
        if let Some(after) = stop_ms {
            driver.push(after, Input::Stop);
        }
        for (after, ticket) in strays {
            let ticket = Ticket(ticket);
            driver.push(after, Input::ModelDone { ticket, result: Ok(text("stray")) });
            let outcome = Outcome::failed(FailureKind::Failed, "stray".to_owned());
            driver.push(after, Input::ToolDone { ticket, outcome });
            driver.push(after, Input::ModelText { ticket, text: "stray".to_owned() });
        }
        let run = driver.finish();
        check_budget(&run, &params)?;
    }

    /// Whatever happened up to some moment, its checkpoint resumes, pays for nothing twice and
    /// keeps what was known.
    #[test]
    fn any_moment_can_be_gone_on_from(world in worlds(), mut params in asks(), steps in 1usize..40) {
        params.config.budget = Budget::default();
        params.model.context_window = None;
        params.secret = Some("key".to_owned());
        let mut driver = Driver::new(params.clone(), world);
        for _ in 0..steps {
            driver.step();
        }
        let before = driver.ask.continuation();
        let (state, _) = before.clone().write(Some("key"));
        // Words can be had of every world.
        let words = AskParams { wish: Wish::default(), ..params.clone() };
        let run = resume(words, &state, (programs(1), tools));
        let paid = run.all(EventName::CostSummary).pop().unwrap();
        let steps = paid["stepCosts"].as_array().unwrap().len();
        let finished = run.all(EventName::LlmResponse).iter().filter(|r| r.get("type").is_none()).count();
        prop_assert_eq!(steps, before.llm_calls.len() + finished);
        let done = before.tool_call_cycles.len() as u64;
        prop_assert!(run.calls.iter().all(|call| call.iteration == 0 || call.iteration > done));
        let known = run.the(EventName::FinalAnswer)["sources"].as_array().unwrap().len();
        prop_assert!(known >= before.search_results.len());
    }

    /// A signed state survives its way as text, whatever its figures.
    #[test]
    fn figures_survive_signing(cost in any::<f64>().prop_filter("JSON has no others", |f| f.is_finite())) {
        let mut state = quarry_machines::ask::Ask::new(params(AskConfig::default()), crate::driver::START).continuation();
        state.total_cost = Some(cost);
        let (state, _) = state.write(Some("key"));
        let read = serde_json::from_str(&state.to_string()).unwrap();
        prop_assert!(ContinuationState::read(&read, Some("key")).is_ok());
    }
}

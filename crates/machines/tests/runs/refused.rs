//! What a person wants of a run and does not get: each with the field that is wrong, or the state that it is in, and
//! what to do instead.

use crate::drive::{Sim, brief, with_models};
use crate::models::{rules, sheet};
use crate::resumed::{script, sim, whole};
use crate::world::Web;
use quarry_machines::core::{Budget, ModelSheet};
use quarry_machines::run::{Branch, Brief, GoesOn, Models, Refused, Resumption, RunInput};
use quarry_types::Knobs;
use serde_json::{Value, json};

fn unpriced() -> ModelSheet {
    ModelSheet { price: None, ..sheet("openai:of-yesterday") }
}

fn aborted(budget: Budget, model: &ModelSheet) -> Sim {
    let mut asked = with_models(brief(Knobs::default()), std::slice::from_ref(model));
    asked.budget = budget;
    let mut sim = Sim::new(asked, script(), Web::Scripted);
    sim.plan.says.insert(40, RunInput::Abort);
    sim.drive();
    sim
}

fn resumption(sim: &Sim, config: &Value, budget: Budget) -> Result<GoesOn, Refused> {
    let wanted = Resumption {
        config: config.to_string(),
        budget,
        force: false,
        has_key: false,
        operator_pays: false,
    };
    sim.run().resumption(wanted, sim.now)
}

fn field<T: std::fmt::Debug>(refused: Result<T, Refused>) -> (String, String) {
    match refused {
        Err(Refused::Field { field, message }) => (field, message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn bounds_of_a_run_that_is_resumed_may_only_grow() {
    let sim = aborted(Budget::default(), &sheet("openai:scripted"));
    let none = Budget::default();
    let (spent, used) = {
        let metrics = sim.run().metrics(sim.now);
        (metrics.cost, metrics.tokens)
    };
    assert!(spent > 0.0 && used > 1);
    for (config, name) in [
        (json!({ "max_depth": 1 }), "config.max_depth"),
        (json!({ "max_rounds": 2 }), "config.max_rounds"),
        (json!({ "max_queries_per_node": 1 }), "config.max_queries_per_node"),
        (json!({ "decompose_max_children": 1 }), "config.decompose_max_children"),
        (json!({ "max_nodes": 39 }), "config.max_nodes"),
        (json!({ "max_sources": 199 }), "config.max_sources"),
        (json!({ "timeouts": { "query": 14 } }), "config.timeouts.query"),
        (json!({ "timeouts": { "model": 119 } }), "config.timeouts.model"),
        (json!({ "timeouts": { "run": 1799 } }), "config.timeouts.run"),
    ] {
        let (named, why) = field(resumption(&sim, &config, none));
        assert_eq!(named, name, "{config}");
        assert!(why.starts_with("must be at least "), "{why}");
    }
    // Where there is no limit, any would be smaller.
    let new = [
        (Budget { usd: Some(spent * 9.0), tokens: None }, "budget.usd"),
        (Budget { usd: None, tokens: Some(used * 9) }, "budget.tokens"),
    ];
    for (budget, name) in new {
        let (named, why) = field(resumption(&sim, &json!({}), budget));
        assert_eq!(named, name);
        assert!(why.contains("no such limit") && why.contains("begin a new run"), "{why}");
    }
    let limited = |budget| aborted(budget, &sheet("openai:scripted"));
    let sim_of_usd = limited(Budget { usd: Some(9.0), tokens: None });
    let sim_of_tokens = limited(Budget { usd: None, tokens: Some(900_000) });
    for (sim, less, name, least) in [
        (&sim_of_usd, Budget { usd: Some(8.5), tokens: None }, "budget.usd", "9:"),
        (&sim_of_tokens, Budget { usd: None, tokens: Some(899_999) }, "budget.tokens", "900000:"),
    ] {
        let (named, why) = field(resumption(sim, &json!({}), less));
        assert_eq!(named, name);
        assert!(why.starts_with(&format!("must be at least {least} bounds of a run")), "{why}");
    }
    let both = Budget { usd: Some(9.0), tokens: Some(900_000) };
    for sim in [&sim_of_usd, &sim_of_tokens] {
        assert!(resumption(sim, &json!({}), none).is_ok(), "what is not given stays");
        assert!(resumption(sim, &json!({}), both).is_err(), "it stays, and the other is new");
    }
    let more = Budget { usd: None, tokens: Some(900_001) };
    assert!(resumption(&sim_of_tokens, &json!({}), more).is_ok());
    // What stays, or grows, is taken.
    let grown =
        json!({ "max_rounds": 4, "timeouts": { "run": 1800 }, "report_style": "technical" });
    assert!(resumption(&sim, &grown, none).is_ok());
}

#[test]
fn a_run_that_goes_on_or_is_completed_is_not_resumed_and_says_what_to_do() {
    let of = |sim: &Sim| match resumption(sim, &json!({}), Budget::default()) {
        Err(Refused::Conflict(why)) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(of(&whole()), "the run is completed; fork it to go on from it");
    // Who only wants it to go on has what they want; who wants it to go on otherwise is told when that can be.
    assert_eq!(resumption(&sim(), &json!({}), Budget::default()), Ok(GoesOn::AsItIs));
    let more = Budget { usd: None, tokens: Some(900_000) };
    for (config, budget) in [(json!({ "max_rounds": 5 }), Budget::default()), (json!({}), more)] {
        let why = resumption(&sim(), &config, budget).unwrap_err().to_string();
        assert!(why.starts_with("the run goes on already; its bounds can grow when"), "{why}");
    }
}

/// What it does is for the rules to say that it was begun under.
#[test]
fn a_run_that_a_newer_quarry_began_is_left_alone_and_says_what_to_use() {
    let begun = |revision| {
        let asked = Brief { revision, ..brief(Knobs::default()) };
        Sim::new(asked, script(), Web::Scripted)
    };
    let goes_on = |sim: &Sim| {
        let (run, last) = sim.store.load(sim.id, u64::MAX);
        run.goes_on_at(last, &sim.store.position(sim.id)).map_err(|why| why.to_string())
    };
    for revision in [0, Brief::REVISION] {
        assert_eq!(goes_on(&begun(revision)), Ok(()));
    }
    let newer = begun(Brief::REVISION + 1);
    let why = goes_on(&newer).unwrap_err();
    let known = format!("revision {} of its rules", Brief::REVISION + 1);
    assert!(why.contains("a newer Quarry") && why.contains(&known), "{why}");
    // A fork would have the same rules, and nobody here could drive it.
    let branch = Branch {
        from: newer.id,
        task: None,
        config: "{}".to_owned(),
        models: (Models::all(&rules()), Vec::new()),
        replaced: Vec::new(),
        operator_keys: false,
    };
    assert_eq!(newer.run().branch(branch), Err(Refused::Conflict(why)));
    // What is kept of it can be read.
    let shown = newer.run().snapshot(newer.now, true);
    assert_eq!(shown.record.task, newer.run().brief().task);
}

/// Nothing of it could ever begin: it would wait for a larger budget, and a larger one would not help.
#[test]
fn a_fork_with_a_budget_in_money_is_refused_where_no_price_is_known() {
    let usd = |usd| Budget { usd: Some(usd), tokens: None };
    let sim = aborted(usd(5.0), &sheet("openai:scripted"));
    let branch = |model: &ModelSheet| Branch {
        from: sim.id,
        task: None,
        config: "{}".to_owned(),
        models: (Models::all(model), Vec::new()),
        replaced: Vec::new(),
        operator_keys: false,
    };
    let (named, why) = field(sim.run().branch(branch(&unpriced())));
    assert_eq!(named, "model");
    assert!(why.contains("5 US dollars") && why.contains("name another"), "{why}");
    for model in [sheet("anthropic:other"), rules()] {
        assert!(sim.run().branch(branch(&model)).is_ok(), "{}", model.id);
    }
}

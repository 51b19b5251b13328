//! Whatever is asked, answered and broken: no bound of a run is ever exceeded.

use crate::drive::{Sim, brief};
use crate::models::{Asked, Script, part};
use crate::replay;
use crate::stream::{self, all_of, data};
use crate::world::{Web, hash, random};
use proptest::prelude::*;
use quarry_events::run::{
    AnyPayload, EventName, NodeState, QueryExecuted, RunStatus, SearchedIn, WaitReason,
};
use quarry_machines::core::Budget;
use quarry_machines::run::RunInput;
use quarry_tools::Sources;
use quarry_types::{ChatError, Knobs, OnTimeout, Timeouts};
use std::collections::{BTreeMap, BTreeSet};

/// What a case is made of.
#[derive(Debug, Clone)]
pub struct Case {
    pub knobs: Knobs,
    pub budget: Budget,
    pub seed: u64,
    pub kills: Vec<u64>,
    pub web: Web,
    pub sources: Sources,
}

/// The web, one's documents, and both.
const SOURCES: [Sources; 3] = [
    Sources { web: true, knowledge: false, program: true },
    Sources { web: false, knowledge: true, program: true },
    Sources { web: true, knowledge: true, program: true },
];

fn knobs() -> impl Strategy<Value = Knobs> {
    let tree = (0_u32..5, 1_u32..5, 1_u32..25, 1_u32..5);
    let search = (1_u32..5, 1_u32..4, 0_u32..30, 1_u32..5, 1_u32..4);
    let time = (prop_oneof![3_u64..60, 60_u64..2_000], any::<bool>(), 0_u64..3);
    (tree, search, time).prop_map(|(tree, search, (run, fails, ttl))| Knobs {
        max_depth: tree.0,
        max_rounds: tree.1,
        max_nodes: tree.2,
        decompose_max_children: tree.3,
        max_queries_per_node: search.0,
        parallel_queries: search.1,
        max_sources: search.2,
        search_results_per_query: search.3,
        max_no_gain_retries: search.4,
        timeouts: Timeouts { run, ..Timeouts::default() },
        on_timeout: if fails { OnTimeout::Fail } else { OnTimeout::Partial },
        cache_ttl: ttl,
        ..Knobs::default()
    })
}

pub fn cases() -> impl Strategy<Value = Case> {
    let usd = prop::option::of(prop_oneof![0.000_5_f64..0.08, 0.1_f64..1.0]);
    let tokens = prop::option::of(prop_oneof![500_u64..60_000, 60_000_u64..400_000]);
    let webs = vec![Web::Scripted, Web::Same, Web::Empty, Web::Failing(3), Web::Apart];
    let kills = prop::collection::vec(1_u64..200, 0..3);
    let places = (prop::sample::select(webs), prop::sample::select(SOURCES.to_vec()));
    (knobs(), usd, tokens, any::<u64>(), kills, places).prop_map(
        |(knobs, usd, tokens, seed, kills, (web, sources))| Case {
            knobs,
            budget: Budget { usd, tokens },
            seed,
            kills,
            web,
            sources,
        },
    )
}

fn script(seed: u64) -> Script {
    let bits = move |asked: Asked<'_>, of: u64| {
        random(seed ^ hash(asked.purpose) ^ (asked.nth as u64) << 8 ^ of)
    };
    let mut script = Script::new(move |asked| (bits(asked, 1) % 80) as f64 / 100.0);
    script.parts = Box::new(move |asked| {
        (0..1 + bits(asked, 2) % 5).map(|n| part(asked.question, n % 4)).collect()
    });
    script.queries = Box::new(move |asked| {
        let of = |n: u64| crate::world::word(asked.question, bits(asked, 3) % 3 + n % 5);
        // Those of three words and more can be made broader.
        let query = |n: u64| (n..n + 2 + n % 3).map(of).collect::<Vec<_>>().join(" ");
        (0..bits(asked, 4) % 7).map(query).collect()
    });
    script.goes_on = Box::new(move |asked| !bits(asked, 5).is_multiple_of(4));
    for n in 0..seed % 4 {
        let of = ["queries", "findings", "judgement", "parts"][(random(seed ^ n) % 4) as usize];
        let purpose = format!("n{}/{of}", 1 + n);
        let error = match random(seed + n) % 3 {
            0 => ChatError::Timeout { message: "the model's reply".to_owned() },
            1 => ChatError::ProviderFailed { status: 503, message: "down".to_owned() },
            _ => ChatError::rate_limited(2_000, "slow down".to_owned()),
        };
        script = script.fails(&purpose, 1, error);
    }
    script
}

pub fn begun(case: &Case) -> Sim {
    let mut asked = brief(case.knobs.clone());
    (asked.budget, asked.sources) = (case.budget, case.sources);
    let mut sim = Sim::new(asked, script(case.seed), case.web);
    sim.by_words = true;
    sim.plan.kills = case.kills.iter().copied().collect();
    sim
}

/// Depth, nodes, children, rounds, queries, sources.
fn check_tree(sim: &Sim, knobs: &Knobs) {
    let run = sim.run();
    let nodes = run.tree().nodes();
    assert!(nodes.len() <= knobs.max_nodes as usize);
    for node in nodes {
        assert!(node.depth <= knobs.max_depth);
        assert!(node.children.len() <= knobs.decompose_max_children as usize);
    }
    let metrics = run.metrics(sim.now);
    assert!(metrics.rounds <= knobs.max_rounds);
    assert!(metrics.sources <= u64::from(knobs.max_sources));
    check_searches(sim, knobs);
}

/// Each node's turns, as far as they were searched for.
fn check_searches(sim: &Sim, knobs: &Knobs) {
    let mut nodes: BTreeMap<String, Searched> = BTreeMap::new();
    for event in sim.events() {
        let told = data(&event);
        let node = told["node_id"].as_str().unwrap_or_default().to_owned();
        match event.name {
            EventName::NodeStarted => {
                // A turn that was cut off and is gone on with is the same one.
                let turn = told["attempt"].as_u64().unwrap();
                let known = nodes.entry(node).or_default();
                if known.turn != turn {
                    *known = Searched { turn, ..Searched::default() };
                }
            }
            EventName::QueryExecuted => {
                let Ok(AnyPayload::QueryExecuted(it)) = event.payload() else {
                    panic!("{event:?}");
                };
                nodes.get_mut(&node).unwrap().take_in(&it, knobs);
            }
            _ => {}
        }
    }
}

/// What a node searched for in one turn.
#[derive(Default)]
struct Searched {
    /// From 1: which turn.
    turn: u64,
    queries: BTreeSet<String>,
    places: BTreeMap<SearchedIn, SearchedThere>,
}

/// What of it went to one place.
#[derive(Default)]
struct SearchedThere {
    sent: u32,
    /// Queries that are no broader form of others.
    first: BTreeSet<String>,
    /// How many in a row brought nothing new.
    barren: u32,
}

impl Searched {
    fn take_in(&mut self, it: &QueryExecuted, knobs: &Knobs) {
        self.queries.insert(it.query.clone());
        let different = self.queries.len();
        assert!(different <= knobs.max_queries_per_node as usize, "{:?}", self.queries);
        let there = self.places.entry(it.searched_in).or_default();
        there.sent += 1;
        assert!(there.sent <= knobs.max_queries_per_node, "{it:?} is one too many there");
        let is_new = it.attempt > 1 || there.first.insert(it.query.clone());
        assert!(is_new, "{it:?} was searched for there before");
        assert_eq!(it.wanted, knobs.search_results_per_query * it.attempt.min(3), "{it:?}");
        assert!(it.results <= u64::from(it.wanted), "{it:?}");
        match (&it.error, it.new_passages) {
            (Some(_), _) => {}
            (None, 0) => there.barren += 1,
            (None, _) => there.barren = 0,
        }
        // What is under way when a search is to end is waited for.
        let most = knobs.max_no_gain_retries + knobs.parallel_queries - 1;
        assert!(there.barren <= most, "{it:?}: {} in a row brought nothing", there.barren);
    }
}

/// What is under way at once.
fn check_side_by_side(sim: &Sim, knobs: &Knobs) {
    let mut under_way = BTreeSet::new();
    for entry in sim.store.journal(sim.id, 0) {
        match serde_json::from_str(entry.body.text()).unwrap() {
            RunInput::Begun { effects } => under_way.extend(effects.iter().map(|it| it.ticket.0)),
            RunInput::Model { ticket, .. } | RunInput::Tool { ticket, .. } => {
                under_way.remove(&ticket.0);
            }
            RunInput::Clock | RunInput::TakenUp { .. } => under_way.clear(),
            _ => {}
        }
        assert!(under_way.len() <= knobs.parallel_queries as usize, "{under_way:?}");
    }
}

fn check_time(sim: &Sim, knobs: &Knobs) {
    let own = knobs.timeouts.run * 1_000;
    let paused = !all_of(&sim.events(), EventName::RunWaiting).is_empty();
    let is_research = |id: &str| !paused && !id.starts_with("report");
    for it in sim.performed.iter().filter(|it| is_research(&it.id)) {
        let since = it.at.since(crate::drive::START);
        // A write lies between the look at the clock and the beginning; while nobody drives a run, its time
        // stands still, and nobody knows of what its driver did since its last step.
        let (undriven, unseen) = sim.undriven;
        let most = own + undriven + unseen + 1;
        assert!(since <= most, "{it:?} is begun at {since} of {most}");
    }
    let latency = sim.run().metrics(sim.now).latency;
    assert!(latency <= own + 60_000 + 1_000, "{latency} of {own}");
}

fn check_budget(sim: &Sim, budget: Budget) {
    let metrics = sim.run().metrics(sim.now);
    let (mut tokens, mut cost) = (0, 0.0);
    for told in all_of(&sim.events(), EventName::CostUpdated) {
        if told["role"] != "write" {
            tokens += told["call_tokens"].as_u64().unwrap();
            // What a call cost that may have been paid for is not known.
            cost += told["call_cost"].as_f64().unwrap_or_default();
        }
    }
    if let Some(most) = budget.tokens {
        assert!(metrics.tokens <= most);
        assert!(
            tokens as f64 <= most as f64 * 0.85,
            "{tokens} of {most}: the report needs its share"
        );
    }
    if let Some(most) = budget.usd {
        assert!(metrics.cost <= most + 1e-12);
        assert!(cost <= most * 0.85 + 1e-12, "{cost} of {most}: the report needs its share");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]

    #[test]
    fn no_bound_is_ever_exceeded(case in cases()) {
        let mut sim = begun(&case);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        let is_failed = sim.status() == RunStatus::Failed;
        prop_assert!(!is_failed || case.knobs.on_timeout == OnTimeout::Fail);
        let waits = sim.run().standing_now().waiting.map(|waiting| waiting.reason);
        prop_assert!(is_failed || waits == Some(WaitReason::Budget) || sim.status() == RunStatus::Completed);
        let may_wait = sim.run().metrics(sim.now).findings == 0 || case.knobs.on_timeout == OnTimeout::Fail;
        prop_assert!(waits.is_none() || may_wait);
        check_tree(&sim, &case.knobs);
        let run = sim.run();
        let mut nodes = run.tree().nodes().iter();
        prop_assert!(nodes.all(|node| node.attempts.visits <= case.knobs.max_rounds));
        check_side_by_side(&sim, &case.knobs);
        check_time(&sim, &case.knobs);
        check_budget(&sim, case.budget);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn a_run_may_be_aborted_resumed_and_forked_at_any_point(
        case in cases(), abort in 1_u64..150, at in any::<prop::sample::Index>(), anew: bool,
    ) {
        let case = Case { budget: Budget::default(), ..case };
        let mut sim = begun(&case);
        sim.plan.says.insert(abort, RunInput::Abort);
        sim.drive();
        // Who resumes and dies before it is written has to do so again.
        sim.plan.kills.clear();
        for _ in 0..3 {
            stream::check(&sim);
            if sim.status() != RunStatus::Completed {
                let timeouts = Timeouts { run: 3_600, ..Timeouts::default() };
                sim.resume(Some(Knobs { timeouts, ..sim.run().brief().knobs.clone() }), None);
            }
        }
        prop_assert_eq!(sim.status(), RunStatus::Completed);
        check_tree(&sim, &case.knobs);
        sim.plan.says.clear();
        let at = 1 + at.index(sim.events().len()) as u64;
        let task = anew.then_some("Who built the harbour of Brankmoor?");
        sim.fork(Some(at), task, |brief| brief.knobs.timeouts.run = 3_600);
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        prop_assert_eq!(sim.status(), RunStatus::Completed);
        check_tree(&sim, &case.knobs);
        let open = [NodeState::Pending, NodeState::Running];
        let run = sim.run();
        prop_assert!(run.tree().nodes().iter().all(|node| !open.contains(&node.state)), "{:?}", run.tree());
    }
}

/// A lease is renewed without an entry while a long call is under way.
#[test]
fn what_a_driver_worked_on_a_call_counts_though_it_died_before_its_end() {
    let timeouts = Timeouts { run: 150, ..Timeouts::default() };
    let knobs = Knobs { timeouts, ..Knobs::default() };
    let mut longest = 0;
    for point in 1..60 {
        let mut sim = Sim::new(brief(knobs.clone()), Script::new(|_| 0.3), Web::Scripted);
        (sim.model_ms, sim.limits.slice_ms) = (55_000, 600_000);
        sim.plan.kills = [point, point + 12, point + 24].into();
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        assert!(sim.undriven.1 <= 3 * 10_001, "{:?}: a lease is renewed every 10 s", sim.undriven);
        check_time(&sim, &knobs);
        longest = longest.max(sim.undriven.1);
    }
    assert!(longest > 10_000, "some died in the middle of a call: {longest}");
}

#[test]
fn a_budget_that_research_has_used_up_still_pays_for_the_report() {
    let mut asked = brief(Knobs { max_depth: 3, ..Knobs::default() });
    asked.budget = Budget { usd: None, tokens: Some(50_000) };
    let mut sim = Sim::new(asked, Script::new(|_| 0.3), Web::Scripted);
    sim.drive();
    stream::check(&sim);
    let ended = all_of(&sim.events(), EventName::RunCompleted);
    assert_eq!((&ended[0]["partial"], &ended[0]["reason"]), (&true.into(), &"budget".into()));
    let paid = all_of(&sim.events(), EventName::CostUpdated);
    assert_eq!(paid.last().unwrap()["role"], "write");
    let told = all_of(&sim.events(), EventName::NodeUnresolved);
    assert!(told.iter().any(|it| it["resolution_reason"] == "budget"));
}

#[test]
fn a_run_that_may_have_no_more_sources_plans_nothing_and_parts_nothing() {
    let usual = Knobs { max_depth: 3, ..Knobs::default() };
    for most in 1..7 {
        let mut sim = Sim::new(
            brief(Knobs { max_sources: most, ..usual.clone() }),
            Script::new(|_| 0.3),
            Web::Scripted,
        );
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        assert_eq!(sim.status(), RunStatus::Completed);
        check_tree(&sim, &sim.run().brief().knobs.clone());
        // No query is sent after the last source came, and no call is made that would choose one.
        let of = |id: &str, what: &str| id.contains(what);
        let last = sim.performed.iter().rposition(|it| of(&it.id, "/query-")).unwrap();
        let late = &sim.performed[last + 1..];
        let is_planning = |id: &str| of(id, "/queries") || of(id, "/parts") || of(id, "/pass");
        assert!(!late.iter().any(|it| is_planning(&it.id)), "{most}: {late:?}");
        let told = all_of(&sim.events(), EventName::NodeUnresolved);
        assert!(told.iter().any(|it| it["message"] == "the run may have no more sources"));
    }
}

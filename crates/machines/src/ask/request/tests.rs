//! What is filled in, what is refused, and in which words.

use super::*;
use crate::ask::{Ask, ContinuationState, Said, Speaker, StateError};
use crate::core::{ContextProfile, Secret};
use quarry_types::{Price, Timestamp};

const BOTH: Sources = Sources { web: true, knowledge: true, program: true };

const WEB: Sources = Sources { web: true, knowledge: false, program: true };

fn request(query: &str) -> AskRequest {
    AskRequest {
        query: query.to_owned(),
        wish: Wish::default(),
        model: None,
        budget: Budget::default(),
        max_iterations: None,
        verify_with_model: None,
        sources: WEB,
        collection: None,
        domains: Domains::default(),
        max_tool_calls: None,
    }
}

fn answering() -> Answering {
    let model = ModelSheet {
        id: "openai:x".parse().unwrap(),
        price: None,
        context_window: Some(128_000),
        is_language_model: true,
        thinks: false,
        timeout_ms: 1,
    };
    Answering { model, fallback: None }
}

fn accepted(request: AskRequest, asker: Asker, settings: &AskSettings) -> AskParams {
    request.params(AskId::new(0, 1), 0xab, answering(), asker, settings).unwrap()
}

fn refused(request: AskRequest, answering: Answering) -> Refusal {
    let settings = AskSettings::default();
    request.params(AskId::new(0, 1), 0, answering, Asker::default(), &settings).unwrap_err()
}

/// An ask for this, which its client or the store kept.
fn earlier(query: &str, model: &str) -> [Earlier; 2] {
    let state = ContinuationState {
        query: query.to_owned(),
        model: model.to_owned(),
        ..ContinuationState::default()
    };
    let mut answering = answering();
    answering.model.id = model.parse().unwrap();
    let params = request(query)
        .params(AskId::new(0, 1), 0, answering, Asker::default(), &AskSettings::default())
        .unwrap();
    let ask = Ask::new(params, Timestamp(0));
    [Earlier::Client(Box::new(state)), Earlier::Checkpoint(Box::new(ask))]
}

#[test]
fn only_a_language_model_judges_citations() {
    let asked = || AskRequest { verify_with_model: Some(true), ..request("q") };
    assert!(accepted(asked(), Asker::default(), &AskSettings::default()).config.verify_with_model);
    let mut rules = answering();
    rules.model.is_language_model = false;
    assert_eq!(refused(asked(), rules.clone()), Refusal::NoJudge);
    // One that stands in for a model that nobody has a key for answers all the same.
    let reason = "no key".to_owned();
    rules.fallback = Some(quarry_events::Fallback { requested: "openai:x".to_owned(), reason });
    let settings = AskSettings::default();
    let params = asked().params(AskId::new(0, 1), 0, rules, Asker::default(), &settings);
    assert!(params.is_ok());
}

#[test]
fn refusals_name_a_field_and_say_what_to_do() {
    let told = |refusal: Refusal| (refusal.field(), refusal.to_string());
    for blank in ["", " \n\t"] {
        let refusal = request(blank).going_on(None).unwrap_err();
        assert_eq!(told(refusal), ("query", "must not be empty".to_owned()));
    }
    let nowhere = Sources { web: false, knowledge: false, program: false };
    let refusal = refused(AskRequest { sources: nowhere, ..request("q") }, answering());
    let words = "names no place to look in; use \"web\", \"knowledge\" or both".to_owned();
    assert_eq!(told(refusal), ("sources", words));
    // Some questions are calculated and not looked up.
    let programs = Sources { web: false, knowledge: false, program: true };
    let asked = AskRequest { sources: programs, ..request("q") };
    let settings = AskSettings::default();
    let params = asked.params(AskId::new(0, 1), 0, answering(), Asker::default(), &settings);
    assert_eq!(params.map(|params| params.config.sources), Ok(programs));
    let in_dollars = |usd| {
        let budget = Budget { usd, tokens: Some(9) };
        AskRequest { budget, ..request("q") }
    };
    let words = "cannot be held: no price is known for this model; use budget.tokens".to_owned();
    assert_eq!(told(refused(in_dollars(Some(0.0)), answering())), ("budget.usd", words));
    // Tokens can be counted without a price, and dollars with one.
    let settings = AskSettings::default();
    let accepted = accepted(in_dollars(None), Asker::default(), &settings);
    assert_eq!(accepted.config.budget, Budget { usd: None, tokens: Some(9) });
    let mut priced = answering();
    priced.model.price =
        Some(Price { input: 1.0, output: 1.0, cached_input: None, reasoning: None });
    let asker = Asker::default();
    assert!(in_dollars(Some(1.0)).params(AskId::new(0, 1), 0, priced, asker, &settings).is_ok());
}

#[test]
fn who_wants_all_told_that_was_said_is_refused_where_it_is_too_long() {
    let turn = Said { by: Speaker::User, text: "word ".repeat(2_000) };
    let asked = |turns: usize, wants_all_said: bool| AskRequest {
        wish: Wish { history: vec![turn.clone(); turns], wants_all_said, ..Wish::default() },
        ..request("q")
    };
    let refusal = refused(asked(60, true), answering());
    assert_eq!((refusal, refusal.field()), (Refusal::TooLong, "truncation"));
    let settings = AskSettings::default();
    assert!(accepted(asked(60, false), Asker::default(), &settings).wish.left_out > 0);
    assert_eq!(accepted(asked(3, true), Asker::default(), &settings).wish.left_out, 0);
}

#[test]
fn a_request_goes_on_with_the_question_and_the_model_that_were_kept() {
    for earlier in earlier("Which lamp?", "groq:y") {
        let gone_on = request(" ").going_on(Some(&earlier)).unwrap();
        assert_eq!(gone_on.query, "Which lamp?");
        assert_eq!(gone_on.model.as_deref(), Some("groq:y"));
        let own = AskRequest { model: Some("openai:x".to_owned()), ..request(" Own? ") };
        assert_eq!(own.clone().going_on(Some(&earlier)), Ok(own));
        // Spaces ask nothing else; words do.
        let spaced = request(" Which\n  lamp? ").going_on(Some(&earlier)).unwrap();
        assert_eq!(spaced.query, "Which lamp?");
        for other in ["Which lamps?", "Which", "Whichlamp?", "which lamp?"] {
            assert_eq!(request(other).going_on(Some(&earlier)).unwrap().query, other);
        }
    }
    let nothing = Earlier::Client(Box::default());
    assert_eq!(request("").going_on(Some(&nothing)), Err(Refusal::NoQuestion));
    assert_eq!(request("q").going_on(Some(&nothing)).unwrap().model, None);
    assert_eq!(request("q").going_on(None), Ok(request("q")));
}

fn boats() -> Option<CollectionName> {
    CollectionName::read(Some("boats")).ok()
}

#[test]
fn a_collection_is_refused_where_no_documents_are_searched() {
    let asked = |sources| AskRequest { collection: boats(), sources, ..request("q") };
    let refusal = asked(WEB).going_on(None).unwrap_err();
    let words = "names a collection, but no documents are searched; add \"knowledge\" to sources";
    assert_eq!((refusal.field(), refusal.to_string().as_str()), ("collection", words));
    let gone_on = asked(BOTH).going_on(None).unwrap();
    let config = accepted(gone_on, Asker::default(), &AskSettings::default()).config;
    assert_eq!(config.collection, boats());
}

#[test]
fn whoever_goes_on_with_an_ask_has_its_documents_and_may_name_others_of_them() {
    let kept = |sources, collection| {
        let asked = AskRequest { sources, collection, ..request("Which lamp?") };
        let params = accepted(asked, Asker::default(), &AskSettings::default());
        let kept = serde_json::to_string(&Ask::new(params, Timestamp(0))).unwrap();
        assert_eq!(kept.contains("\"collection\""), kept.contains("\"boats\""), "{kept}");
        Earlier::Checkpoint(Box::new(serde_json::from_str(&kept).unwrap()))
    };
    let named = |query: &str| AskRequest { collection: boats(), ..request(query) };
    assert!(named("").going_on(Some(&kept(BOTH, None))).is_ok());
    let refused = Err(Refusal::NoDocuments(NoDocuments));
    assert_eq!(named("").going_on(Some(&kept(WEB, None))), refused);
    // Another question is asked as its request says.
    assert_eq!(named("Which oil?").going_on(Some(&kept(BOTH, None))), refused);

    let settings = AskSettings::default();
    let config = |earlier: Earlier, then: AskRequest| {
        let params = accepted(then.going_on(Some(&earlier)).unwrap(), Asker::default(), &settings);
        let ask = Ask::going_on(params, earlier, Timestamp(0));
        serde_json::to_value(ask).unwrap()["config"].clone()
    };
    let left_open = config(kept(BOTH, boats()), request(""));
    assert_eq!(
        (&left_open["collection"], &left_open["sources"]["knowledge"]),
        (&"boats".into(), &true.into())
    );
    let other = CollectionName::read(Some("sails")).ok();
    let said_anew = config(kept(BOTH, boats()), AskRequest { collection: other, ..request("") });
    assert_eq!(said_anew["collection"], "sails");
}

#[test]
fn what_a_request_leaves_open_is_the_operators() {
    let config = AskConfig {
        max_iterations: 7,
        final_template: Some("t".to_owned()),
        ..AskConfig::default()
    };
    let secret = Some("s".to_owned());
    let settings = AskSettings {
        config: config.clone(),
        secret: Secret(secret.clone()),
        ..AskSettings::default()
    };
    let left_open = accepted(request("q"), Asker::default(), &settings);
    let profile = ContextProfile::Roomy;
    let expected = AskConfig { profile, sources: WEB, ..config };
    assert_eq!((left_open.config, left_open.secret), (expected, secret));
    let asked = AskRequest { max_iterations: Some(2), ..request("q") };
    let settings = AskSettings { profile: Some(ContextProfile::Frugal), ..settings };
    let asked = accepted(asked, Asker::default(), &settings);
    assert_eq!((asked.config.max_iterations, asked.config.profile), (2, ContextProfile::Frugal));
}

#[test]
fn a_profile_is_the_operators_choice_else_by_the_models_context() {
    let open = AskSettings::default();
    for window in [None, Some(1_000), Some(128_000)] {
        assert_eq!(open.profile(window), ContextProfile::fitting(window));
        let profile = Some(ContextProfile::Frugal);
        let chosen = AskSettings { profile, ..AskSettings::default() };
        assert_eq!(chosen.profile(window), ContextProfile::Frugal);
    }
}

#[test]
fn who_asks_is_shown_only_when_somebody_is_known() {
    let settings = AskSettings::default();
    let nobody = accepted(request("q"), Asker::default(), &settings);
    assert_eq!((nobody.user, nobody.operator_keys), (None, false));
    let asker = Asker { name: Some("N".to_owned()), operator_keys: true, ..Asker::default() };
    let known = accepted(request("q"), asker, &settings);
    let user = User { email: None, name: Some("N".to_owned()) };
    assert_eq!((known.user, known.operator_keys), (Some(user), true));
}

#[test]
fn the_mark_of_outside_text_is_the_random_bits() {
    let params = accepted(request("q"), Asker::default(), &AskSettings::default());
    assert_eq!(params.fence.mark(), "[[outside-00000000000000ab]]");
}

#[test]
fn a_state_that_is_no_json_is_refused_as_such() {
    let refused = |text: &str| Earlier::from_client(text, None).unwrap_err();
    let error = refused("{");
    assert!(matches!(error, StateError::NotJson(_)));
    assert_eq!(error.to_string(), "not JSON: EOF while parsing an object at line 1 column 1");
    assert!(matches!(refused("{}"), StateError::Shape(_)));
    let state = Earlier::from_client(r#"{"toolCallCycles":[],"query":"q"}"#, None).unwrap();
    assert_eq!(state.query(), "q");
}

//! Price tables: the one in the build, refreshed ones, and junk.

use super::*;
use proptest::prelude::*;
use serde_json::Value;

fn model(text: &str) -> ModelId {
    text.parse().unwrap()
}

fn input_price(table: &Table, name: &str) -> Option<f64> {
    table.find(&model(name)).map(|entry| entry.price.input)
}

#[test]
fn the_snapshot_is_whole_and_covers_the_default_models() {
    let (table, issues) = parse(include_bytes!("../../data/prices.json"), "");
    assert_eq!(issues, []);
    assert!(table.len() >= 40, "{}", table.len());
    assert_eq!(table.as_of.len(), 10);
    for provider in Provider::ALL {
        if let Some(name) = provider.sheet().default_model {
            let found = table.find(&ModelId { provider, name: name.to_owned() });
            assert!(found.is_some_and(|entry| entry.context_window.is_some()), "{provider}:{name}");
        }
    }
    for ((provider, name), entry) in &table.entries {
        let cached = entry.price.cached_input.unwrap_or(entry.price.input);
        assert!(cached <= entry.price.input, "{provider}:{name}");
        // What embeds writes nothing.
        let embeds = name.contains("embed");
        assert_eq!(embeds, entry.price.output == 0.0 && *provider != Provider::Local);
        assert!(embeds || entry.price.input <= entry.price.output, "{provider}:{name}");
        let model = ModelId { provider: *provider, name: name.clone() };
        assert!(crate::catalogue::context_window(&model, Some(entry)).is_some(), "{model}");
    }
}

#[test]
fn the_built_in_model_is_free_and_not_unknown() {
    let entry = Table::built_in().find(&crate::catalogue::local_extractive()).unwrap();
    assert_eq!(entry.context_window, Some(1_000_000));
    assert_eq!((entry.price.input, entry.price.output), (0.0, 0.0));
}

#[test]
fn dates_at_the_end_of_a_name_do_not_hide_a_price() {
    let table = Table::built_in();
    assert_eq!(input_price(table, "openai:gpt-4o-mini-2024-07-18"), Some(0.15));
    assert_eq!(input_price(table, "openai:gpt-4o-2024-11-20"), Some(2.5));
    assert_eq!(input_price(table, "anthropic:claude-haiku-4-5-20251001"), Some(1.0));
    assert_eq!(input_price(table, "mistral:mistral-small-2503"), Some(0.1));
    assert_eq!(input_price(table, "mistral:mistral-small-latest"), Some(0.1));
    assert_eq!(input_price(table, "gemini:models/gemini-2.5-flash"), Some(0.3));
    assert_eq!(input_price(table, "openai:gpt-4o-audio-preview"), None);
    assert_eq!(input_price(table, "openai:gpt"), None);
    assert_eq!(input_price(table, "openrouter:openai/gpt-4o:free"), None);
    assert_eq!(input_price(table, "ollama:llama3:8b"), None);
}

#[test]
fn a_release_that_costs_something_else_has_a_price_of_its_own() {
    let table = Table::built_in();
    for (name, price) in [
        ("openai:gpt-4", 30.0),
        ("openai:gpt-4-0613", 30.0),
        ("openai:gpt-4o-2024-05-13", 5.0),
        ("mistral:mistral-medium-2508", 0.4),
        ("mistral:mistral-medium-latest", 1.5),
        ("anthropic:claude-opus-4-20250514", 15.0),
        ("anthropic:claude-opus-4-6", 5.0),
    ] {
        assert_eq!(input_price(table, name), Some(price), "{name}");
    }
}

#[test]
fn an_undated_name_finds_the_newest_dated_entry() {
    let table = br#"{"as_of":"2025-01-02","models":[
        {"model":"anthropic:claude-x-20240101","input":1,"output":2},
        {"model":"anthropic:claude-x-20250101","input":3,"output":4},
        {"model":"anthropic:claude-x-mini-20260101","input":9,"output":9}]}"#;
    let (table, issues) = parse(table, "");
    assert_eq!(issues, []);
    assert_eq!(input_price(&table, "anthropic:claude-x"), Some(3.0));
    assert_eq!(input_price(&table, "anthropic:claude-x-latest"), Some(3.0));
    assert_eq!(input_price(&table, "anthropic:claude-x-20230101"), None);
}

#[test]
fn the_litellm_shape_is_read_and_junk_is_reported() {
    let file = br#"{
        "sample_spec": {"litellm_provider": "one of https://docs", "mode": "one of: chat, ..."},
        "gpt-9": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 1.5e-07,
                  "output_cost_per_token": "6e-07", "cache_read_input_token_cost": 7.5e-08,
                  "max_input_tokens": "128000", "max_tokens": 16384},
        "groq/fast": {"litellm_provider": "groq", "input_cost_per_token": 0, "output_cost_per_token": 0,
                      "output_cost_per_reasoning_token": 3e-6, "max_tokens": 8192},
        "together_ai/a/B": {"litellm_provider": "together_ai", "input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6},
        "dall-e": {"litellm_provider": "openai", "mode": "image_generation"},
        "embed-x": {"litellm_provider": "openai", "mode": "embedding", "input_cost_per_token": 2e-08,
                    "output_cost_per_token": 0.0},
        "bedrock/x": {"litellm_provider": "bedrock"},
        "gpt-broken": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": -1, "output_cost_per_token": 1},
        "gpt-dear": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 1, "output_cost_per_token": 1},
        "list": []
    }"#;
    let (table, issues) = parse(file, "2026-02-03");
    assert_eq!((table.len(), table.as_of.as_str()), (4, "2026-02-03"));
    assert_eq!(input_price(&table, "openai:embed-x"), Some(0.02));
    let gpt = table.find(&model("openai:gpt-9")).unwrap();
    let price = Price { input: 0.15, output: 0.6, cached_input: Some(0.075), reasoning: None };
    assert_eq!(*gpt, Entry { context_window: Some(128_000), price });
    assert_eq!(table.find(&model("groq:fast")).unwrap().price.reasoning, Some(3.0));
    assert_eq!(input_price(&table, "together:a/B"), Some(1.0));
    let issues: Vec<String> = issues.iter().map(ToString::to_string).collect();
    assert_eq!(
        issues,
        [
            "no usable price for openai:gpt-broken: no input price",
            "no usable price for openai:gpt-dear: a price above 10,000 dollars per million tokens",
        ]
    );
}

#[test]
fn what_is_no_table_is_said_to_be_none() {
    for junk in [&b"<html>"[..], b"[]", b"", b"\xFF"] {
        let (table, issues) = parse(junk, "2026-01-01");
        assert!(table.is_empty() && issues.len() == 1, "{issues:?}");
    }
}

proptest! {
    #[test]
    fn a_table_is_read_back(rows in proptest::collection::btree_map("[a-z0-9./-]{1,12}", (0.0f64..99.0, 0.0f64..99.0, proptest::option::of(1u64..9_999_999)), 0..20)) {
        let mut table = Table::empty("2026-01-01".to_owned());
        for (name, (input, output, context_window)) in rows {
            let round = |figure: f64| (figure * 1e6).round() / 1e6;
            let price = Price { input: round(input), output: round(output), cached_input: None, reasoning: None };
            table.insert(ModelId { provider: Provider::OpenAi, name }, Entry { context_window, price });
        }
        let (read, issues) = parse(&table.to_json(), "");
        prop_assert_eq!(issues, []);
        prop_assert_eq!(read, table);
    }

    #[test]
    fn no_bytes_break_the_reader(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let (table, issues) = parse(&bytes, "");
        prop_assert!(table.is_empty() && !issues.is_empty());
    }

    #[test]
    fn whatever_a_row_says_its_price_can_be_used(
        rows in proptest::collection::vec(("[a-z/ ]{0,6}", provider(), figure(), figure(), figure()), 1..9),
    ) {
        let rows: serde_json::Map<String, Value> = rows
            .into_iter()
            .map(|(name, provider, input, output, context)| {
                let row = serde_json::json!({
                    "litellm_provider": provider, "input_cost_per_token": input,
                    "output_cost_per_token": output, "max_tokens": context,
                });
                (name, row)
            })
            .collect();
        let (table, issues) = parse(&serde_json::to_vec(&rows).unwrap(), "");
        prop_assert!(table.len() + issues.len() <= rows.len() + 1);
        for ((_, name), entry) in &table.entries {
            prop_assert!(!name.is_empty());
            for figure in [entry.price.input, entry.price.output] {
                prop_assert!((0.0..=10_000.0).contains(&figure), "{figure}");
            }
            prop_assert!(entry.context_window != Some(0));
        }
    }
}

fn provider() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["openai", "together_ai", "custom", "", "bedrock"])
}

/// A number of any size and sign, or a text that may be one.
fn figure() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<f64>().prop_map(Value::from),
        (0.0f64..1e-2).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "-?[0-9]{0,4}([.][0-9]{0,3})?(e-?[0-9]{1,3})?".prop_map(Value::from),
        Just(Value::Null),
    ]
}

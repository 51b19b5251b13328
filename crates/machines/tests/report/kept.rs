//! The schema of the companion, as it is published.

#![cfg(feature = "schema")]

use crate::scripted;
use quarry_machines::run::report;

#[test]
fn the_schema_that_is_checked_in_is_that_of_the_types() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/run_report.json");
    let shown = format!("{}\n", serde_json::to_string_pretty(&report::schema()).unwrap());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &shown).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(shown == kept, "run again with BLESS=1");
}

#[test]
fn the_schema_lets_through_what_is_written_and_nothing_less() {
    let facts = scripted::run();
    let companion = report::report(&facts.lend()).companion;
    let schema = jsonschema::validator_for(&report::schema()).unwrap();
    let mut value = serde_json::to_value(&companion).unwrap();
    let errors: Vec<String> = schema.iter_errors(&value).map(|it| it.to_string()).collect();
    assert_eq!(errors, [] as [String; 0]);
    let read: report::Companion = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(read, companion);
    value.as_object_mut().unwrap().remove("confidence");
    assert!(!schema.is_valid(&value));
}

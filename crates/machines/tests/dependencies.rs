//! The decisions stay pure: nothing below this crate does I/O, awaits, or draws random numbers. And what asks a Quarry
//! that runs elsewhere is built without a host.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests, where a panic is the report"
)]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// What no pure crate may depend on, however deep.
const FORBIDDEN: [&str; 16] = [
    "spin-sdk",
    "wit-bindgen",
    "wit-bindgen-rt",
    "wasip2",
    "wasip3",
    "wasi",
    "tokio",
    "futures",
    "async-std",
    "hyper",
    "reqwest",
    "getrandom",
    "rand",
    "rand_core",
    "mio",
    "ureq",
];

/// The crates that this one is built from, for the machine that runs our components.
fn dependencies(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(["--filter-platform", "wasm32-wasip2", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let names: BTreeMap<&str, &str> =
        packages.map(|p| (p["id"].as_str().unwrap(), p["name"].as_str().unwrap())).collect();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap().iter();
    let nodes: BTreeMap<&str, &Value> = nodes.map(|n| (n["id"].as_str().unwrap(), n)).collect();
    let start = names.iter().find(|(_, name)| **name == package).unwrap().0;
    let mut open = vec![*start];
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        for dependency in nodes[id]["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            let id = dependency["pkg"].as_str().unwrap();
            if kinds.iter().any(|kind| kind["kind"].is_null()) && seen.insert(id) {
                open.push(id);
            }
        }
    }
    seen.into_iter().map(|id| names[id].to_owned()).collect()
}

#[test]
fn nothing_below_what_decides_has_effects() {
    for package in
        ["quarry-machines", "quarry-journal", "quarry-access", "quarry-search", "quarry-providers"]
    {
        let dependencies = dependencies(package);
        assert!(dependencies.contains("serde"), "the graph was read: {dependencies:?}");
        for name in FORBIDDEN {
            assert!(!dependencies.contains(name), "{name} is in the graph of {package}");
        }
    }
}

/// The standard library has clocks, files and randomness of its own; they are not used.
#[test]
fn the_sources_reach_for_no_clock_environment_or_file() {
    let mut open = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    let mut files = 0;
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            files += 1;
            let source = std::fs::read_to_string(&path).unwrap();
            for effect in [
                "std::env",
                "std::fs",
                "std::net",
                "std::process",
                "std::thread",
                "SystemTime",
                "Instant",
                "RandomState",
                "HashMap",
                "HashSet",
                "static mut",
                "async ",
                "println!",
                "eprintln!",
            ] {
                assert!(!source.contains(effect), "{} uses {effect}", path.display());
            }
        }
    }
    assert!(files > 15);
}

#[test]
fn nobody_who_asks_elsewhere_waits_for_a_host_to_be_compiled() {
    for package in ["quarry-client", "quarry-ingest"] {
        let dependencies = dependencies(package);
        assert!(dependencies.contains("hyper"), "the graph was read: {dependencies:?}");
        assert!(!dependencies.contains("quarry-host"), "{package} needs the host");
    }
}

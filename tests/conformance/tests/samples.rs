//! A handful of samples of our own through the whole runner: the plain engine, and the sandbox
//! where it is built.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail by panicking"
)]

use std::collections::BTreeMap;
use std::path::Path;

use quarry_conformance::needs::Need;
use quarry_conformance::pool::Setup;
use quarry_conformance::run::{self, Options, Record};
use quarry_conformance::suite::Suite;
use quarry_conformance::verdict::Verdict;
use quarry_conformance::worker::Engine;

async fn run(engine: Engine) -> BTreeMap<String, Record> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = Suite::read(&here.join("samples"), "").unwrap();
    let setup = Setup {
        program: env!("CARGO_BIN_EXE_quarry-conformance").into(),
        manifest: root().join("spin.toml"),
    };
    let known = BTreeMap::new();
    let options = Options { engines: vec![engine], jobs: 2, setup, known, results: None };
    let records = run::run(suite, options).await.unwrap();
    records.into_iter().map(|record| (record.path.clone(), record)).collect()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn check(records: &BTreeMap<String, Record>, engine: Engine) {
    let verdict = |path: &str| &records[path].verdicts[&engine].verdict;
    for path in [
        "test/language/passes.js",
        "test/language/sloppy-only.js",
        "test/language/raw.js",
        "test/language/negative-parse.js",
        "test/language/negative-runtime.js",
        "test/built-ins/async.js",
        "test/built-ins/unhandled.js",
    ] {
        assert_eq!(*verdict(path), Verdict::Pass, "{path}");
    }
    for (path, what) in [
        ("test/language/fails-in-strict-mode.js", "undeclared"),
        ("test/language/negative-but-fine.js", "no TypeError was thrown"),
        ("test/built-ins/async-fails.js", "late"),
    ] {
        let verdict = verdict(path);
        assert!(
            matches!(verdict, Verdict::Wrong(words) if words.contains(what)),
            "{path}: {verdict:?}"
        );
    }
    let endless = verdict("test/built-ins/endless.js");
    assert!(matches!(endless, Verdict::Limit(_)), "{endless:?}");
    let module = &records["test/language/module.js"];
    assert_eq!((module.need, module.verdicts.len()), (Some(Need::Modules), 0));
    assert_eq!(records.len(), 12);
}

#[tokio::test(flavor = "multi_thread")]
async fn samples_come_out_as_they_should_on_the_plain_engine() {
    check(&run(Engine::Plain).await, Engine::Plain);
}

#[tokio::test(flavor = "multi_thread")]
async fn samples_come_out_as_they_should_in_the_sandbox() {
    if !root().join("target/quarry/sandbox.wasm").exists() {
        eprintln!("skipped: the sandbox is not built; `cargo xtask build sandbox`");
        return;
    }
    check(&run(Engine::Component).await, Engine::Component);
}

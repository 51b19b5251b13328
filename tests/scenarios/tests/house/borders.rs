//! What each built component may reach: exactly what is written here. A line that is added is a
//! decision to be seen in review.

use quarry_host::inspect;
use quarry_scenarios::quarry::{profile, root};

/// What every Rust program for this target asks for and what reaches nothing: terminals, clocks,
/// streams, seeds.
const INERT: [&str; 4] = ["wasi:cli/", "wasi:clocks/", "wasi:io/", "wasi:random/"];

/// Imports and exports of a file below `target/quarry`.
fn border(file: &str) -> (Vec<String>, Vec<String>) {
    let path = root().join("target/quarry").join(file).with_extension("wasm");
    assert!(path.is_file(), "{file} is not built; run `cargo xtask build` first");
    let border = inspect(&path, &root().join("target/host-cache")).unwrap();
    let mut imports = border.imports;
    // Only what ships has shed what it never calls.
    let component = if file.starts_with("parts/") { "quarry" } else { file };
    if profile(component) == "quick" {
        imports.retain(|name| !name.starts_with("wasi:filesystem/"));
    }
    (imports, border.exports)
}

fn check(file: &str, imports: &[&str], exports: &[&str]) {
    let (mut found_imports, found_exports) = border(file);
    found_imports.retain(|name| !INERT.iter().any(|inert| name.starts_with(inert)));
    assert_eq!(found_imports, imports, "imports of {file}");
    assert_eq!(found_exports, exports, "exports of {file}");
}

const ASK: &str = "quarry:agent/ask@0.1.0";
const CONSULT: &str = "quarry:agent/consult@0.1.0";
const RUN: &str = "quarry:agent/run@0.1.0";
const TOOLS: &str = "quarry:agent/tools@0.1.0";
const DATABASE: &str = "quarry:agent/database@0.1.0";
const HANDOVER: &str = "quarry:agent/handover@0.1.0";
const AGENT_TYPES: &str = "quarry:agent/types@0.1.0";
const CATALOG: &str = "quarry:models/catalog@0.1.0";
const CHAT: &str = "quarry:models/chat@0.1.0";
const EMBEDDINGS: &str = "quarry:models/embeddings@0.1.0";
const JAVASCRIPT: &str = "quarry:sandbox/javascript@0.1.0";
const NETWORK: &str = "quarry:web/network@0.1.0";
const PAGES: &str = "quarry:web/pages@0.1.0";
const SEARCH: &str = "quarry:web/search@0.1.0";
const COLLECTIONS: &str = "quarry:knowledge/collections@0.1.0";
const DOCUMENTS: &str = "quarry:knowledge/documents@0.1.0";
const FINDING: &str = "quarry:knowledge/search@0.1.0";
const KNOWLEDGE_TYPES: &str = "quarry:knowledge/types@0.1.0";
/// Only to list keys: the newer one's list holds up whoever else wants the store.
const KEYS: &str = "fermyon:spin/key-value@2.0.0";
const KEY_VALUE: &str = "spin:key-value/key-value@3.0.0";
const SQLITE: &str = "spin:sqlite/sqlite@3.1.0";
const VARIABLES: &str = "spin:variables/variables@3.0.0";
const CLIENT: &str = "wasi:http/client@0.3.0";
const HANDLER: &str = "wasi:http/handler@0.3.0";
const HTTP_TYPES: &str = "wasi:http/types@0.3.0";

#[test]
fn the_parts_of_quarry_reach_what_their_work_needs() {
    let gateway = [
        ASK,
        CONSULT,
        DATABASE,
        RUN,
        TOOLS,
        AGENT_TYPES,
        COLLECTIONS,
        DOCUMENTS,
        FINDING,
        KNOWLEDGE_TYPES,
        NETWORK,
        KEY_VALUE,
        VARIABLES,
        CLIENT,
        HTTP_TYPES,
    ];
    check("parts/gateway", &gateway, &[HANDLER]);
    let knowledge = [AGENT_TYPES, COLLECTIONS, DOCUMENTS, FINDING, KNOWLEDGE_TYPES];
    let embeds = [CATALOG, CHAT, EMBEDDINGS];
    let reaches = [embeds.as_slice(), &[PAGES, SQLITE, VARIABLES]].concat();
    check("parts/knowledge", &reaches, &knowledge);
    let orchestrator = [
        KEYS,
        HANDOVER,
        AGENT_TYPES,
        FINDING,
        KNOWLEDGE_TYPES,
        CATALOG,
        CHAT,
        JAVASCRIPT,
        PAGES,
        SEARCH,
        KEY_VALUE,
        SQLITE,
        VARIABLES,
    ];
    check("parts/orchestrator", &orchestrator, &[ASK, CONSULT, DATABASE, RUN, TOOLS, AGENT_TYPES]);
    let speaks = [KEY_VALUE, VARIABLES, CLIENT, HTTP_TYPES];
    check("parts/models", &speaks, &[CATALOG, CHAT, EMBEDDINGS]);
    let courier = [HANDOVER, JAVASCRIPT, NETWORK, PAGES, SEARCH];
    check("parts/courier", &[CLIENT, HTTP_TYPES], &courier);
}

#[test]
fn quarry_has_one_door_and_nothing_of_ours_is_open() {
    check("quarry", &[KEYS, KEY_VALUE, SQLITE, VARIABLES, CLIENT, HTTP_TYPES], &[HANDLER]);
}

#[test]
fn the_web_reaches_the_web_its_settings_and_a_store() {
    check("web", &[KEY_VALUE, VARIABLES, CLIENT, HTTP_TYPES], &[NETWORK, PAGES, SEARCH, HANDLER]);
}

#[test]
fn the_sandbox_reaches_nothing() {
    // The types of a request are no way to send one.
    check("sandbox", &[HTTP_TYPES], &[JAVASCRIPT, HANDLER]);
    let (imports, _) = border("sandbox");
    let imports: Vec<&str> = imports.iter().map(|it| unpatched(it)).collect();
    assert_eq!(imports, SANDBOX, "every import of the sandbox");
}

/// An import without the patch of its version: each compiler brings its own of 0.2.
fn unpatched(import: &str) -> &str {
    import
        .rsplit_once('.')
        .filter(|(less, _)| less.ends_with("@0.2"))
        .map_or(import, |(less, _)| less)
}

/// Clocks, random numbers, the types of a request, and what the standard library asks for when a
/// program starts or panics.
const SANDBOX: [&str; 19] = [
    "wasi:cli/environment@0.2",
    "wasi:cli/exit@0.2",
    "wasi:cli/stderr@0.2",
    "wasi:cli/stdin@0.2",
    "wasi:cli/stdout@0.2",
    "wasi:cli/terminal-input@0.2",
    "wasi:cli/terminal-output@0.2",
    "wasi:cli/terminal-stderr@0.2",
    "wasi:cli/terminal-stdin@0.2",
    "wasi:cli/terminal-stdout@0.2",
    "wasi:clocks/monotonic-clock@0.2",
    "wasi:clocks/monotonic-clock@0.3.0",
    "wasi:clocks/wall-clock@0.2",
    HTTP_TYPES,
    "wasi:io/error@0.2",
    "wasi:io/poll@0.2",
    "wasi:io/streams@0.2",
    "wasi:random/insecure-seed@0.2",
    "wasi:random/random@0.2",
];

#[test]
fn the_console_reaches_nothing() {
    check("console", &[HTTP_TYPES], &[HANDLER]);
}

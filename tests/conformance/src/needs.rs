//! What a test needs that neither engine is given here, and what the engine's own project leaves
//! out: such tests are counted and not run.

use serde::{Deserialize, Serialize};

use crate::metadata::Flag;
use crate::suite::Test;

/// Something that a test cannot do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Need {
    /// `Intl`; the engine is built without.
    Intl,
    /// `Temporal`; the engine is built without.
    Temporal,
    /// It is a module or imports one; the sandbox runs scripts and loads nothing.
    Modules,
    /// `$262.createRealm`: a second global object.
    Realm,
    /// `$262.evalScript`: a second script in the same realm.
    Script,
    /// `$262.agent`: threads.
    Agents,
    /// A main thread that may block.
    Blocking,
    /// `$262.gc`: collection on demand.
    Collector,
    /// `$262.IsHTMLDDA`: the browsers' `document.all`.
    DocumentAll,
    /// `$262.AbstractModuleSource`.
    ModuleSource,
}

impl Need {
    /// In words, for reports.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Intl => "needs Intl (not built in)",
            Self::Temporal => "needs Temporal (not built in)",
            Self::Modules => "needs modules",
            Self::Realm => "needs $262.createRealm",
            Self::Script => "needs $262.evalScript",
            Self::Agents => "needs $262.agent",
            Self::Blocking => "needs a thread that may block",
            Self::Collector => "needs $262.gc",
            Self::DocumentAll => "needs $262.IsHTMLDDA",
            Self::ModuleSource => "needs $262.AbstractModuleSource",
        }
    }

    /// The first thing that a test needs.
    #[must_use]
    pub fn of(test: &Test) -> Option<Need> {
        let metadata = &test.metadata;
        let path = test.path.as_str();
        let feature = |start: &str| metadata.features.iter().any(|name| name.starts_with(start));
        let mentions = |text: &str| test.source.contains(text);
        if feature("Temporal") || path.contains("/Temporal/") {
            return Some(Need::Temporal);
        }
        if path.contains("/intl402/") || feature("Intl") {
            return Some(Need::Intl);
        }
        if metadata.has(Flag::Module) || mentions("_FIXTURE") {
            return Some(Need::Modules);
        }
        if metadata.has(Flag::CanBlock) {
            return Some(Need::Blocking);
        }
        let host = [
            ("$262.createRealm", Need::Realm),
            ("$262.evalScript", Need::Script),
            ("$262.agent", Need::Agents),
            ("$262.gc", Need::Collector),
            ("$262.IsHTMLDDA", Need::DocumentAll),
            ("$262.AbstractModuleSource", Need::ModuleSource),
        ];
        host.into_iter().find(|(name, _)| mentions(name)).map(|(_, need)| need)
    }
}

/// Features whose tests the engine's project ignores: proposals it has not taken up, and what it
/// lists as not implemented. From the public configuration of its test runner of 2025, less what
/// 0.22 has by its release notes or by the tests themselves.
const IGNORED_FEATURES: &[&str] = &[
    "IsHTMLDDA",
    "Intl-enumeration",
    "Intl.DisplayNames",
    "Intl.DurationFormat",
    "Intl.Locale-info",
    "Intl.RelativeTimeFormat",
    "ShadowRealm",
    "caller",
    "decorators",
    "explicit-resource-management",
    "import-attributes",
    "import-defer",
    "json-modules",
    "legacy-regexp",
    "source-phase-imports",
    "source-phase-imports-module-source",
    "symbols-as-weakmap-keys",
    "uint8array-base64",
];

/// Tests that it ignores by name: they crash it or fill the memory.
const IGNORED_TESTS: &[&str] = &[
    "test/staging/sm/String/replace-math.js",
    "test/staging/sm/class/fields-static-class-name-binding-eval.js",
    "test/staging/sm/expressions/optional-chain-first-expression.js",
    "test/staging/sm/regress/regress-554955-1.js",
    "test/staging/sm/regress/regress-554955-2.js",
    "test/staging/sm/regress/regress-554955-3.js",
];

/// Whether the engine's project leaves a test out of what it runs.
#[must_use]
pub fn is_ignored(test: &Test) -> bool {
    let features = &test.metadata.features;
    features.iter().any(|name| IGNORED_FEATURES.contains(&name.as_str()))
        || IGNORED_TESTS.contains(&test.path.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Metadata;

    fn test(path: &str, front: &str, body: &str) -> Test {
        let source = format!("/*---\n{front}\n---*/\n{body}");
        let metadata = Metadata::parse(&source).unwrap();
        Test { path: path.to_owned(), source, metadata }
    }

    #[test]
    fn needs_are_seen_in_path_front_matter_and_text() {
        let need = |path: &str, front: &str, body: &str| Need::of(&test(path, front, body));
        assert_eq!(need("test/intl402/a.js", "", ""), Some(Need::Intl));
        assert_eq!(need("test/a.js", "features: [Temporal]", ""), Some(Need::Temporal));
        assert_eq!(need("test/a.js", "flags: [module]", ""), Some(Need::Modules));
        assert_eq!(need("test/a.js", "", "$262.createRealm()"), Some(Need::Realm));
        assert_eq!(need("test/a.js", "", "$262.detachArrayBuffer(b)"), None);
    }

    #[test]
    fn ignored_are_features_and_single_tests() {
        assert!(is_ignored(&test("test/a.js", "features: [x, decorators]", "")));
        assert!(is_ignored(&test("test/staging/sm/regress/regress-554955-1.js", "", "")));
        assert!(!is_ignored(&test("test/a.js", "features: [Symbol]", "")));
    }
}

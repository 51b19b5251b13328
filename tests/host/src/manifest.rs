//! `spin.toml` (manifest version 2) as typed values. Pure. What this host does not implement
//! is refused with the name of its key, never ignored.

use std::collections::BTreeMap;

use serde::Deserialize;

/// Why a manifest is refused.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// Not TOML, or with a key or value that this host does not know.
    #[error("the manifest holds something this host does not know: {0}")]
    Syntax(#[from] toml::de::Error),
    /// Another manifest version.
    #[error("spin_manifest_version is {0}; this host reads version 2")]
    Version(i64),
    /// A trigger that names no component of the manifest.
    #[error("a [[trigger.http]] names component {0:?}, which the manifest does not define")]
    UnknownComponent(String),
    /// `private = false` says nothing.
    #[error("the route of component {0:?} must be a path or {{ private = true }}")]
    NotPrivate(String),
    /// A store that this host does not have.
    #[error("component {0:?} asks for the key-value store {1:?}; this host has only \"default\"")]
    UnknownStore(String, String),
    /// A database that this host does not have.
    #[error("component {0:?} asks for the SQLite database {1:?}; this host has only \"default\"")]
    UnknownDatabase(String, String),
}

/// A checked manifest.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    spin_manifest_version: i64,
    /// Name and version of the application.
    pub application: Application,
    /// Declared variables by name.
    #[serde(default)]
    pub variables: BTreeMap<String, VariableDeclaration>,
    /// What starts components.
    #[serde(default)]
    pub trigger: Triggers,
    /// Components by id.
    #[serde(default)]
    pub component: BTreeMap<String, Component>,
}

/// `[application]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Application {
    /// The application's name.
    pub name: String,
    /// The application's version.
    #[serde(default)]
    pub version: String,
    /// What the application is.
    #[serde(default)]
    pub description: String,
    /// Who wrote it.
    #[serde(default)]
    pub authors: Vec<String>,
}

/// One entry of `[variables]`.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariableDeclaration {
    /// The value when none is supplied.
    pub default: Option<String>,
    /// Whether a value must be supplied.
    #[serde(default)]
    pub required: bool,
    /// Whether the value is sensitive.
    #[serde(default)]
    pub secret: bool,
    /// What the variable is for.
    pub description: Option<String>,
}

/// The triggers; HTTP is the only kind this host knows.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Triggers {
    /// `[[trigger.http]]`.
    #[serde(default)]
    pub http: Vec<HttpTrigger>,
}

/// One `[[trigger.http]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpTrigger {
    /// The trigger's own name.
    #[serde(default)]
    pub id: String,
    /// The component that answers.
    pub component: String,
    /// Where it answers.
    pub route: Route,
}

/// A public path pattern or a private endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "a route is a path or { private = true }")]
pub enum Route {
    /// Reached from outside at this pattern.
    Public(String),
    /// Reached only from other components.
    Private(PrivateRoute),
}

/// `{ private = true }`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivateRoute {
    private: bool,
}

/// One `[component.<id>]`.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Path of the component, relative to the manifest.
    pub source: String,
    /// What the component is.
    #[serde(default)]
    pub description: String,
    /// Its variables: name to template.
    #[serde(default)]
    pub variables: BTreeMap<String, String>,
    /// Its environment, visible to `std::env`.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Where it may send requests; templates.
    #[serde(default)]
    pub allowed_outbound_hosts: Vec<String>,
    /// Stores that it may open.
    #[serde(default)]
    pub key_value_stores: Vec<String>,
    /// Databases that it may open.
    #[serde(default)]
    pub sqlite_databases: Vec<String>,
    /// How to build it: not this host's business.
    #[serde(default)]
    pub build: Option<toml::Table>,
}

impl Manifest {
    /// Parses and checks a manifest.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let manifest: Self = toml::from_str(text)?;
        if manifest.spin_manifest_version != 2 {
            return Err(ManifestError::Version(manifest.spin_manifest_version));
        }
        for trigger in &manifest.trigger.http {
            let id = &trigger.component;
            if !manifest.component.contains_key(id) {
                return Err(ManifestError::UnknownComponent(id.clone()));
            }
            if trigger.route == Route::Private(PrivateRoute { private: false }) {
                return Err(ManifestError::NotPrivate(id.clone()));
            }
        }
        for (id, component) in &manifest.component {
            if let Some(store) = component.key_value_stores.iter().find(|s| *s != "default") {
                return Err(ManifestError::UnknownStore(id.clone(), store.clone()));
            }
            if let Some(name) = component.sqlite_databases.iter().find(|name| *name != "default") {
                return Err(ManifestError::UnknownDatabase(id.clone(), name.clone()));
            }
        }
        Ok(manifest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "spin_manifest_version = 2\n[application]\nname = \"quarry\"\n";

    fn parse(rest: &str) -> Result<Manifest, String> {
        Manifest::parse(&format!("{HEAD}{rest}")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_full_manifest_is_read() {
        let manifest = parse(
            r#"
            [variables]
            key = { default = "", secret = true }
            must = { required = true, description = "said outside" }
            [[trigger.http]]
            route = "/..."
            component = "quarry"
            [[trigger.http]]
            id = "web"
            route = { private = true }
            component = "web"
            [component.quarry]
            source = "target/quarry.wasm"
            allowed_outbound_hosts = ["http://*.spin.internal", "{{ key }}"]
            key_value_stores = ["default"]
            sqlite_databases = ["default"]
            [component.quarry.variables]
            key = "{{ key }}"
            [component.quarry.build]
            command = "cargo xtask build"
            [component.web]
            source = "target/web.wasm"
            "#,
        )
        .unwrap();
        assert_eq!(manifest.application.name, "quarry");
        assert!(manifest.variables["key"].secret && manifest.variables["must"].required);
        assert_eq!(manifest.trigger.http[0].route, Route::Public("/...".to_owned()));
        assert_eq!(manifest.trigger.http[1].route, Route::Private(PrivateRoute { private: true }));
        assert_eq!(manifest.component["quarry"].key_value_stores, ["default"]);
        assert_eq!(manifest.component["quarry"].sqlite_databases, ["default"]);
    }

    #[test]
    fn unknown_keys_are_refused_by_name() {
        for (rest, key) in [
            ("[component.a]\nsource = \"a\"\nfiles = []", "files"),
            ("[component.a]\nsource = \"a\"\nallowed_outbound_host = []", "allowed_outbound_host"),
            ("[[trigger.redis]]\nchannel = \"c\"", "redis"),
            ("[variables]\na = { defualt = \"\" }", "defualt"),
            ("[tools]\n", "tools"),
        ] {
            let error = parse(rest).unwrap_err();
            assert!(error.contains(key), "{error}");
        }
    }

    #[test]
    fn contradictions_are_refused() {
        let component = "[component.a]\nsource = \"a.wasm\"\n";
        let trigger = "[[trigger.http]]\nroute = \"/\"\ncomponent = \"a\"\n";
        assert!(parse(trigger).unwrap_err().contains("\"a\""));
        let open = "[[trigger.http]]\nroute = { private = false }\ncomponent = \"a\"\n";
        assert!(parse(&format!("{open}{component}")).unwrap_err().contains("private = true"));
        let store = format!("{component}key_value_stores = [\"other\"]\n");
        assert!(parse(&store).unwrap_err().contains("other"));
        let database = format!("{component}sqlite_databases = [\"main\"]\n");
        assert!(parse(&database).unwrap_err().contains("main"));
        assert!(Manifest::parse("spin_manifest_version = 1\n[application]\nname = \"x\"").is_err());
    }
}

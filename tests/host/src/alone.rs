//! A manifest for one component by itself: how a component that others reach over a private route is
//! tried from outside. The result is an ordinary manifest, for Spin as for this host.

use std::path::Path;

use anyhow::{Context as _, Result};
use toml::{Table, Value};

/// The manifest `text`, whose files are relative to `directory`, with one component, which
/// everyone may call.
pub fn alone(text: &str, directory: &Path, component: &str) -> Result<String> {
    let mut manifest: Table = text.parse().context("the manifest is not TOML")?;
    let trigger: Table =
        format!("[[http]]\nroute = \"/...\"\ncomponent = \"{component}\"\n").parse()?;
    manifest.insert("trigger".to_owned(), Value::Table(trigger));
    let components = manifest.get_mut("component").and_then(Value::as_table_mut);
    let components = components.context("the manifest has no components")?;
    components.retain(|other, _| other == component);
    let component = components
        .get_mut(component)
        .and_then(Value::as_table_mut)
        .with_context(|| format!("the manifest has no component {component}"))?;
    let source = component.get("source").and_then(Value::as_str).unwrap_or_default();
    let source = directory.join(source).display().to_string();
    component.insert("source".to_owned(), Value::String(source));
    Ok(manifest.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"
        spin_manifest_version = 2
        [application]
        name = "x"
        [[trigger.http]]
        route = { private = true }
        component = "inner"
        [[trigger.http]]
        route = "/..."
        component = "outer"
        [component.inner]
        source = "target/inner.wasm"
        [component.outer]
        source = "target/outer.wasm"
    "#;

    #[test]
    fn only_the_component_is_left_and_it_is_public() {
        let text = alone(MANIFEST, Path::new("/a/b"), "inner").unwrap();
        let manifest = crate::manifest::Manifest::parse(&text).unwrap();
        assert_eq!(manifest.component.keys().collect::<Vec<_>>(), ["inner"]);
        assert_eq!(manifest.trigger.http.len(), 1);
        assert!(text.contains("source = \"/a/b/target/inner.wasm\""));
    }

    #[test]
    fn an_unknown_component_is_named() {
        let error = alone(MANIFEST, Path::new("/a/b"), "other").unwrap_err();
        assert!(error.to_string().contains("other"));
    }
}

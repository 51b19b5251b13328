//! Permissions and variables in `spin.toml`. Spin takes a misspelt permission as none at all, so
//! the spelling is checked here.

use crate::Findings;
use anyhow::{Context, Result};
use quarry_client::variables;
use std::collections::BTreeSet;
use xtask::paths;

/// What a component may be given; what is not listed here, we do not use.
const COMPONENT_KEYS: [&str; 9] = [
    "source",
    "description",
    "allowed_outbound_hosts",
    "key_value_stores",
    "sqlite_databases",
    "variables",
    "environment",
    "files",
    "build",
];

pub fn check(findings: &mut Findings) -> Result<()> {
    let text = std::fs::read_to_string(paths::root().join("spin.toml"))?;
    let manifest: toml::Table = text.parse().context("spin.toml")?;
    findings.errors.extend(misspelt(&manifest));
    findings.errors.extend(variable_problems(&manifest, &text));
    findings.errors.extend(undocumented(&text));
    Ok(())
}

fn table<'a>(
    manifest: &'a toml::Table,
    name: &str,
) -> impl Iterator<Item = (&'a String, &'a toml::Value)> {
    manifest.get(name).and_then(toml::Value::as_table).into_iter().flatten()
}

fn misspelt(manifest: &toml::Table) -> Vec<String> {
    let mut wrong = Vec::new();
    for (component, settings) in table(manifest, "component") {
        for (key, _) in settings.as_table().into_iter().flatten() {
            if !COMPONENT_KEYS.contains(&key.as_str()) {
                wrong.push(format!(
                    "spin.toml: [component.{component}] has the unknown key `{key}`"
                ));
            }
        }
    }
    wrong
}

/// Every variable is used, everything used is declared, and so is everything that the tasks set.
fn variable_problems(manifest: &toml::Table, text: &str) -> Vec<String> {
    let declared: BTreeSet<&str> =
        table(manifest, "variables").map(|(name, _)| name.as_str()).collect();
    let used: BTreeSet<&str> = text
        .split("{{")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once("}}")?.0.trim()))
        .filter(|name| {
            name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        })
        .collect();
    let known = variables::well_known();
    let known: BTreeSet<&str> = known.iter().map(String::as_str).collect();
    let mut wrong = Vec::new();
    for name in declared.difference(&used) {
        wrong.push(format!("spin.toml: no component is given the variable {name}"));
    }
    for name in used.difference(&declared) {
        wrong.push(format!("spin.toml: the variable {name} is not declared"));
    }
    for name in known.difference(&declared) {
        wrong
            .push(format!("spin.toml: {name} can be set from the environment and is not declared"));
    }
    wrong
}

/// Every variable stands under a comment, alone or in a group.
fn undocumented(text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut inside = false;
    let mut documented = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == "[variables]";
        }
        if !inside || line.starts_with('[') {
            continue;
        }
        if line.is_empty() {
            documented = false;
        } else if line.starts_with('#') {
            documented = true;
        } else if !documented {
            let name = line.split('=').next().unwrap_or(line).trim();
            wrong.push(format!("spin.toml: no comment says what {name} is for"));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "\
[variables]
# For something.
one = { default = \"\" }
two = { default = \"\" }

three = { default = \"\" }

[component.a]
source = \"a.wasm\"
allowed_outbound_host = []
[component.a.variables]
one = \"{{ one }}\"
four = \"{{ four }}\"
";

    #[test]
    fn misspelt_permissions_are_found() {
        let manifest = MANIFEST.parse().unwrap();
        assert_eq!(
            misspelt(&manifest),
            ["spin.toml: [component.a] has the unknown key `allowed_outbound_host`"]
        );
    }

    #[test]
    fn variables_without_comment_use_or_declaration_are_found() {
        assert_eq!(undocumented(MANIFEST), ["spin.toml: no comment says what three is for"]);
        let wrong = variable_problems(&MANIFEST.parse().unwrap(), MANIFEST);
        assert!(wrong.contains(&"spin.toml: no component is given the variable two".to_owned()));
        assert!(wrong.contains(&"spin.toml: the variable four is not declared".to_owned()));
    }
}

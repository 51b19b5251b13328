//! Licences and duplicate versions, as `deny.toml` allows them.

use crate::{Findings, licence};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::process::Command;
use xtask::paths;

/// What we build for: components, and where they are built and tested.
const PLATFORMS: [&str; 2] = ["wasm32-wasip2", "x86_64-unknown-linux-gnu"];

/// `name@version` with its licence expression.
type Packages = BTreeMap<(String, String), String>;

pub fn check(findings: &mut Findings) -> Result<()> {
    let text = std::fs::read_to_string(paths::root().join("deny.toml"))?;
    let policy: toml::Table = text.parse().context("deny.toml")?;
    let mut packages = Packages::new();
    for platform in PLATFORMS {
        collect(platform, &mut packages)?;
    }
    check_licences(&policy, &packages, findings);
    check_duplicates(&policy, &packages, findings);
    Ok(())
}

/// The packages that a build for this platform uses.
fn collect(platform: &str, packages: &mut Packages) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let output = Command::new(cargo)
        .current_dir(paths::root())
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", platform])
        .output()
        .context("cannot run cargo")?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let nodes = metadata.pointer("/resolve/nodes").and_then(Value::as_array);
    let used: BTreeSet<&str> =
        nodes.into_iter().flatten().filter_map(|node| text(node, "id")).collect();
    for package in metadata.get("packages").and_then(Value::as_array).into_iter().flatten() {
        let ours = package.get("source").is_none_or(Value::is_null);
        let is_used = text(package, "id").is_some_and(|id| used.contains(id));
        if let (false, true, Some(name), Some(version)) =
            (ours, is_used, text(package, "name"), text(package, "version"))
        {
            let licence = text(package, "license").unwrap_or_default().to_owned();
            packages.insert((name.to_owned(), version.to_owned()), licence);
        }
    }
    Ok(())
}

fn check_licences(policy: &toml::Table, packages: &Packages, findings: &mut Findings) {
    let licences = policy.get("licenses").and_then(toml::Value::as_table);
    let list = |table: Option<&toml::Table>| -> Vec<String> {
        let array = table.and_then(|table| table.get("allow")?.as_array());
        array.into_iter().flatten().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
    };
    let allowed = list(licences);
    let exceptions = licences.and_then(|table| table.get("exceptions")?.as_array());
    for ((name, version), licence) in packages {
        let exception = exceptions
            .into_iter()
            .flatten()
            .filter_map(toml::Value::as_table)
            .find(|table| table.get("crate").and_then(toml::Value::as_str) == Some(name));
        let more = list(exception);
        let fits = |id: &str| allowed.iter().chain(&more).any(|allowed| allowed == id);
        if !licence::satisfied(licence, &fits) {
            findings.errors.push(format!("{name} {version} has the licence `{licence}`"));
        }
    }
}

fn check_duplicates(policy: &toml::Table, packages: &Packages, findings: &mut Findings) {
    let skip = policy.get("bans").and_then(|bans| bans.get("skip")?.as_array());
    let skip: BTreeSet<&str> =
        skip.into_iter().flatten().filter_map(|entry| entry.get("crate")?.as_str()).collect();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, version) in packages.keys() {
        // Build metadata is no part of a version.
        versions.entry(name).or_default().push(version.split('+').next().unwrap_or(version));
    }
    let mut unneeded = skip.clone();
    for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
        let is_skipped = |version: &&&str| skip.contains(format!("{name}@{version}").as_str());
        for version in versions.iter().filter(is_skipped) {
            unneeded.remove(format!("{name}@{version}").as_str());
        }
        if versions.iter().filter(|version| !is_skipped(version)).count() > 1 {
            let versions = versions.join(", ");
            findings.errors.push(format!(
                "{name} comes in {versions}; unify them, or say in deny.toml who brings which"
            ));
        }
    }
    for entry in unneeded {
        findings.errors.push(format!("deny.toml skips {entry}, which is no second version"));
    }
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

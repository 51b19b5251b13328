//! The README's table of settings against `spin.toml`: a default that is changed there leaves no old one here.
//!
//! Border: which settings the README has, and what it says they do, is its author's choice.

use crate::Findings;
use anyhow::{Context, Result};
use xtask::paths;

const BEGIN: &str = "<!-- settings -->\n";
const END: &str = "<!-- /settings -->";

/// How the table writes a default without a character.
const EMPTY: &str = "empty";

pub fn check(findings: &mut Findings) -> Result<()> {
    let manifest = std::fs::read_to_string(paths::root().join("spin.toml"))?;
    let manifest: toml::Table = manifest.parse().context("spin.toml")?;
    let readme = std::fs::read_to_string(paths::root().join("README.md"))?;
    findings.errors.extend(differences(&readme, &manifest)?);
    Ok(())
}

/// Variables of the table that are not declared, or have another default.
fn differences(readme: &str, manifest: &toml::Table) -> Result<Vec<String>> {
    let (_, rest) = readme.split_once(BEGIN).context("README.md has no table of settings")?;
    let (table, _) = rest.split_once(END).context("README.md: the table of settings has no end")?;
    let mut found = Vec::new();
    for row in table.lines().skip(2) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, names, default, ..] = cells.as_slice() else { continue };
        let told = if *default == EMPTY { "" } else { default.trim_matches('`') };
        for name in names.split('`').skip(1).step_by(2) {
            match declared(manifest, name) {
                Some(default) if default == told => {}
                Some(default) => found.push(format!(
                    "README.md: the default of {name} is {default:?} in spin.toml, not {told:?}"
                )),
                None => found.push(format!("README.md: spin.toml declares no variable {name}")),
            }
        }
    }
    Ok(found)
}

fn declared<'a>(manifest: &'a toml::Table, name: &str) -> Option<&'a str> {
    manifest.get("variables")?.get(name)?.get("default")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: &str) -> Vec<String> {
        let manifest = "[variables]\none_key = { default = \"\" }\ntwo = { default = \"3\" }\n"
            .parse()
            .unwrap();
        let table = format!("{BEGIN}| variable | default | what |\n|---|---|---|\n{rows}{END}\n");
        differences(&table, &manifest).unwrap()
    }

    #[test]
    fn a_setting_with_another_name_or_default_is_found() {
        assert_eq!(found("| `one_key`, … | empty | a |\n| `two` | `3` | b |\n"), [""; 0]);
        assert_eq!(
            found("| `one_key`, `three` | empty | a |\n| `two` | `4` | b |\n"),
            [
                "README.md: spin.toml declares no variable three",
                "README.md: the default of two is \"3\" in spin.toml, not \"4\"",
            ]
        );
    }
}

//! `spin.toml` and the README against the providers' rows. Prints the very lines that are missing.

use crate::Findings;
use anyhow::{Context, Result};
use quarry_client::variables;
use quarry_types::Provider;
use xtask::paths;

/// The component that speaks to providers.
const COMPONENT: &str = "quarry";

pub fn check(findings: &mut Findings) -> Result<()> {
    let manifest = std::fs::read_to_string(paths::root().join("spin.toml"))?;
    let manifest: toml::Table = manifest.parse().context("spin.toml")?;
    let readme = std::fs::read_to_string(paths::root().join("README.md"))?;
    for provider in variables::remote() {
        findings.errors.extend(lacking(&manifest, provider));
    }
    findings.errors.extend(strangers(&manifest));
    findings.errors.extend(unnamed(&readme));
    Ok(())
}

/// Lines for a provider that the manifest lacks, or has otherwise.
fn lacking(manifest: &toml::Table, provider: Provider) -> Vec<String> {
    let (key, url, model) =
        (provider.key_variable(), provider.base_url_variable(), provider.model_variable());
    let address = provider.sheet().base_url.unwrap_or_default();
    let declared = [
        (&key, "{ default = \"\", secret = true }".to_owned()),
        (&url, format!("{{ default = {address:?} }}")),
        (&model, "{ default = \"\" }".to_owned()),
    ];
    let given = [&key, &url, &model].map(|name| (name, format!("\"{{{{ {name} }}}}\"")));
    let mut lines = Vec::new();
    let sections: [(&[&str], _); 2] =
        [(&["variables"], declared), (&["component", COMPONENT, "variables"], given)];
    for (section, wanted) in sections {
        let held = at(manifest, section).and_then(toml::Value::as_table);
        for (name, value) in wanted {
            let line = format!("{name} = {value}");
            let is_there = held.and_then(|held| held.get(name)).is_some_and(|held| {
                line.parse::<toml::Table>().is_ok_and(|line| line.get(name) == Some(held))
            });
            if !is_there {
                lines.push(format!("spin.toml: under [{}]: {line}", section.join(".")));
            }
        }
    }
    if let Some(origin) = origin(provider)
        && !hosts(manifest).contains(&origin.as_str())
    {
        lines.push(format!(
            "spin.toml: under [component.{COMPONENT}], in allowed_outbound_hosts: \"{origin}\","
        ));
    }
    lines
}

/// What a provider's own address needs to be granted. Whatever is on this machine has one grant.
fn origin(provider: Provider) -> Option<String> {
    let url = url::Url::parse(provider.sheet().base_url?).ok()?;
    Some(match url.host_str()? {
        host @ ("localhost" | "127.0.0.1") => format!("{}://{host}:*", url.scheme()),
        _ => url.origin().ascii_serialization(),
    })
}

/// Variables of providers that there are none of.
fn strangers(manifest: &toml::Table) -> Vec<String> {
    let given = at(manifest, &["component", COMPONENT, "variables"]);
    let names = given.and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
    names
        .filter(|name| {
            ["_api_key", "_base_url"]
                .iter()
                .filter_map(|ending| name.strip_suffix(ending))
                .any(|provider| provider.parse::<Provider>().is_err())
        })
        .map(|name| format!("spin.toml: {name} belongs to no provider of crates/types"))
        .collect()
}

/// Providers that the README does not name.
fn unnamed(readme: &str) -> Vec<String> {
    let list = readme.split("\n\n").find(|paragraph| paragraph.starts_with("Providers: "));
    let list = list.unwrap_or_default();
    variables::remote()
        .map(|provider| format!("`{provider}`"))
        .filter(|name| !list.contains(name))
        .map(|name| format!("README.md: the paragraph \"Providers:\" does not name {name}"))
        .collect()
}

fn hosts(manifest: &toml::Table) -> Vec<&str> {
    let hosts = at(manifest, &["component", COMPONENT, "allowed_outbound_hosts"]);
    let hosts = hosts.and_then(toml::Value::as_array).into_iter().flatten();
    hosts.filter_map(toml::Value::as_str).collect()
}

fn at<'a>(table: &'a toml::Table, path: &[&str]) -> Option<&'a toml::Value> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(table.get(*first)?, |value, name| value.get(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        std::fs::read_to_string(paths::root().join("spin.toml")).unwrap()
    }

    fn all_lacking(manifest: &str) -> Vec<String> {
        let manifest: toml::Table = manifest.parse().unwrap();
        variables::remote().flat_map(|provider| lacking(&manifest, provider)).collect()
    }

    #[test]
    fn each_line_that_is_taken_away_is_printed_as_it_was() {
        let text = text();
        assert_eq!(all_lacking(&text), Vec::<String>::new());
        let mut checked = 0;
        for section in ["[variables]", "[component.quarry.variables]"] {
            let (before, after) = text.split_once(&format!("\n{section}\n")).unwrap();
            let here = after.split("\n[").next().unwrap();
            for line in here.lines().filter(|line| line.starts_with("groq_")) {
                let without =
                    format!("{before}\n{section}\n{}", after.replacen(&format!("{line}\n"), "", 1));
                assert_eq!(all_lacking(&without), [format!("spin.toml: under {section}: {line}")]);
                checked += 1;
            }
        }
        assert_eq!(checked, 6);
        let host = "\"https://api.groq.com\",";
        assert_eq!(
            all_lacking(&text.replacen(host, "", 1)),
            [format!("spin.toml: under [component.quarry], in allowed_outbound_hosts: {host}")]
        );
    }

    #[test]
    fn another_default_and_a_key_that_is_no_secret_are_found() {
        let text = text()
            .replace("https://api.groq.com/openai/v1", "https://elsewhere.example/v1")
            .replace(
                "mistral_api_key = { default = \"\", secret = true }",
                "mistral_api_key = { default = \"\" }",
            );
        assert_eq!(
            all_lacking(&text),
            [
                "spin.toml: under [variables]: groq_base_url = { default = \"https://api.groq.com/openai/v1\" }",
                "spin.toml: under [variables]: mistral_api_key = { default = \"\", secret = true }",
            ]
        );
    }

    #[test]
    fn strangers_and_forgotten_names_are_found() {
        let text = text().replace(
            "[component.quarry.variables]\n",
            "[component.quarry.variables]\nnobody_api_key = \"{{ nobody_api_key }}\"\n",
        );
        assert_eq!(
            strangers(&text.parse().unwrap()),
            ["spin.toml: nobody_api_key belongs to no provider of crates/types"]
        );
        let readme = std::fs::read_to_string(paths::root().join("README.md")).unwrap();
        assert_eq!(unnamed(&readme), Vec::<String>::new());
        assert_eq!(unnamed(&readme.replace("`groq`", "Groq")).len(), 1);
    }
}

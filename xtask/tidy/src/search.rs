//! Search providers in `spin.toml`: each row of `quarry_search` needs its variables, the component's
//! share of them, and a host that may be called. What is missing is printed as the line to add.

use crate::Findings;
use anyhow::{Context, Result};
use quarry_client::variables::SEARCH;
use quarry_host::hosts::AllowedHosts;
use quarry_host::variables::Variables;
use quarry_search::Provider;
use quarry_search::settings;
use xtask::paths;

/// The component that searches.
const COMPONENT: &str = "web";

pub fn check(findings: &mut Findings) -> Result<()> {
    let text = std::fs::read_to_string(paths::root().join("spin.toml"))?;
    let manifest: toml::Table = text.parse().context("spin.toml")?;
    findings.errors.extend(problems(&manifest, &text));
    let readme = std::fs::read_to_string(paths::root().join("README.md"))?;
    findings.errors.extend(unnamed(&readme));
    findings.errors.extend(unswitched(SEARCH));
    Ok(())
}

/// What the table of those who serve lacks, or has in another order.
fn unswitched(table: &[(&str, Option<&str>)]) -> Option<String> {
    let rows = Provider::all().iter().map(|provider| provider.row());
    let rows: Vec<_> = rows.map(|row| (row.name, row.switch())).collect();
    let lines = || rows.iter().map(|row| format!("    {row:?},")).collect::<Vec<_>>().join("\n");
    (rows != table)
        .then(|| format!("xtask/client/src/variables.rs: SEARCH wants these lines:\n{}", lines()))
}

/// Providers that the README does not name. It may spell them as they spell themselves.
fn unnamed(readme: &str) -> Vec<String> {
    let list = readme.split(" Search: ").nth(1).and_then(|rest| rest.split(';').next());
    let list = list.unwrap_or_default().to_lowercase();
    let names = Provider::all().iter().map(|provider| provider.name());
    names
        .filter(|name| !list.contains(name))
        .map(|name| format!("README.md: the sentence \"Search:\" does not name {name}"))
        .collect()
}

fn problems(manifest: &toml::Table, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for provider in Provider::all() {
        let row = provider.row();
        let url = format!("{{ default = \"{}\" }}", row.url.unwrap_or_default());
        wrong.extend(declaration(manifest, row.url_variable, &url));
        if let Some(key) = row.key_variable {
            wrong.extend(declaration(manifest, key, "{ default = \"\", secret = true }"));
        }
        wrong.extend(row.url.and_then(|url| unreachable(manifest, url)));
    }
    for name in settings::variables() {
        let given = manifest.get("component").and_then(|components| {
            components.get(COMPONENT)?.get("variables")?.get(name)?.as_str()
        });
        if given != Some(format!("{{{{ {name} }}}}").as_str()) {
            wrong.push(format!(
                "spin.toml: [component.{COMPONENT}.variables] wants {name} = \"{{{{ {name} }}}}\""
            ));
        }
    }
    wrong.extend(declaration(
        manifest,
        "search_limits",
        &format!("{{ default = \"{}\" }}", limits()),
    ));
    let names: Vec<&str> = Provider::all().iter().map(|provider| provider.name()).collect();
    let order = format!("Empty: {}.", names.join(", "));
    if !text.contains(&order) {
        wrong.push(format!("spin.toml: the comment on search_providers wants `{order}`"));
    }
    wrong
}

/// A variable as it has to be declared.
fn declaration(manifest: &toml::Table, name: &str, wanted: &str) -> Option<String> {
    let line = format!("{name} = {wanted}");
    let expected: toml::Table = line.parse().ok()?;
    let declared = manifest.get("variables").and_then(|variables| variables.get(name));
    let line = || format!("spin.toml: [variables] wants {line}");
    (declared != expected.get(name)).then(line)
}

/// A host that the component may not call.
fn unreachable(manifest: &toml::Table, url: &str) -> Option<String> {
    let hosts = manifest.get("component").and_then(|components| {
        components.get(COMPONENT)?.get("allowed_outbound_hosts")?.as_array()
    });
    let hosts: Vec<String> =
        hosts.into_iter().flatten().filter_map(|host| Some(host.as_str()?.to_owned())).collect();
    let allowed = AllowedHosts::parse(&hosts, &Variables::default(), &[]);
    let is_allowed = allowed.is_ok_and(|allowed| allowed.allow(url));
    (!is_allowed).then(|| {
        format!("spin.toml: allowed_outbound_hosts of [component.{COMPONENT}] wants \"{url}\"")
    })
}

/// Requests a minute that providers are allowed unless the operator says otherwise.
fn limits() -> String {
    let limit =
        |provider: &Provider| Some(format!("{}={}", provider.name(), provider.row().per_minute?));
    Provider::all().iter().filter_map(limit).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> String {
        std::fs::read_to_string(paths::root().join("spin.toml")).unwrap()
    }

    fn found(text: &str) -> Vec<String> {
        problems(&text.parse().unwrap(), text)
    }

    #[test]
    fn the_manifest_has_what_every_provider_needs() {
        assert_eq!(found(&manifest()), [""; 0]);
    }

    #[test]
    fn a_provider_that_those_who_serve_do_not_know_is_found() {
        assert_eq!(unswitched(SEARCH), None);
        let (_, others) = SEARCH.split_first().unwrap();
        let wanted = unswitched(others).unwrap();
        assert!(wanted.contains("(\"searxng\", Some(\"searxng_url\")),\n"), "{wanted}");
    }

    #[test]
    fn a_provider_that_the_readme_forgot_is_found() {
        let readme = std::fs::read_to_string(paths::root().join("README.md")).unwrap();
        assert_eq!(unnamed(&readme), [""; 0]);
        let wrong = ["README.md: the sentence \"Search:\" does not name brave"];
        assert_eq!(unnamed(&readme.replace("Brave, ", "")), wrong);
    }

    #[test]
    fn each_line_that_is_forgotten_is_printed() {
        for (line, wanted) in [
            (
                "brave_api_key = { default = \"\", secret = true }\n",
                "[variables] wants brave_api_key = { default = \"\", secret = true }",
            ),
            (
                "serper_base_url = { default = \"https://google.serper.dev\" }\n",
                "[variables] wants serper_base_url = { default = \"https://google.serper.dev\" }",
            ),
            (
                "tavily_api_key = \"{{ tavily_api_key }}\"\n",
                "[component.web.variables] wants tavily_api_key = \"{{ tavily_api_key }}\"",
            ),
            ("duckduckgo=20", "[variables] wants search_limits = "),
            ("tavily, serper, duckduckgo.", "the comment on search_providers wants"),
            (
                "allowed_outbound_hosts = [\"https://*:*\", \"http://*:*\"]\n",
                "wants \"https://api.tavily.com\"",
            ),
        ] {
            let text = manifest();
            assert!(text.contains(line), "{line}");
            let wrong = found(&text.replacen(line, "", 1));
            assert!(wrong.iter().any(|wrong| wrong.contains(wanted)), "{line}: {wrong:?}");
        }
        // A key that is shown by those who list variables.
        let shown = manifest().replace(
            "brave_api_key = { default = \"\", secret = true }",
            "brave_api_key = { default = \"\" }",
        );
        assert_eq!(found(&shown).len(), 1);
    }
}

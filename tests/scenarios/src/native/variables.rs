//! The variables of a scenario as components would see them, and which of them were looked at.

use crate::quarry::{PROVIDER, WEB, root, surroundings};
use anyhow::{Context, Result, bail};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Variables with the defaults of `spin.toml`.
#[derive(Debug)]
pub struct Variables {
    values: BTreeMap<String, String>,
    /// Those that the scenario sets.
    set: BTreeSet<String>,
    read: RefCell<BTreeSet<String>>,
}

impl Variables {
    /// The defaults, what leads to the provider and the small web, and what a scenario sets.
    pub fn of(scenario: &BTreeMap<String, String>) -> Result<Variables> {
        let manifest = std::fs::read_to_string(root().join("spin.toml"))?;
        let manifest: toml::Table = manifest.parse().context("spin.toml")?;
        let declared = manifest.get("variables").and_then(toml::Value::as_table);
        let default = |variable: &toml::Value| {
            let text = variable.get("default").and_then(toml::Value::as_str);
            text.unwrap_or_default().to_owned()
        };
        let mut values: BTreeMap<String, String> = declared
            .into_iter()
            .flatten()
            .map(|(name, variable)| (name.clone(), default(variable)))
            .collect();
        for (name, value) in surroundings(PROVIDER, WEB, scenario.clone()) {
            if values.insert(name.clone(), value).is_none() {
                bail!("spin.toml has no variable {name}");
            }
        }
        let set = scenario.keys().cloned().collect();
        Ok(Variables { values, set, read: RefCell::default() })
    }

    /// A variable's text; empty when it is not set.
    pub fn get(&self, name: &str) -> &str {
        self.read.borrow_mut().insert(name.to_owned());
        self.values.get(name).map_or("", String::as_str)
    }

    /// The variables that the scenario sets and nobody has looked at: what they change is not seen.
    pub fn unread(&self) -> Vec<&str> {
        let read = self.read.borrow();
        self.set.iter().filter(|name| !read.contains(*name)).map(String::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, value: &str) -> Result<Variables> {
        Variables::of(&BTreeMap::from([(name.to_owned(), value.to_owned())]))
    }

    #[test]
    fn a_scenarios_text_goes_before_the_default_and_counts_once_it_is_read() {
        let variables = of("max_tool_iterations", "9").unwrap();
        assert_eq!(variables.get("context_profile"), "auto");
        assert_eq!(variables.unread(), ["max_tool_iterations"]);
        assert_eq!(variables.get("max_tool_iterations"), "9");
        assert!(variables.unread().is_empty());
    }

    #[test]
    fn what_is_misspelt_is_no_variable() {
        let error = of("max_tool_iteration", "9").unwrap_err().to_string();
        assert_eq!(error, "spin.toml has no variable max_tool_iteration");
    }
}

//! `runtime-config.toml` as a Quarry here is served with it: all of it where that can be, else without what would keep
//! it from what it is set up with. Nothing is left out in silence.

use anyhow::{Context, Result};
use quarry_client::variables::Variables;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// The table of the network rules.
const RULES: &str = "outbound_networking";

/// The tables that say where things are kept, with what is kept there.
const STORES: [(&str, &str); 2] = [("sqlite_database", "database"), ("key_value_store", "store")];

/// What is left of it.
pub struct RuntimeConfig {
    kept: Option<Kept>,
    /// What was left out, in lines for people.
    pub left_out: Vec<String>,
}

/// Where it is.
enum Kept {
    Whole(PathBuf),
    /// Gone with this value: it may hold a token.
    Part(NamedTempFile),
}

impl RuntimeConfig {
    /// Reads the file, if there is one.
    ///
    /// # Errors
    /// When it is no TOML, or what is left of it cannot be written.
    pub fn of(file: PathBuf, variables: &Variables, demo: bool) -> Result<RuntimeConfig> {
        if !file.is_file() {
            return Ok(RuntimeConfig { kept: None, left_out: Vec::new() });
        }
        let near = variables.near();
        if !demo && near.is_none() {
            return Ok(RuntimeConfig { kept: Some(Kept::Whole(file)), left_out: Vec::new() });
        }
        let text = std::fs::read_to_string(&file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let mut config: toml::Table =
            text.parse().with_context(|| format!("cannot use {}", file.display()))?;
        let left_out = leave_out(&mut config, demo, near.as_deref());
        let mut part = NamedTempFile::new().context("cannot make a temporary file")?;
        part.write_all(toml::to_string(&config)?.as_bytes())
            .context("cannot write a temporary file")?;
        Ok(RuntimeConfig { kept: Some(Kept::Part(part)), left_out })
    }

    /// The file that a host is told; none: there is none.
    pub fn file(&self) -> Option<&Path> {
        match self.kept.as_ref()? {
            Kept::Whole(file) => Some(file),
            Kept::Part(part) => Some(part.path()),
        }
    }
}

/// Leaves out what cannot hold, and says so. The rules know no exception, so an address of one's own network has none. A
/// demo's web is on this machine, and its documents are nobody's.
fn leave_out(config: &mut toml::Table, demo: bool, near: Option<&str>) -> Vec<String> {
    let mut told = Vec::new();
    let had_rules = config.remove(RULES).is_some();
    if let (true, false, Some(near)) = (had_rules, demo, near) {
        told.push(format!(
            "network   without the rules of runtime-config.toml: {near} leads into a network that they close"
        ));
    }
    for (table, kept) in STORES.into_iter().filter(|_| demo) {
        if config.remove(table).is_some() {
            told.push(format!("{kept:<9} that of runtime-config.toml is left alone in demo mode"));
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "\
[outbound_networking]
block_networks = [\"private\"]
[outbound_http]
connection_pooling = true
[sqlite_database.default]
type = \"libsql\"
url = \"https://db.example.org\"
token = \"canary\"
";

    /// The tables that are left, and what is said.
    fn left(variables: &[(&str, &str)], demo: bool) -> (Vec<String>, String) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("runtime-config.toml");
        std::fs::write(&file, CONFIG).unwrap();
        let variables = variables.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        let variables = Variables::from_environment(variables);
        let config = RuntimeConfig::of(file, &variables, demo).unwrap();
        let text = std::fs::read_to_string(config.file().unwrap()).unwrap();
        let table: toml::Table = text.parse().unwrap();
        (table.keys().cloned().collect(), config.left_out.join("\n"))
    }

    #[test]
    fn an_operators_database_stays_where_only_the_network_rules_are_in_the_way() {
        let all = ["outbound_http", "outbound_networking", "sqlite_database"];
        let (tables, said) = left(&[("OPENAI_API_KEY", "k")], false);
        assert_eq!((tables.len(), said.as_str()), (all.len(), ""));
        let (tables, said) = left(&[("OLLAMA_MODEL", "llama3.2")], false);
        assert!(!tables.contains(&"outbound_networking".to_owned()), "{tables:?}");
        assert!(tables.contains(&"sqlite_database".to_owned()), "{tables:?}");
        assert!(said.contains("ollama_base_url") && said.lines().count() == 1, "{said}");
    }

    #[test]
    fn a_demo_leaves_an_operators_database_alone_and_says_so() {
        let (tables, said) = left(&[], true);
        assert_eq!(tables, ["outbound_http"]);
        assert!(said.starts_with("database  that of runtime-config.toml is left alone"), "{said}");
    }

    #[test]
    fn where_there_is_no_such_file_nothing_is_said() {
        let none = RuntimeConfig::of("no-such.toml".into(), &Variables::default(), true).unwrap();
        assert!(none.file().is_none() && none.left_out.is_empty());
    }
}

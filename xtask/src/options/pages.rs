//! What may be said after `cargo xtask pages`.

use crate::components::Profile;
use anyhow::{Result, bail, ensure};
use lexopt::prelude::*;
use std::path::PathBuf;

/// What the task says of itself.
pub const HELP: &str = "\
Usage: cargo xtask pages IN OUT [options]

Reads every IN/*.html and IN/*.html.gz with the built web component, writes OUT/<name>.txt (plain
text), .md (Markdown) and .json (fields, passages, or the error), and prints how long it took.

  --quick   build the component fast instead of small
";

/// Which pages to read, and how.
#[derive(Debug)]
pub struct Options {
    /// The folder with the pages.
    pub input: PathBuf,
    /// The folder for what was read.
    pub output: PathBuf,
    /// How the reader is built.
    pub profile: Profile,
}

impl Options {
    /// Reads them; none: help is wanted.
    pub fn parse(args: lexopt::Parser) -> Result<Option<Options>> {
        Options::read(args).map_err(|error| super::wrong(&error))
    }

    fn read(mut args: lexopt::Parser) -> Result<Option<Options>> {
        let mut profile = Profile::Ship;
        let mut folders: Vec<PathBuf> = Vec::new();
        while let Some(arg) = args.next()? {
            match arg {
                Value(folder) => folders.push(folder.into()),
                Long("quick") => profile = Profile::Quick,
                Short('h') | Long("help") => return Ok(None),
                other => return Err(super::unknown(other, HELP)),
            }
        }
        let mut folders = folders.into_iter();
        match (folders.next(), folders.next(), folders.next()) {
            (Some(input), Some(output), None) => {
                ensure!(input.is_dir(), "there is no folder {}", input.display());
                Ok(Some(Options { input, output, profile }))
            }
            _ => bail!("name two folders\n\n{HELP}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Option<Options>> {
        Options::parse(lexopt::Parser::from_args(words))
    }

    #[test]
    fn pages_are_looked_for_before_anything_is_built() {
        assert!(parse(&["src", "anywhere"]).unwrap().is_some());
        for missing in ["no-such-folder", "Cargo.toml"] {
            let refused = parse(&[missing, "anywhere"]).unwrap_err();
            assert!(crate::options::is_wrong(&refused));
            assert_eq!(refused.to_string(), format!("there is no folder {missing}"));
        }
    }
}

//! What may be said after `cargo xtask pages`.

use crate::components::Profile;
use anyhow::{Result, bail};
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
            (Some(input), Some(output), None) => Ok(Some(Options { input, output, profile })),
            _ => bail!("name two folders\n\n{HELP}"),
        }
    }
}

//! What may be said after `cargo xtask js`.

use crate::components::Profile;
use anyhow::{Result, bail, ensure};
use lexopt::prelude::*;
use std::path::PathBuf;

/// What the task says of itself.
pub const HELP: &str = "\
Usage: cargo xtask js FILE… [options]

Runs each program with the built sandbox (- reads one from standard input, a folder stands for the
.js files below it) and prints one line of JSON for each, in order:

  file          as given
  console       [{ level, text }, …]
  value         the last expression's value, where it has a JSON form
  text          the same value as Node would show it, where it has no JSON form
  error         { name, message, line, column }, or null
  limit         what ended the program: time, memory, source, output, recursion, or null
  elapsedMs     wall clock
  instructions  of the engine
  crash         only when the sandbox itself failed; then nothing else is known

  --timeout MS  wall clock of each program, 1000 to 10000 (5000)
  --quick       build the component fast instead of small
";

/// The sandbox's default, as the tool's callers have it.
const TIMEOUT_MS: u32 = 5_000;

/// Which programs to run, and how.
#[derive(Debug)]
pub struct Options {
    /// Files, folders, and `-`.
    pub files: Vec<PathBuf>,
    /// In milliseconds.
    pub timeout: u32,
    /// How the sandbox is built.
    pub profile: Profile,
}

impl Options {
    /// Reads them; none: help is wanted.
    pub fn parse(args: lexopt::Parser) -> Result<Option<Options>> {
        Options::read(args).map_err(|error| super::wrong(&error))
    }

    fn read(mut args: lexopt::Parser) -> Result<Option<Options>> {
        let mut options =
            Options { files: Vec::new(), timeout: TIMEOUT_MS, profile: Profile::Ship };
        while let Some(arg) = args.next()? {
            match arg {
                Value(file) => options.files.push(file.into()),
                Long("timeout") => {
                    options.timeout = super::number("--timeout", super::WHOLE, &mut args)?
                }
                Long("quick") => options.profile = Profile::Quick,
                Short('h') | Long("help") => return Ok(None),
                other => return Err(super::unknown(other, HELP)),
            }
        }
        let timeout = options.timeout;
        ensure!((1_000..=10_000).contains(&timeout), "--timeout is {timeout}; name 1000 to 10000");
        if options.files.is_empty() {
            bail!("name a file, a folder, or - for standard input\n\n{HELP}");
        }
        for file in options.files.iter().filter(|file| file.as_os_str() != "-") {
            ensure!(file.exists(), "there is no file and no folder {}", file.display());
        }
        Ok(Some(options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Option<Options>> {
        Options::parse(lexopt::Parser::from_args(words))
    }

    #[test]
    fn programs_are_looked_for_before_anything_is_built() {
        let files = parse(&["-", "src", "Cargo.toml"]).unwrap().unwrap().files;
        assert_eq!(files.len(), 3);
        let refused = parse(&["-", "src/no-such.js"]).unwrap_err();
        assert!(crate::options::is_wrong(&refused));
        assert_eq!(refused.to_string(), "there is no file and no folder src/no-such.js");
    }
}

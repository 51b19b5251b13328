//! What may be said after `up`, `ask`, `run`, `ingest`, `bench`, `kill`, `js` and `pages`, read once for both sides: the task, which
//! refuses a mistake before it builds for minutes, and the program that does the work. And how any task tells what is
//! wrong with its options.

pub mod ask;
pub mod bench;
pub mod helps;
pub mod ingest;
pub mod js;
pub mod kill;
pub mod pages;
pub mod places;
pub mod run;
pub mod served;
pub mod up;

use crate::program::told;
use anyhow::{Error, Result, ensure};
use lexopt::{Arg, ValueExt as _};
use std::fmt;

/// The options are wrong: whoever wrote them can mend that, and a script can tell it from work that failed.
#[derive(Debug)]
pub struct Wrong(String);

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Wrong {}

/// Options that cannot be read, or not together.
#[must_use]
pub fn misused(why: impl Into<String>) -> Error {
    Wrong(why.into()).into()
}

/// The same for whatever was found to be wrong with them.
#[must_use]
pub fn wrong(error: &Error) -> Error {
    misused(told(error))
}

/// Whether it is the options that are wrong.
#[must_use]
pub fn is_wrong(error: &Error) -> bool {
    error.is::<Wrong>() || error.is::<lexopt::Error>()
}

/// What is said of an argument that a task does not take, with what may have been meant of what its help names.
#[must_use]
pub fn unknown(arg: Arg<'_>, help: &str) -> Error {
    let Arg::Long(name) = arg else { return arg.unexpected().into() };
    let meant = match nearest(name, help) {
        Some(meant) => format!("the nearest is --{meant}"),
        None => "--help names those that there are".to_owned(),
    };
    misused(format!("there is no option --{name}; {meant}"))
}

/// The option that shares most pairs of neighbouring letters with what was said; of several the first.
fn nearest<'a>(word: &str, help: &'a str) -> Option<&'a str> {
    let padded = [" ", word, " "].concat();
    let shared = |name: &str| {
        let pairs = [" ", name, " "].concat();
        let pairs = pairs.as_bytes().windows(2);
        let pairs = pairs.filter(|pair| padded.as_bytes().windows(2).any(|other| other == *pair));
        // Of equal shares the shorter name is nearer.
        (pairs.count() * 1_000) / (name.len() + word.len()).max(1)
    };
    let names = help.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-');
    let names = names.filter_map(|name| name.strip_prefix("--")).chain(["help"]);
    let shares = names.filter(|name| !name.is_empty()).map(|name| (shared(name), name));
    let nearest = shares.reduce(|best, next| if next.0 > best.0 { next } else { best });
    nearest.filter(|(share, _)| *share > 0).map(|(_, name)| name)
}

/// What most numbers have to be.
const WHOLE: &str = "a whole number";

/// The number that an option is given, whose name has been read; `wanted` says what it has to be.
fn number<T: std::str::FromStr>(
    option: &str,
    wanted: &str,
    args: &mut lexopt::Parser,
) -> Result<T> {
    let text = args.value()?.string()?;
    text.parse().map_err(|_| misused(format!("{option} wants {wanted}, and `{text}` is none")))
}

/// What may be spent: what is no number above 0 would be no bound.
fn dollars(option: &str, args: &mut lexopt::Parser) -> Result<f64> {
    let usd: f64 = number(option, "a number of dollars", args)?;
    ensure!(usd.is_finite() && usd > 0.0, "{option} wants dollars above 0");
    Ok(usd)
}

/// Where a Quarry runs.
fn address(url: String) -> Result<String> {
    let behind = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
    let has_host = |rest: &str| !rest.is_empty() && !rest.starts_with(['/', '?', '#', ':']);
    let is_whole = behind.is_some_and(has_host) && !url.contains(char::is_whitespace);
    ensure!(
        is_whole,
        "--url {url} is no address like http://127.0.0.1:3000: it begins with http:// or https://, \
         and has a host and no space"
    );
    Ok(url)
}

/// What runs the components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runtime {
    /// `tests/host`, which is part of this project.
    Local,
    /// `spin up`, which has to be installed.
    Spin,
}

impl std::str::FromStr for Runtime {
    type Err = String;

    fn from_str(text: &str) -> Result<Runtime, String> {
        match text {
            "local" => Ok(Runtime::Local),
            "spin" => Ok(Runtime::Spin),
            other => Err(format!("`{other}` is no runtime; there are `local` and `spin`")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_option_is_told_with_the_nearest_that_the_help_names() {
        let said = |said: &str, help: &str| told(&unknown(Arg::Long(said), help));
        for (word, help, meant) in [
            ("modle", ask::HELP, "the nearest is --model"),
            ("lisen", up::HELP, "the nearest is --listen"),
            ("colection", ingest::HELP, "the nearest is --collection"),
            ("tiemout", js::HELP, "the nearest is --timeout"),
            ("hlep", pages::HELP, "the nearest is --help"),
            ("effrt", run::HELP, "the nearest is --effort"),
            ("x", up::HELP, "--help names those that there are"),
        ] {
            assert_eq!(said(word, help), format!("there is no option --{word}; {meant}"));
        }
    }

    #[test]
    fn a_value_that_is_none_is_told_with_its_option() {
        let refused = |words: [&str; 3]| {
            told(&ask::Options::parse(lexopt::Parser::from_args(words)).unwrap_err())
        };
        for (option, value, said) in [
            ("--budget", "abc", "--budget wants a number of dollars, and `abc` is none"),
            ("--budget", "0", "--budget wants dollars above 0"),
            ("--iterations", "-1", "--iterations wants a whole number, and `-1` is none"),
        ] {
            assert_eq!(refused(["x", option, value]), said);
        }
        for address in ["localhost:3000", "http://", "https:///ask", "http://:3000", "http://a b/"]
        {
            let said = refused(["x", "--url", address]);
            assert!(said.starts_with(&format!("--url {address} is no address like ")), "{said}");
        }
    }

    #[test]
    fn what_is_wrong_with_options_is_known_from_work_that_failed() {
        let parser = || lexopt::Parser::from_args(["x", "--quik"]);
        for refused in [
            up::Options::parse(parser()).unwrap_err(),
            ask::Options::parse(parser()).unwrap_err(),
            run::Options::parse(parser()).unwrap_err(),
            ingest::Options::parse(parser()).unwrap_err(),
            js::Options::parse(parser()).unwrap_err(),
            pages::Options::parse(parser()).unwrap_err(),
            Error::from(lexopt::Error::MissingValue { option: None }).context("more"),
        ] {
            assert!(is_wrong(&refused), "{refused}");
        }
        assert!(!is_wrong(&anyhow::anyhow!("the disk is full")));
    }
}

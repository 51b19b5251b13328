//! What serves Quarry, as `up`, `ask` and `run` are told it.

use super::Runtime;
use crate::components::{Place, Profile};
use anyhow::{Result, ensure};
use lexopt::prelude::*;

/// What serves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served {
    /// What runs the components.
    pub runtime: Runtime,
    /// Whether the components are built first.
    pub builds: bool,
    profile: Option<Profile>,
    /// The last of these options that was said.
    said: Option<&'static str>,
}

impl Default for Served {
    fn default() -> Served {
        Served { runtime: Runtime::Local, builds: true, profile: None, said: None }
    }
}

impl Served {
    /// How the components are optimised.
    #[must_use]
    pub fn profile(self) -> Profile {
        self.profile.unwrap_or(Profile::Quick)
    }

    /// Where they lie.
    #[must_use]
    pub fn place(self) -> Place {
        Place::of(self.profile())
    }

    /// Reads one of these options, whose name has been read; false: it is none of them.
    ///
    /// # Errors
    /// When its value cannot be read, or another has said otherwise.
    pub fn take(&mut self, name: &str, args: &mut lexopt::Parser) -> Result<bool> {
        self.said = Some(match name {
            "runtime" => {
                self.runtime = args.value()?.parse()?;
                "--runtime"
            }
            "ship" => self.optimised(Profile::Ship, "--ship")?,
            "quick" => self.optimised(Profile::Quick, "--quick")?,
            "no-build" => {
                self.builds = false;
                "--no-build"
            }
            _ => return Ok(false),
        });
        Ok(true)
    }

    fn optimised(&mut self, profile: Profile, said: &'static str) -> Result<&'static str> {
        let is_other = self.profile.replace(profile).is_some_and(|before| before != profile);
        ensure!(!is_other, "--ship and --quick name different components; leave one of them out");
        Ok(said)
    }

    /// Holds that nothing is said of what serves where that runs elsewhere.
    ///
    /// # Errors
    /// What to leave out, where something is.
    pub fn check(self, url: Option<&str>) -> Result<()> {
        if let (Some(said), Some(_)) = (self.said, url) {
            anyhow::bail!(
                "{said} is for what is served here, and --url asks what runs already; leave {said} or --url out"
            );
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ask, run, up};
    use super::*;

    fn served(words: &[&str]) -> Result<Served> {
        let parser = || lexopt::Parser::from_args(words);
        let [of_ask, of_run, of_up] = [
            ask::Options::parse(lexopt::Parser::from_args([&["x"], words].concat()))
                .map(|options| options.unwrap().served),
            run::Options::parse(lexopt::Parser::from_args([&["x"], words].concat()))
                .map(|options| options.unwrap().served),
            up::Options::parse(parser()).map(|options| options.unwrap().served),
        ];
        let of_up = of_up?;
        assert_eq!([of_ask?, of_run?], [of_up; 2], "{words:?}");
        Ok(of_up)
    }

    #[test]
    fn what_is_built_already_is_what_would_be_built() {
        let quick = served(&[]).unwrap();
        assert_eq!(
            (quick.profile(), quick.place(), quick.builds),
            (Profile::Quick, Place::Apart, true)
        );
        let again = served(&["--no-build"]).unwrap();
        assert_eq!((again.place(), again.builds), (Place::Apart, false));
        for words in [["--ship", "--no-build"], ["--no-build", "--ship"]] {
            let shipped = served(&words).unwrap();
            assert_eq!((shipped.place(), shipped.builds), (Place::Own, false), "{words:?}");
        }
    }

    #[test]
    fn what_would_be_ignored_is_refused_with_what_to_do() {
        for words in [["--ship", "--quick"], ["--quick", "--ship"]] {
            assert!(served(&words).unwrap_err().to_string().contains("leave one of them out"));
        }
        let elsewhere = ["x", "--url", "http://a"];
        for said in [&["--ship"][..], &["--quick"], &["--no-build"], &["--runtime", "spin"]] {
            let words = [&elsewhere, said].concat();
            let parser = || lexopt::Parser::from_args(&words);
            let refused = [
                ask::Options::parse(parser()).unwrap_err(),
                run::Options::parse(parser()).unwrap_err(),
            ];
            let told = format!("leave {} or --url out", said[0]);
            assert!(refused.iter().all(|why| why.to_string().contains(&told)), "{refused:?}");
        }
    }
}

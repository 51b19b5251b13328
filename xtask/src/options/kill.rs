//! What may be said after `cargo xtask kill`.

use crate::components::Profile;
use anyhow::{Context, Result, bail, ensure};
use lexopt::prelude::*;

pub use super::helps::KILL as HELP;

/// The runs that are killed, by their names.
pub const SCRIPTS: [&str; 2] = ["short", "whole"];

/// The scenes, by their names.
pub const SCENES: [&str; 7] = [
    "two-processes",
    "two-hasty",
    "full-disk",
    "locked",
    "full-start",
    "no-space",
    "no-space-start",
];

/// What is to be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cases {
    /// Everything.
    All,
    /// What a test of everything has the time for.
    Short,
    /// All points of a run.
    Script(&'static str),
    /// One of them, from 1.
    Point(&'static str, u64),
    /// What a number draws.
    Seed(u64),
    /// A scene.
    Scene(&'static str),
}

/// What is tried, and how.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// What is tried.
    pub cases: Cases,
    /// Cases side by side; none: as the machine has room for.
    pub jobs: Option<usize>,
    /// Whether points are only named.
    pub names_points: bool,
    /// How the components are built.
    pub profile: Profile,
}

impl Options {
    /// Reads them; none: help is wanted.
    pub fn parse(args: lexopt::Parser) -> Result<Option<Options>> {
        Options::read(args).map_err(|error| super::wrong(&error))
    }

    fn read(mut args: lexopt::Parser) -> Result<Option<Options>> {
        let (mut is_short, mut script, mut point) = (false, None, None);
        let (mut seed, mut scene) = (None, None);
        let (mut jobs, mut names_points, mut profile) = (None, false, Profile::Ship);
        while let Some(arg) = args.next()? {
            match arg {
                Long("short") => is_short = true,
                Long("script") => {
                    script = Some(one_of("--script", &SCRIPTS, &args.value()?.string()?)?);
                }
                Long("point") => point = Some(args.value()?.parse()?),
                Long("seed") => seed = Some(args.value()?.parse()?),
                Long("scene") => {
                    scene = Some(one_of("--scene", &SCENES, &args.value()?.string()?)?);
                }
                Long("jobs") => jobs = Some(args.value()?.parse()?),
                Long("points") => names_points = true,
                Long("quick") => profile = Profile::Quick,
                Short('h') | Long("help") => return Ok(None),
                other => return Err(super::unknown(other, HELP)),
            }
        }
        ensure!(jobs != Some(0), "--jobs must be at least 1");
        let short = is_short.then_some(Cases::Short);
        let points = match (script, point) {
            (script, Some(point)) => Some(Cases::Point(script.unwrap_or("short"), point)),
            (Some(script), None) => Some(Cases::Script(script)),
            (None, None) => None,
        };
        let said = [
            (short, "--short"),
            (points, "--script and --point"),
            (seed.map(Cases::Seed), "--seed"),
            (scene.map(Cases::Scene), "--scene"),
        ];
        let mut said = said.into_iter().filter_map(|(cases, name)| Some((cases?, name)));
        let cases = match (said.next(), said.next()) {
            (None, _) => Cases::All,
            (Some((cases, _)), None) => cases,
            (Some((_, one)), Some((_, other))) => {
                bail!("{one} and {other} name different cases; leave one of them out")
            }
        };
        Ok(Some(Options { cases, jobs, names_points, profile }))
    }
}

fn one_of(option: &str, known: &[&'static str], name: &str) -> Result<&'static str> {
    let found = known.iter().copied().find(|known| *known == name);
    found.with_context(|| format!("{option} {name} is none of {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Option<Options>> {
        Options::parse(lexopt::Parser::from_args(words))
    }

    #[test]
    fn cases_are_named_in_one_way() {
        for (words, cases) in [
            (&[][..], Cases::All),
            (&["--short", "--quick"], Cases::Short),
            (&["--script", "whole"], Cases::Script("whole")),
            (&["--point", "7"], Cases::Point("short", 7)),
            (&["--script", "whole", "--point", "7"], Cases::Point("whole", 7)),
            (&["--seed", "0", "--jobs", "1"], Cases::Seed(0)),
            (&["--scene", "locked"], Cases::Scene("locked")),
        ] {
            assert_eq!(parse(words).unwrap().unwrap().cases, cases, "{words:?}");
        }
        assert!(parse(&["--help"]).unwrap().is_none());
    }

    #[test]
    fn mistakes_are_refused_before_anything_is_built_and_say_what_to_do() {
        for (bad, told) in [
            (&["--seed", "1", "--scene", "locked"][..], "--seed and --scene"),
            (&["--seed", "1", "--point", "2"], "--script and --point and --seed"),
            (&["--short", "--script", "whole"], "leave one of them out"),
            (&["--scene", "flooded"], "none of two-processes, two-hasty"),
            (&["--script", "long"], "none of short, whole"),
            (&["--point", "x"], "x"),
            (&["--jobs", "0"], "at least 1"),
            (&["--sead", "1"], "the nearest is --seed"),
        ] {
            let refused = parse(bad).unwrap_err();
            assert!(crate::options::is_wrong(&refused), "{bad:?}");
            assert!(refused.to_string().contains(told), "{bad:?}: {refused}");
        }
    }
}

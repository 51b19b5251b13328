//! Which components there are, how they are optimised, and how a finished file is put in its place.

use crate::paths;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The ending of what says how a finished file was optimised.
const MARK: &str = "profile";

/// What components are compiled for.
pub const TARGET: &str = "wasm32-wasip2";

/// The Spin component that is composed.
pub const QUARRY: &str = "quarry";

/// Components that become one Spin component, `quarry`.
pub const COMPOSED: [&str; 5] = ["gateway", "orchestrator", "models", "knowledge", "courier"];

/// Components that are Spin components of their own.
pub const SEPARATE: [&str; 3] = ["web", "sandbox", "console"];

/// The one that runs code which nobody has to trust.
pub const METERED: &str = "sandbox";

/// Every component.
pub fn all() -> impl Iterator<Item = &'static str> {
    COMPOSED.into_iter().chain(SEPARATE)
}

/// The files that are finished when these components are, the largest first: `quarry` where one of its parts is among
/// them.
pub fn finished(is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &'static str> {
    let composed = COMPOSED.into_iter().any(&is_wanted).then_some(QUARRY);
    composed.into_iter().chain(SEPARATE.into_iter().filter(move |name| is_wanted(name)))
}

/// Where a finished one lies.
pub fn file(name: &str) -> PathBuf {
    paths::finished().join(name).with_extension("wasm")
}

/// How the components are optimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// As they ship: small and fast, slow to build.
    Ship,
    /// For development and the first try: built in a fraction of the time.
    Quick,
}

impl Profile {
    /// Cargo's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Ship => "ship",
            Profile::Quick => "quick",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Profile> {
        [Profile::Ship, Profile::Quick].into_iter().find(|profile| profile.name() == name)
    }
}

/// What cargo builds in one call into one directory, so that what its components share is compiled once. Never a part of
/// one: cargo unites the features of dependencies over the packages that it is told, and a component is compiled anew when
/// those of its dependencies change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its components.
    pub names: Vec<&'static str>,
    /// Where cargo builds it. Of its own, so that no group waits for the lock of another: the last minutes of each are one
    /// long step on one processor.
    pub target: PathBuf,
}

impl Group {
    /// The groups of a profile. What ships has no features but its own: the sandbox's engine brings some that `web` has
    /// not, so it is alone. Quickly, all is one group.
    pub fn all(profile: Profile) -> Vec<Group> {
        let (alone, together) = all().partition(|name| is_alone(profile, name));
        let of = |is_alone, names| Group { names, target: target(is_alone) };
        let groups = [of(true, alone), of(false, together)];
        groups.into_iter().filter(|group| !group.names.is_empty()).collect()
    }
}

fn is_alone(profile: Profile, name: &str) -> bool {
    profile == Profile::Ship && name == METERED
}

fn target(is_alone: bool) -> PathBuf {
    let target = paths::component_target();
    if is_alone { target.join("alone") } else { target }
}

/// Where the compiled component is.
pub fn compiled(profile: Profile, name: &str) -> PathBuf {
    let built = target(is_alone(profile, name)).join(TARGET).join(profile.name());
    built.join(name).with_extension("wasm")
}

/// Whether finished components tell the names of their functions, which a trap is read by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Names {
    /// They do.
    Kept,
    /// They are smaller.
    #[default]
    Gone,
}

impl Names {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Names::Kept => "kept",
            Names::Gone => "gone",
        }
    }
}

/// How a finished component was optimised, as a file beside it says; none: nobody knows.
pub fn profile_of(name: &str) -> Option<Profile> {
    marked(&paths::finished().join(name))
}

/// The profile that is marked beside a finished file.
fn marked(file: &Path) -> Option<Profile> {
    Profile::named(fs::read_to_string(file.with_extension(MARK)).ok()?.trim())
}

/// Makes a finished file by this profile, and marks it so: first that nobody knows, so that whatever stops it leaves no
/// mark that is wrong.
pub fn make(file: &Path, profile: Profile, make: impl FnOnce() -> Result<()>) -> Result<()> {
    let mark = file.with_extension(MARK);
    if marked(file) != Some(profile) {
        // As a rule there is none.
        let _ = fs::remove_file(&mark);
    }
    make()?;
    if marked(file) == Some(profile) { Ok(()) } else { replace(&mark, profile.name().as_bytes()) }
}

/// Writes a file in one step: whoever reads it meanwhile sees the old or the new one.
pub fn replace(file: &Path, bytes: &[u8]) -> Result<()> {
    let draft = file.with_extension(format!("{}.draft", std::process::id()));
    fs::write(&draft, bytes).with_context(|| format!("cannot write {}", draft.display()))?;
    fs::rename(&draft, file).with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_marked_when_it_is_made_and_with_none_where_that_failed() {
        let folder = std::env::temp_dir().join(format!("quarry-marks-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let [quarry, sandbox] = ["quarry.wasm", "sandbox.wasm"].map(|name| folder.join(name));
        make(&quarry, Profile::Quick, || Ok(())).unwrap();
        make(&sandbox, Profile::Ship, || Ok(())).unwrap();
        assert_eq!(
            [&quarry, &sandbox].map(|file| marked(file)),
            [Some(Profile::Quick), Some(Profile::Ship)]
        );
        make(&quarry, Profile::Ship, || anyhow::bail!("it cannot be composed")).unwrap_err();
        assert_eq!(marked(&quarry), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_part_that_is_built_makes_the_whole() {
        let of = |wanted: &[&str]| finished(|name| wanted.contains(&name)).collect::<Vec<_>>();
        assert_eq!(of(&["sandbox"]), ["sandbox"]);
        assert_eq!(of(&["sandbox", "courier"]), ["quarry", "sandbox"]);
        assert_eq!(finished(|_| true).count(), 1 + SEPARATE.len());
    }
}

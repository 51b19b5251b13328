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

/// Where finished components lie: in `target/quarry` below a folder whose `spin.toml` names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The project's own, from which Spin serves: what was asked to be built.
    Own,
    /// One apart, for what tasks build fast and serve themselves, so that what ships stays where it is.
    Apart,
}

impl Place {
    /// That of what a task builds so because it needs it.
    pub fn of(profile: Profile) -> Place {
        match profile {
            Profile::Ship => Place::Own,
            Profile::Quick => Place::Apart,
        }
    }

    fn folder(self) -> PathBuf {
        match self {
            Place::Own => paths::root(),
            Place::Apart => paths::root().join("target/quick"),
        }
    }

    /// The folder of the finished components; `spin.toml` names it.
    pub fn finished(self) -> PathBuf {
        self.folder().join("target/quarry")
    }

    /// Where a finished one lies.
    pub fn file(self, name: &str) -> PathBuf {
        self.finished().join(name).with_extension("wasm")
    }

    /// How a finished one was optimised, as a file beside it says; none: nobody knows.
    pub fn profile_of(self, name: &str) -> Option<Profile> {
        marked(&self.file(name))
    }

    /// The manifest that names them. That of the place apart is made as the project's own is now.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn manifest(self) -> Result<PathBuf> {
        manifest_in(&self.folder(), &paths::root().join("spin.toml"))
    }
}

/// A folder's manifest, the same as this one.
fn manifest_in(folder: &Path, own: &Path) -> Result<PathBuf> {
    let file = folder.join("spin.toml");
    if file != own {
        let text = fs::read(own).with_context(|| format!("cannot read {}", own.display()))?;
        if !fs::read(&file).is_ok_and(|before| before == text) {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
            replace(&file, &text)?;
        }
    }
    Ok(file)
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

/// Writes a file in one step: whoever reads it meanwhile sees the old or the new one. What fails leaves nothing behind.
pub fn replace(file: &Path, bytes: &[u8]) -> Result<()> {
    let draft = file.with_extension(format!("{}.draft", std::process::id()));
    let written = fs::write(&draft, bytes).and_then(|()| fs::rename(&draft, file));
    if written.is_err() {
        // There may be none, or nothing may be changed there at all.
        let _ = fs::remove_file(&draft);
    }
    written.with_context(|| format!("cannot write {}", file.display()))
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
    fn what_is_built_fast_leaves_what_ships_alone_and_has_a_manifest_that_names_it() {
        let [own, apart] = [Profile::Ship, Profile::Quick].map(Place::of);
        assert_eq!(own.manifest().unwrap(), paths::root().join("spin.toml"));
        assert!(!apart.file(QUARRY).starts_with(own.finished()));
        // The same words lead to the same place below either folder.
        for place in [own, apart] {
            let below = place.file(QUARRY);
            assert_eq!(below, place.folder().join("target/quarry/quarry.wasm"));
        }
        let folder = std::env::temp_dir().join(format!("quarry-places-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let known = folder.join("known.toml");
        for text in ["one", "another"] {
            fs::write(&known, text).unwrap();
            let made = manifest_in(&folder.join("apart"), &known).unwrap();
            assert_eq!(fs::read_to_string(made).unwrap(), text);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_no_draft() {
        let folder = std::env::temp_dir().join(format!("quarry-drafts-{}", std::process::id()));
        // Where a folder is, no file can be put.
        let file = folder.join("quarry.wasm");
        fs::create_dir_all(&file).unwrap();
        replace(&file, b"x").unwrap_err();
        let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|it| it.unwrap().path()).collect();
        assert_eq!(left, [file]);
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

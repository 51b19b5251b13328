//! Builds the components and has the finished ones put where `spin.toml` looks for them.

use crate::cargo;
use crate::programs::{self, Program};
use crate::watch::{self, Job};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use xtask::components::{Group, METERED, Names, Profile, TARGET, all};
use xtask::paths;

/// What is told of finished components.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Told {
    /// To whoever builds: how large each is.
    pub sizes: bool,
    /// To whoever reads a trap: in which function it was.
    pub names: Names,
}

/// Builds all components.
pub fn build(profile: Profile) -> Result<()> {
    build_some(profile, &[], Told::default())
}

/// Builds the named components, or all when none is named.
pub fn build_some(profile: Profile, names: &[String], told: Told) -> Result<()> {
    build_beside(programs::job("what finishes components", &[Program::Assemble]), profile, names)?;
    let mut arguments = vec![OsString::from(profile.name())];
    arguments.extend(names.iter().map(OsString::from));
    if told.sizes {
        arguments.push("--sizes".into());
    }
    if told.names == Names::Kept {
        arguments.push("--names".into());
    }
    Program::Assemble.run(arguments)
}

/// Builds all components beside a job that builds programs, among them what finishes components: each
/// has times in which it could use only one processor.
pub fn build_with(job: Job, profile: Profile) -> Result<()> {
    build_beside(job, profile, &[])?;
    Program::Assemble.run([OsString::from(profile.name())])
}

fn build_beside(job: Job, profile: Profile, names: &[String]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| !all().any(|known| known == *name)) {
        bail!(
            "there is no component `{unknown}`; there are {}",
            all().collect::<Vec<_>>().join(", ")
        );
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    ensure_target()?;
    let groups = Group::all(profile).into_iter();
    let groups = groups.filter(|group| group.names.iter().any(|name| wanted(name)));
    let compiled = groups.map(|group| compile(profile, &group));
    watch::run([job].into_iter().chain(compiled).collect())
}

/// Installs the wasm target when it is missing.
fn ensure_target() -> Result<()> {
    let output = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", TARGET])
        .current_dir(paths::root())
        .output()
        .context("cannot run rustc; install Rust from https://rustup.rs")?;
    let directory = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && Path::new(directory.trim()).is_dir() {
        return Ok(());
    }
    let mut command = Command::new("rustup");
    command.args(["target", "add", TARGET]).current_dir(paths::root());
    watch::run(vec![Job { what: format!("with rustup: the target {TARGET}"), command }]).context(
        "the Rust target is missing\n\
         hint: install it with whatever installed Rust, then try again",
    )
}

fn compile(profile: Profile, group: &Group) -> Job {
    let mut command = match profile {
        Profile::Ship => cargo::plain(),
        // Small and fast is not what these are for: they are linted where that is wanted.
        Profile::Quick => cargo::command(),
    };
    command.args(["build", "--target", TARGET, "--profile", profile.name(), "--target-dir"]);
    command.arg(&group.target);
    for name in &group.names {
        command.args(["-p", name]);
    }
    let what = if group.names == [METERED] { "the sandbox" } else { "the components" };
    Job { what: what.to_owned(), command }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_is_in_one_group() {
        for profile in [Profile::Ship, Profile::Quick] {
            let groups = Group::all(profile);
            let mut grouped: Vec<_> = groups.iter().flat_map(|group| group.names.clone()).collect();
            grouped.sort_unstable();
            let mut expected: Vec<_> = all().collect();
            expected.sort_unstable();
            assert_eq!(grouped, expected);
        }
        assert_eq!(Group::all(Profile::Ship).first().unwrap().names, [METERED]);
    }
}

//! Builds the components and has the finished ones put where `spin.toml` looks for them, or the tasks that serve.

use crate::cargo;
use crate::programs::{self, Build, Program};
use crate::watch::{self, Job};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;
use xtask::components::{self, Group, METERED, Names, Place, Profile, TARGET, all};
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
pub fn build(place: Place, profile: Profile) -> Result<()> {
    build_some(place, profile, &[], Told::default())
}

/// Builds the named components, or all when none is named.
pub fn build_some(place: Place, profile: Profile, names: &[String], told: Told) -> Result<()> {
    build_beside(vec![assembler()], profile, names)?;
    let shipped = |name: &&str| place.profile_of(name) == Some(Profile::Ship);
    let finished = components::finished(|name| is_wanted(names, name));
    let replaced = finished.filter(shipped).filter(|_| profile == Profile::Quick).count();
    assemble(place, profile, names, told.names, None)?;
    if replaced > 0 {
        eprintln!("target/quarry no longer has what ships; `cargo xtask build` brings it back");
    }
    if told.sizes { print_sizes(place, names) } else { Ok(()) }
}

/// Builds all components beside what serves them: each has times in which it could use only one processor.
pub fn build_with_host(profile: Profile, host: Build) -> Result<()> {
    let jobs = match host {
        Build::Development => {
            vec![programs::job("the local host", &[Program::Serve, Program::Assemble], host)]
        }
        Build::Release => {
            vec![programs::job("the local host", &[Program::Serve], host), assembler()]
        }
    };
    build_beside(jobs, profile, &[])?;
    assemble(Place::of(profile), profile, &[], Names::Gone, None)
}

/// Builds what ships with its names, and into a folder the same that notes its calls.
pub fn build_traced(folder: &Path) -> Result<()> {
    build_beside(vec![assembler()], Profile::Ship, &[])?;
    assemble(Place::Own, Profile::Ship, &[], Names::Kept, Some(folder))
}

fn assembler() -> Job {
    programs::job("what finishes components", &[Program::Assemble], Build::Development)
}

/// Composes and meters, which takes long after a change and says little.
fn assemble(
    place: Place,
    profile: Profile,
    components: &[String],
    names: Names,
    traced: Option<&Path>,
) -> Result<()> {
    let mut command = Program::Assemble.command(Build::Development)?;
    command.arg(profile.name()).args(components);
    if place == Place::Apart {
        command.arg("--apart");
    }
    if names == Names::Kept {
        command.arg("--names");
    }
    if let Some(folder) = traced {
        command.arg("--trace").arg(folder);
    }
    watch::run(vec![Job { what: "the finished components".to_owned(), command }])
}

/// Prints what was built and how large it is.
fn print_sizes(place: Place, names: &[String]) -> Result<()> {
    for name in components::finished(|name| is_wanted(names, name)) {
        let file = place.file(name);
        let bytes = std::fs::metadata(&file).with_context(|| file.display().to_string())?.len();
        let shown = file.strip_prefix(paths::root()).unwrap_or(&file);
        println!("{:<28} {:>7.2} MB", shown.display(), bytes as f64 / 1e6);
    }
    Ok(())
}

/// Whether a component is to be built; none are named: all are.
fn is_wanted(names: &[String], name: &str) -> bool {
    names.is_empty() || names.iter().any(|wanted| wanted == name)
}

fn build_beside(jobs: Vec<Job>, profile: Profile, names: &[String]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| !all().any(|known| known == *name)) {
        bail!(
            "there is no component `{unknown}`; there are {}",
            all().collect::<Vec<_>>().join(", ")
        );
    }
    ensure_target()?;
    let groups = Group::all(profile).into_iter();
    let groups = groups.filter(|group| group.names.iter().any(|name| is_wanted(names, name)));
    let compiled = groups.map(|group| compile(profile, &group));
    watch::run(jobs.into_iter().chain(compiled).collect())
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

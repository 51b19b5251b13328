//! Builds the components and has the finished ones put where `spin.toml` looks for them.

use crate::programs::Program;
use crate::{cargo, watch};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use xtask::components::{METERED, Profile, TARGET, all};
use xtask::paths;

/// Whether it is said how large the finished components are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sizes {
    /// In a line for each.
    Shown,
    /// Not at all.
    Hidden,
}

/// Builds all components.
pub fn build(profile: Profile) -> Result<()> {
    build_some(profile, &[], Sizes::Hidden)
}

/// Builds the named components, or all when none is named.
pub fn build_some(profile: Profile, names: &[String], sizes: Sizes) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| !all().any(|known| known == *name)) {
        bail!(
            "there is no component `{unknown}`; there are {}",
            all().collect::<Vec<_>>().join(", ")
        );
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    ensure_target()?;
    let (alone, together): (Vec<_>, Vec<_>) = all().partition(|name| *name == METERED);
    for group in [together, alone] {
        if group.iter().any(|name| wanted(name)) {
            compile(profile, &group)?;
        }
    }
    let mut arguments = vec![OsString::from(profile.name())];
    arguments.extend(names.iter().map(OsString::from));
    if sizes == Sizes::Shown {
        arguments.push("--sizes".into());
    }
    Program::Assemble.run(arguments)
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
    watch::run(&format!("installing the Rust target {TARGET}"), command).context(
        "the Rust target is missing\n\
         hint: install it with whatever installed Rust, then try again",
    )
}

/// One cargo call for a whole group, so that what its components share is compiled once. Never for a
/// part of one: cargo unites the features of dependencies over the packages that it is told, and a
/// component is compiled anew when those of its dependencies change. The sandbox's engine brings
/// features that `web` has not, so it is a group of its own.
fn compile(profile: Profile, names: &[&str]) -> Result<()> {
    let mut command = cargo::command();
    command.args(["build", "--target", TARGET, "--profile", profile.name(), "--target-dir"]);
    command.arg(paths::component_target());
    for name in names {
        command.args(["-p", name]);
    }
    watch::run(&format!("building the components {}", names.join(", ")), command)
}

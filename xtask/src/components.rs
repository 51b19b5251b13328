//! Builds the components and puts the finished ones where `spin.toml` looks for them.

use crate::{compose, paths};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What components are compiled for.
pub const TARGET: &str = "wasm32-wasip2";

/// Components that become one Spin component, `quarry`.
pub const COMPOSED: [&str; 4] = ["gateway", "orchestrator", "models", "courier"];

/// Components that are Spin components of their own.
pub const SEPARATE: [&str; 3] = ["web", "sandbox", "console"];

/// The one that runs code which nobody has to trust.
const METERED: &str = "sandbox";

/// How the components are optimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// As they ship: small, slow to build.
    Ship,
    /// For development: built in a fraction of the time.
    Quick,
}

impl Profile {
    fn name(self) -> &'static str {
        match self {
            Profile::Ship => "ship",
            Profile::Quick => "quick",
        }
    }
}

/// Builds everything and returns the finished files.
pub fn build(profile: Profile) -> Result<Vec<PathBuf>> {
    build_some(profile, &[])
}

/// Builds the named components, or all when none is named. `quarry` is composed anew when one
/// of its parts is among them.
pub fn build_some(profile: Profile, names: &[String]) -> Result<Vec<PathBuf>> {
    let all = || COMPOSED.iter().chain(&SEPARATE).copied();
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
    let built = paths::component_target().join(TARGET).join(profile.name());
    let finished = paths::finished();
    fs::create_dir_all(&finished).context("cannot create target/quarry")?;
    replace(&finished.join("profile"), profile.name().as_bytes())?;
    let mut files = Vec::new();
    for name in SEPARATE.into_iter().filter(|name| wanted(name)) {
        let file = finished.join(name).with_extension("wasm");
        let linked = built.join(name).with_extension("wasm");
        if name == METERED {
            let bytes =
                fs::read(&linked).with_context(|| format!("cannot read {}", linked.display()))?;
            replace_when_changed(&file, &quarry_meter::metered(&bytes)?)?;
        } else {
            copy_when_changed(&linked, &file)?;
        }
        files.push(file);
    }
    if COMPOSED.into_iter().any(wanted) {
        // The parts are kept too: a test reads what each of them may reach.
        let parts = finished.join("parts");
        fs::create_dir_all(&parts).context("cannot create target/quarry/parts")?;
        for name in COMPOSED {
            let file = parts.join(name).with_extension("wasm");
            copy_when_changed(&built.join(name).with_extension("wasm"), &file)?;
        }
        let quarry = finished.join("quarry.wasm");
        compose::compose(&built, &quarry)?;
        files.insert(0, quarry);
    }
    Ok(files)
}

/// Prints what was built and how large it is.
pub fn print_sizes(files: &[PathBuf]) -> Result<()> {
    let root = paths::root();
    for file in files {
        let bytes = fs::metadata(file)?.len();
        let shown = file.strip_prefix(&root).unwrap_or(file);
        println!("{:<28} {:>7.2} MB", shown.display(), bytes as f64 / 1e6);
    }
    Ok(())
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
    eprintln!("installing the Rust target {TARGET} …");
    let installed =
        Command::new("rustup").args(["target", "add", TARGET]).current_dir(paths::root()).status();
    match installed {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => bail!("`rustup target add {TARGET}` failed ({status})"),
        Err(error) => bail!(
            "the Rust target {TARGET} is missing and rustup cannot be run ({error})\n\
             hint: install the target with whatever installed Rust, then try again"
        ),
    }
}

/// One cargo call for a whole group, so that what its components share is compiled once. Never for a
/// part of one: cargo unites the features of dependencies over the packages that it is told, and a
/// component is compiled anew when those of its dependencies change. The sandbox's engine brings
/// features that `web` has not, so it is a group of its own.
fn compile(profile: Profile, names: &[&str]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.current_dir(paths::root());
    command.args(["build", "--target", TARGET, "--profile", profile.name(), "--target-dir"]);
    command.arg(paths::component_target());
    for name in names {
        command.args(["-p", name]);
    }
    let status = command.status().context("cannot run cargo")?;
    if !status.success() {
        bail!("the components do not build (see above)");
    }
    Ok(())
}

/// Copies a finished component, leaving an equal one untouched so that nothing that watches it
/// or caches by its date starts over.
fn copy_when_changed(from: &Path, to: &Path) -> Result<()> {
    let bytes = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    replace_when_changed(to, &bytes)
}

/// The same for what is no copy.
fn replace_when_changed(file: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(file).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    replace(file, bytes)
}

/// Writes a file in one step: whoever reads it meanwhile sees the old or the new one.
pub fn replace(file: &Path, bytes: &[u8]) -> Result<()> {
    let draft = file.with_extension(format!("{}.draft", std::process::id()));
    fs::write(&draft, bytes).with_context(|| format!("cannot write {}", draft.display()))?;
    fs::rename(&draft, file).with_context(|| format!("cannot write {}", file.display()))
}

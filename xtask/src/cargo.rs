//! Cargo, as the tasks run it.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use xtask::paths;

/// What names it to cargo.
pub const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// What compiles our own code and lints it, once that is wanted.
static LINTER: OnceLock<PathBuf> = OnceLock::new();

/// Where clippy's compiler is. What rustup has on the path may lead to nothing.
pub fn clippy_driver() -> Option<PathBuf> {
    crate::search_path::find("clippy-driver").filter(|driver| {
        let version = Command::new(driver).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    })
}

/// From now on whatever of ours is compiled is linted by that, and a warning is an error. Clippy by itself would look at
/// everything once more that ours stands on: some 400 packages, minutes on a machine that has none of it.
pub fn lint_by(clippy_driver: PathBuf) {
    LINTER.get_or_init(|| clippy_driver);
}

/// What tells a cargo to do so; also one that another task of ours runs.
pub fn linting() -> impl Iterator<Item = (&'static str, &'static OsStr)> {
    // As cargo-clippy hands its arguments on.
    let denied = OsStr::new("-D__CLIPPY_HACKERY__warnings");
    let by = |driver: &'static PathBuf| [(WRAPPER, driver.as_os_str()), ("CLIPPY_ARGS", denied)];
    LINTER.get().map(by).into_iter().flatten()
}

/// Cargo in the workspace's root, which lints what of ours it compiles once that is wanted.
pub fn command() -> Command {
    let mut command = clean();
    command.envs(linting());
    command
}

/// Cargo for what ships. It is compiled by nothing but the compiler: clippy's leaves out steps that make code small and
/// fast, as they hide from it what it looks for.
pub fn plain() -> Command {
    let mut command = clean();
    command.env_remove(WRAPPER);
    command
}

/// Without what the cargo that runs this task says of the task's own package: build scripts that look
/// at such names (`ring`'s does) would be run again, with all that stands on them, whenever a task and
/// a cargo by hand take turns.
fn clean() -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.current_dir(paths::root());
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| is_of_a_package(name.as_encoded_bytes()))
    {
        command.env_remove(name);
    }
    command
}

fn is_of_a_package(name: &[u8]) -> bool {
    [b"CARGO_PKG_".as_slice(), b"CARGO_MANIFEST_"].iter().any(|start| name.starts_with(start))
}

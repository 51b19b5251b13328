//! Cargo, as the tasks run it.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use xtask::paths;

/// What names it to cargo.
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// The compiler whose warnings are known here: the oldest that is supported.
pub const KNOWN: &str = env!("CARGO_PKG_RUST_VERSION");

/// Clippy's compiler.
#[derive(Debug, Clone)]
pub struct Linter {
    driver: PathBuf,
    /// It is newer than what is known here: it may warn of what is no fault to the one before.
    is_newer: bool,
}

/// What compiles our own code and lints it, once that is wanted.
static LINTER: OnceLock<Linter> = OnceLock::new();

impl Linter {
    /// The one that is on the path, if it runs. What rustup has there may lead to nothing.
    pub fn find() -> Option<Linter> {
        let driver = crate::search_path::find("clippy-driver")?;
        let version = Command::new(&driver).arg("--version").output().ok();
        let version = version.filter(|output| output.status.success())?;
        let is_newer = is_newer(&String::from_utf8_lossy(&version.stdout), KNOWN);
        Some(Linter { driver, is_newer })
    }

    /// Whether what it warns of is a mistake of ours. Whoever has a newer compiler is shown its new warnings, and tests all the same.
    pub const fn denies(&self) -> bool {
        !self.is_newer
    }

    /// What tells a cargo to compile by it.
    pub fn compiles(&self) -> (&'static str, &OsStr) {
        (WRAPPER, self.driver.as_os_str())
    }

    fn arguments(&self) -> &'static OsStr {
        // As cargo-clippy hands its arguments on.
        OsStr::new(if self.denies() { "-D__CLIPPY_HACKERY__warnings" } else { "" })
    }
}

/// Whether this clippy, `clippy 0.1.95 (…)`, is of a later Rust than this one, `1.95`.
fn is_newer(clippy: &str, known: &str) -> bool {
    let minor = |version: &str, at: usize| version.split('.').nth(at)?.trim().parse::<u32>().ok();
    let number = clippy.split_whitespace().nth(1).unwrap_or_default();
    minor(number, 2) > minor(known, 1)
}

/// From now on whatever of ours is compiled is linted by that. Clippy by itself would look at everything once more that ours
/// stands on: some 400 packages, minutes on a machine that has none of it.
pub fn lint_by(linter: Linter) {
    LINTER.get_or_init(|| linter);
}

/// What tells a cargo to do so; also one that another task of ours runs.
pub fn linting() -> impl Iterator<Item = (&'static str, &'static OsStr)> {
    let by = |linter: &'static Linter| [linter.compiles(), ("CLIPPY_ARGS", linter.arguments())];
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

#[cfg(test)]
mod tests {
    use super::is_newer;

    #[test]
    fn what_a_later_compiler_warns_of_is_told_from_what_is_known() {
        assert!(!is_newer("clippy 0.1.95 (59807616e1 2026-04-14)", "1.95"));
        assert!(!is_newer("clippy 0.1.94 (4a4ef493e3 2026-03-02)", "1.95"));
        assert!(is_newer("clippy 0.1.99 (58cf8f9c3a 2026-10-13)\n", "1.95"));
        assert!(is_newer("clippy 0.1.100 (0000000000 2026-11-26)", "1.95.0"));
        assert!(!is_newer("who knows", "1.95"), "what is not known is held to all");
    }
}

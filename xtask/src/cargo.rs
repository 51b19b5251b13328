//! Cargo, as the tasks run it.

use std::ffi::OsString;
use std::process::Command;
use xtask::paths;

/// Cargo in the workspace's root.
///
/// Without what the cargo that runs this task says of the task's own package: build scripts that look
/// at such names (`ring`'s does) would be run again, with all that stands on them, whenever a task and
/// a cargo by hand take turns.
pub fn command() -> Command {
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

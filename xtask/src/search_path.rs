//! What is installed, as a shell would find it.

use std::path::PathBuf;

/// Where a program is on the path.
pub fn find(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|directory| directory.join(program))
        .find(|file| file.is_file())
}

/// Whether a program is on the path.
pub fn is_installed(program: &str) -> bool {
    find(program).is_some()
}

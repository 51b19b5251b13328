//! Where things are. Every path is derived from the workspace's root.

use std::path::{Path, PathBuf};

/// The root of the workspace.
pub fn root() -> PathBuf {
    // This crate lies directly below the root.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where cargo builds the components; apart from the native target directory, so that a task
/// that runs under cargo never waits for the lock that cargo holds.
pub fn component_target() -> PathBuf {
    root().join("target/components")
}

/// Where the local host keeps components that it has compiled for this machine, wherever they lie.
pub fn host_cache() -> PathBuf {
    root().join("target/host-cache")
}

/// Where the stores lie of what is served without another place: Spin's own choice beside `spin.toml`.
pub fn state() -> PathBuf {
    root().join(".spin")
}

/// The list of the functions that an ask runs, which the build puts beside each other; `cargo xtask order` writes it.
pub fn order() -> PathBuf {
    root().join("components/order.txt")
}

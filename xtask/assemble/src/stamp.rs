//! What a finished file was made of, kept beside it, so that it is not made again of the same.

use anyhow::{Context, Result};
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use xtask::components::replace;

/// Tells one set of inputs from another; this program is one of them. Not kept across Rust releases:
/// a changed hash only means making the file once more.
pub struct Stamp(String);

impl Stamp {
    /// The stamp of these inputs.
    pub fn of<'a>(inputs: impl IntoIterator<Item = &'a [u8]>) -> Result<Stamp> {
        let program = std::env::current_exe().and_then(fs::read);
        let mut hasher = DefaultHasher::new();
        program.context("cannot read this program")?.hash(&mut hasher);
        for input in inputs {
            input.hash(&mut hasher);
        }
        Ok(Stamp(format!("{:016x}\n", hasher.finish())))
    }

    /// Whether the file is there and was made of these inputs.
    pub fn is_on(&self, file: &Path) -> bool {
        file.exists() && fs::read_to_string(beside(file)).is_ok_and(|old| old == self.0)
    }

    /// Says that the file was made of these inputs.
    pub fn put(&self, file: &Path) -> Result<()> {
        replace(&beside(file), self.0.as_bytes())
    }
}

fn beside(file: &Path) -> PathBuf {
    file.with_extension("stamp")
}

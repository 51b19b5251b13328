//! Source files: length, opening line, and no path of this machine.

use super::Findings;
use crate::paths;
use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines from which a file wants a second look, and from which it wants a split.
const LONG: usize = 500;
const TOO_LONG: usize = 800;

const IGNORED: [&str; 4] = ["target", ".git", ".spin", "node_modules"];

pub fn check(findings: &mut Findings) -> Result<()> {
    let root = paths::root();
    let own_paths = own_paths(&root);
    for file in walk(&root)? {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let shown = file.strip_prefix(&root).unwrap_or(&file).display();
        if file.extension().is_some_and(|extension| extension == "rs") {
            let lines = text.lines().count();
            if lines > TOO_LONG {
                findings.errors.push(format!("{shown} has {lines} lines; split it"));
            } else if lines > LONG {
                findings.warnings.push(format!("{shown} has {lines} lines"));
            }
            if !text.starts_with("//!") {
                findings.errors.push(format!("{shown} does not open with `//!`: say its purpose"));
            }
        }
        for path in own_paths.iter().filter(|path| text.contains(path.as_str())) {
            findings.errors.push(format!("{shown} names a path of this machine: {path}"));
        }
    }
    Ok(())
}

/// The checkout's path and the home directory's, where they are more than a bare slash.
fn own_paths(root: &Path) -> Vec<String> {
    let home = std::env::var("HOME").unwrap_or_default();
    let root = root.display().to_string();
    [root, home]
        .iter()
        .map(|path| format!("{}/", path.trim_end_matches('/')))
        .filter(|path| path.len() > 2)
        .collect()
}

fn walk(root: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() && !IGNORED.iter().any(|name| entry.file_name() == *name) {
                directories.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

//! The suite's files: tests, in order of their paths, and the harness.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::metadata::Metadata;

/// One test.
#[derive(Debug, Clone)]
pub struct Test {
    /// Below the suite's root, with slashes: `test/language/…`.
    pub path: String,
    /// Its text.
    pub source: String,
    /// Its front matter.
    pub metadata: Metadata,
}

impl Test {
    /// The folder directly below `test`.
    #[must_use]
    pub fn top(&self) -> &str {
        self.path.split('/').nth(1).unwrap_or_default()
    }

    /// The first folders of its path below `test`, as many as told.
    #[must_use]
    pub fn folder(&self, depth: usize) -> String {
        folder(&self.path, depth)
    }
}

/// The first folders of a test's path below `test`.
#[must_use]
pub fn folder(path: &str, depth: usize) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let folders = parts.len().saturating_sub(2).min(depth);
    parts.into_iter().skip(1).take(folders).collect::<Vec<_>>().join("/")
}

/// The suite on disk.
#[derive(Debug)]
pub struct Suite {
    /// Its tests, in order.
    pub tests: Vec<Test>,
    /// The harness files by name.
    pub harness: BTreeMap<String, String>,
}

impl Suite {
    /// Reads the suite in `root`: the tests whose path contains `filter`.
    ///
    /// # Errors
    /// When this is no checkout of the suite, or a test's front matter is not understood.
    pub fn read(root: &Path, filter: &str) -> Result<Self> {
        let harness = root.join("harness");
        let tests = root.join("test");
        if !harness.is_dir() || !tests.is_dir() {
            bail!(
                "{} has no folders `test` and `harness`; name a checkout of tc39/test262",
                root.display()
            );
        }
        let harness = read_harness(&harness)?;
        let mut files = Vec::new();
        walk(&tests, &mut files)?;
        files.sort();
        let mut read = Vec::new();
        for file in files {
            let path = relative(root, &file);
            // Fixtures are imported by tests and are none themselves.
            if path.contains("_FIXTURE") || !path.ends_with(".js") || !path.contains(filter) {
                continue;
            }
            let source = text(&file)?;
            let metadata =
                Metadata::parse(&source).with_context(|| format!("cannot read {path}"))?;
            read.push(Test { path, source, metadata });
        }
        Ok(Self { tests: read, harness })
    }
}

fn read_harness(root: &Path) -> Result<BTreeMap<String, String>> {
    let mut files = Vec::new();
    walk(root, &mut files)?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "js"));
    files.into_iter().map(|file| Ok((relative(root, &file), text(&file)?))).collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder);
    for entry in entries.with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

fn relative(root: &Path, file: &Path) -> String {
    let path = file.strip_prefix(root).unwrap_or(file);
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The engines take UTF-8, so what is not (none as of 2026) is replaced.
fn text(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_never_includes_the_file() {
        assert_eq!(folder("test/language/a/b.js", 1), "language");
        assert_eq!(folder("test/language/a/b.js", 3), "language/a");
    }

    #[test]
    fn a_directory_without_the_suite_is_refused() {
        let empty = tempfile::tempdir().unwrap();
        let error = Suite::read(empty.path(), "").unwrap_err();
        assert!(error.to_string().contains("tc39/test262"));
    }
}

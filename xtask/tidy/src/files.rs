//! Source files: length, opening line, that a `mod` names them, and no path of this machine.

use crate::Findings;
use anyhow::Result;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use xtask::paths;

/// Lines from which a file wants a second look, and from which it wants a split.
const LONG: usize = 500;
const TOO_LONG: usize = 800;

const IGNORED: [&str; 4] = ["target", ".git", ".spin", "node_modules"];

pub fn check(findings: &mut Findings) -> Result<()> {
    let root = paths::root();
    let own_paths = own_paths(&root);
    let mut sources = Vec::new();
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
        for path in own_paths.iter().filter(|path| names(&text, path)) {
            findings.errors.push(format!("{shown} names a path of this machine: {path}"));
        }
        if file.extension().is_some_and(|extension| extension == "rs") {
            sources.push((file.strip_prefix(&root).unwrap_or(&file).to_owned(), text));
        }
    }
    for file in unnamed(&sources) {
        let shown = file.display();
        findings.errors.push(format!("{shown} is named by no `mod`, so nothing compiles it"));
    }
    Ok(())
}

/// Modules that no file beside or above them names. The compiler does not miss them, and what
/// they were to add is not there.
fn unnamed(sources: &[(PathBuf, String)]) -> Vec<&Path> {
    let is_module = |file: &Path| {
        let stem = file.file_stem().and_then(OsStr::to_str);
        file.components().any(|part| part.as_os_str() == "src")
            && !matches!(stem, Some("lib" | "main"))
    };
    let is_named = |file: &Path| {
        let Some(folder) = file.parent() else { return false };
        // `x/mod.rs` is the module `x` of the folder above.
        let is_folder = file.file_name() == Some(OsStr::new("mod.rs"));
        let module = if is_folder { folder } else { file };
        let name = module.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        let above = module.parent().unwrap_or(folder);
        let (declared, located) = (format!("mod {name};"), format!("{name}.rs\"]"));
        sources.iter().any(|(from, text)| {
            (from.parent() == Some(above) || *from == above.with_extension("rs"))
                && text.lines().map(str::trim).any(|line| {
                    !line.starts_with("//")
                        && (line.ends_with(&declared) || line.ends_with(&located))
                })
        })
    };
    let modules = sources.iter().map(|(file, _)| file.as_path()).filter(|file| is_module(file));
    modules.filter(|file| !is_named(file)).collect()
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

/// Whether a text names a folder or something in it. What only ends a longer path is another's: `crates/a/src/` names no
/// `/src/`.
fn names(text: &str, folder: &str) -> bool {
    let begins = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let is_longer = |sign: char| sign.is_alphanumeric() || "/._-~*…>})]".contains(sign);
        before.ends_with("file://") || !before.ends_with(is_longer)
    };
    text.match_indices(folder).any(|(at, _)| begins(at))
}

/// All files of the house but those that are made.
pub fn walk(root: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            // Where several checkouts share a repository, `.git` is a file that names its path.
            if IGNORED.iter().any(|name| entry.file_name() == *name) {
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_dir() {
                directories.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_by_its_whole_path_and_not_by_the_end_of_another() {
        for named in ["/src/", "see /src/a.rs", "\"/src/a\"", "PATH=/bin:/src/b", "file:///src/a"] {
            assert!(names(named, "/src/"), "{named}");
        }
        let others =
            ["crates/a/src/b.rs", "../src/b", "~/src/", "{root}/src/", "**/src/", "/srcs/"];
        for other in others {
            assert!(!names(other, "/src/"), "{other}");
        }
        assert!(names("/home/ada/quarry/spin.toml", "/home/ada/"));
    }

    #[test]
    fn no_file_of_the_house_names_where_checkouts_often_lie() {
        let often = ["/src/", "/app/", "/work/", "/workspace/", "/build/", "/repo/", "/code/"];
        let files = walk(&paths::root()).unwrap();
        // These lines name them.
        for file in files.iter().filter(|file| !file.ends_with("xtask/tidy/src/files.rs")) {
            let text = fs::read_to_string(file).unwrap_or_default();
            let named = often.into_iter().find(|folder| names(&text, folder));
            assert_eq!(named, None, "in {}", file.display());
        }
    }

    #[test]
    fn a_module_that_nothing_names_is_noticed() {
        let sources = [
            ("crates/a/src/lib.rs", "mod b;\n#[path = \"c_tests.rs\"]\nmod tests;\n// mod lost;\n"),
            ("crates/a/src/b/mod.rs", "pub(crate) mod inner;\n"),
            ("crates/a/src/b/inner.rs", "mod deep;\n"),
            ("crates/a/src/b/inner/deep.rs", ""),
            ("crates/a/src/c_tests.rs", ""),
            ("crates/a/src/lost.rs", ""),
            ("crates/a/src/b/lost.rs", ""),
            ("crates/a/tests/whole.rs", ""),
        ];
        let sources = sources.map(|(file, text)| (PathBuf::from(file), text.to_owned()));
        let lost = ["crates/a/src/lost.rs", "crates/a/src/b/lost.rs"];
        assert_eq!(unnamed(&sources), lost.map(Path::new));
    }
}

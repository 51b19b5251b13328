//! What there is to load: files, and archives with files in them.
//!
//! Border: looks at a disk, and at archives as far as it takes to know that they are whole and within bounds. Nothing
//! is followed that leads elsewhere, and nothing is written.

use crate::archive::{self, Packing};
use crate::load::Refused;
use anyhow::{Context, Result, bail};
use quarry_knowledge::intake::place_name;
use std::fs::DirEntry;
use std::io;
use std::path::{Path, PathBuf};

/// Folders within folders.
const DEPTH: usize = 64;

/// A file, or an archive of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where it lies.
    pub path: PathBuf,
    /// What it is called, or what its files' names begin with.
    pub name: String,
    /// None: a file as it is.
    pub packing: Option<Packing>,
    /// Bytes of its files, unpacked, as they were found.
    pub bytes: u64,
}

/// What is to be loaded.
#[derive(Debug, Default)]
pub struct Survey {
    /// What tells its files from those of the same names that lie elsewhere.
    pub origin: String,
    /// In the order of their names.
    pub places: Vec<Place>,
    /// Files in all places.
    pub files: u64,
    /// Their bytes, unpacked.
    pub bytes: u64,
    /// What was found and cannot be loaded.
    pub refused: Vec<Refused>,
}

/// Looks at a folder with all that is below it, at a file, or at an archive.
///
/// # Errors
/// Where there is nothing of that name, or it cannot be read.
pub fn survey(path: &Path) -> Result<Survey> {
    let about =
        std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut survey = Survey { origin: origin(path)?, ..Survey::default() };
    if about.is_dir() {
        let entries = entries(path);
        let entries =
            entries.with_context(|| format!("cannot read the folder {}", path.display()))?;
        survey.folder(entries, "", 0);
    } else {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.with_context(|| format!("the name of {} is no UTF-8", path.display()))?;
        match Packing::of_name(name) {
            // Names in an archive that is asked for by itself are names as they are.
            Some(packing) => survey.archive(path.to_owned(), name, String::new(), packing),
            None => survey.file(path.to_owned(), name.to_owned(), about.len()),
        }
    }
    if survey.places.is_empty() && survey.refused.is_empty() {
        bail!("there is no file in {}", path.display());
    }
    Ok(survey)
}

/// What the place of a folder or an archive is called; of a file by itself that of the folder which has it, which names
/// it in the same way.
fn origin(path: &Path) -> Result<String> {
    let place = path.canonicalize();
    let place = place.with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_whole = place.is_dir() || Packing::of_name(name).is_some();
    let folder = if is_whole { None } else { place.parent() };
    Ok(place_name(folder.unwrap_or(&place).as_os_str().as_encoded_bytes()))
}

/// What a folder has, in the order of its names.
fn entries(folder: &Path) -> io::Result<Vec<DirEntry>> {
    let mut entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}

/// Whether a name is not meant for readers: of a version control, of a desktop.
pub fn is_hidden(name: &str) -> bool {
    name.split('/')
        .any(|part| part.starts_with('.') && part != "." && part != ".." || part == "__MACOSX")
}

impl Survey {
    fn folder(&mut self, entries: Vec<DirEntry>, prefix: &str, depth: usize) {
        for entry in entries {
            let file_name = entry.file_name();
            let shown = format!("{prefix}{}", file_name.to_string_lossy());
            match file_name.to_str() {
                None => self.refuse(shown, "its name is no UTF-8; rename it"),
                Some(plain) if is_hidden(plain) => {}
                Some(plain) => {
                    if let Err(error) = self.entry(&entry, plain, &shown, depth) {
                        self.refuse(shown, &format!("it cannot be read: {error}"));
                    }
                }
            }
        }
    }

    fn entry(
        &mut self,
        entry: &DirEntry,
        plain: &str,
        shown: &str,
        depth: usize,
    ) -> io::Result<()> {
        let kind = entry.file_type()?;
        if kind.is_symlink() {
            self.refuse(
                shown.to_owned(),
                "it is a link, and links are not followed; copy what it leads to",
            );
        } else if kind.is_dir() && depth == DEPTH {
            self.refuse(
                shown.to_owned(),
                &format!("it lies more than {DEPTH} folders deep; load it by itself"),
            );
        } else if kind.is_dir() {
            self.folder(entries(&entry.path())?, &format!("{shown}/"), depth + 1);
        } else if kind.is_file() {
            match Packing::of_name(plain) {
                Some(packing) => {
                    self.archive(entry.path(), shown, format!("{shown}/"), packing);
                }
                None => self.file(entry.path(), shown.to_owned(), entry.metadata()?.len()),
            }
        } else {
            self.refuse(shown.to_owned(), "it is neither a file nor a folder; leave it out");
        }
        Ok(())
    }

    fn file(&mut self, path: PathBuf, name: String, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
        self.places.push(Place { path, name, packing: None, bytes });
    }

    /// An archive as a whole, or not at all.
    fn archive(&mut self, path: PathBuf, shown: &str, prefix: String, packing: Packing) {
        match archive::check(&path, packing) {
            Ok(held) => {
                self.files += held.files;
                self.bytes += held.bytes;
                let (packing, bytes) = (Some(packing), held.bytes);
                self.places.push(Place { path, name: prefix, packing, bytes });
            }
            Err(error) => self.refuse(shown.to_owned(), &format!("{error:#}")),
        }
    }

    fn refuse(&mut self, name: String, why: &str) {
        self.refused.push(Refused { name, why: why.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_is_its_files_in_order_and_hidden_ones_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("b/.git")).unwrap();
        for name in ["b/two.md", "a.txt", ".secret.md", "b/.git/config"] {
            fs::write(at(name), "12345").unwrap();
        }
        let survey = survey(folder.path()).unwrap();
        let names: Vec<&str> = survey.places.iter().map(|place| place.name.as_str()).collect();
        assert_eq!(names, ["a.txt", "b/two.md"]);
        assert_eq!((survey.files, survey.bytes, survey.refused.len()), (2, 10, 0));
        assert_eq!(super::survey(&at("a.txt")).unwrap().places[0].name, "a.txt");
    }

    #[test]
    fn an_origin_is_the_place_in_which_names_begin() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("docs")).unwrap();
        for name in ["docs/a.txt", "docs.zip"] {
            fs::write(at(name), "12345").unwrap();
        }
        let real = folder.path().canonicalize().unwrap();
        let origin = |name: &str| survey(&at(name)).unwrap().origin;
        for (path, place) in [
            ("docs", "docs"),
            ("docs/../docs/", "docs"),
            ("docs/a.txt", "docs"),
            // It is no archive, but that is said elsewhere.
            ("docs.zip", "docs.zip"),
        ] {
            let whole = real.join(place);
            assert_eq!(origin(path), place_name(whole.as_os_str().as_encoded_bytes()), "{path}");
            assert!(origin(path).starts_with(&format!("{place} #")), "{}", origin(path));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn folders_whose_names_are_no_text_are_two_places() {
        use std::os::unix::ffi::OsStrExt as _;
        let folder = tempfile::tempdir().unwrap();
        let origins = [b"caf\xe9", b"caf\xe8"].map(|name| {
            let inner = folder.path().join(std::ffi::OsStr::from_bytes(name));
            fs::create_dir(&inner).unwrap();
            fs::write(inner.join("a.md"), "a").unwrap();
            survey(&inner).unwrap().origin
        });
        assert_ne!(origins[0], origins[1]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_refused_and_loops_do_not_matter() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.md"), "a").unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("round")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("passwd.txt")).unwrap();
        let survey = survey(folder.path()).unwrap();
        let refused: Vec<&str> = survey.refused.iter().map(|one| one.name.as_str()).collect();
        assert_eq!((survey.files, refused), (1, vec!["passwd.txt", "round"]));
        assert!(survey.refused[0].why.starts_with("it is a link"));
    }

    #[test]
    fn a_folder_below_that_cannot_be_read_stops_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        fs::create_dir(at("gone")).unwrap();
        for name in ["a.md", "deep/b.md", "gone/c.md", "z.md"] {
            fs::write(at(name), "12345").unwrap();
        }
        let top = entries(folder.path()).unwrap();
        // Whoever runs this may read everything: what is not there any more nobody can.
        fs::remove_dir_all(at("gone")).unwrap();
        let mut survey = Survey::default();
        survey.folder(top, "", 0);
        let names: Vec<&str> = survey.places.iter().map(|place| place.name.as_str()).collect();
        assert_eq!((names, survey.files), (vec!["a.md", "deep/b.md", "z.md"], 3));
        assert_eq!(survey.refused.len(), 1, "{:?}", survey.refused);
        assert_eq!(survey.refused[0].name, "gone");
        assert!(survey.refused[0].why.starts_with("it cannot be read: "), "{:?}", survey.refused);
    }

    #[test]
    fn nothing_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let empty = survey(folder.path()).unwrap_err().to_string();
        assert!(empty.starts_with("there is no file in "), "{empty}");
        let gone = survey(&folder.path().join("gone")).unwrap_err().to_string();
        assert!(gone.starts_with("cannot read ") && gone.ends_with("gone"), "{gone}");
    }
}

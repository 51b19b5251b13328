//! What there is to read in a folder, and what cannot be read of it.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A folder with all that is below it; hidden names left out.
#[derive(Default)]
pub struct Walked {
    /// In the order of their names.
    pub files: Vec<PathBuf>,
    /// What is left out, and stops nothing else.
    pub unread: Vec<Unread>,
    /// Those that are still to be looked into.
    folders: Vec<PathBuf>,
}

/// Something that is left out.
pub struct Unread {
    pub path: PathBuf,
    /// What is wrong with it, to stand behind its name.
    pub why: String,
    /// Whether there are files below it: nobody knows their names.
    pub is_folder: bool,
}

/// Looks at a folder with all that is below it.
///
/// # Errors
/// Where the folder itself cannot be read.
pub fn walk(folder: &Path) -> Result<Walked> {
    let mut walked = Walked::default();
    walked.look(folder).with_context(|| folder.display().to_string())?;
    walked.look_below();
    walked.files.sort();
    Ok(walked)
}

/// What is said of something that cannot be read.
pub fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

impl Walked {
    fn look_below(&mut self) {
        while let Some(folder) = self.folders.pop() {
            if let Err(error) = self.look(&folder) {
                self.leave_out(folder, unreadable(&error), true);
            }
        }
    }

    fn look(&mut self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let path = entry.path();
            match fs::metadata(&path) {
                Ok(about) if about.is_file() => self.files.push(path),
                // A link may lead back to where it lies.
                Ok(about) if about.is_dir() && path.is_symlink() => {
                    self.leave_out(path, "is a link to a folder".to_owned(), true);
                }
                Ok(about) if about.is_dir() => self.folders.push(path),
                Ok(_) => self.leave_out(path, "is neither a file nor a folder".to_owned(), false),
                Err(error) => self.leave_out(path, unreadable(&error), false),
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, path: PathBuf, why: String, is_folder: bool) {
        self.unread.push(Unread { path, why, is_folder });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_below_that_cannot_be_read_is_left_out_and_the_top_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let (gone, there) = (folder.path().join("gone"), folder.path().join("there"));
        for each in [&gone, &there] {
            fs::create_dir(each).unwrap();
            fs::write(each.join("a.md"), "a").unwrap();
        }
        let mut walked = Walked::default();
        walked.look(folder.path()).unwrap();
        // Whoever runs this may read everything: what is not there any more nobody can.
        fs::remove_dir_all(&gone).unwrap();
        walked.look_below();
        assert_eq!(walked.files, [there.join("a.md")]);
        let unread: Vec<_> = walked.unread.iter().map(|one| (&one.path, one.is_folder)).collect();
        assert_eq!(unread, [(&gone, true)]);
        assert!(walked.unread[0].why.starts_with("cannot be read: "), "{}", walked.unread[0].why);
        let error = walk(&gone).err().unwrap().to_string();
        assert_eq!(error, gone.display().to_string());
    }
}

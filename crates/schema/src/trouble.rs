//! What a database says when it fails: whether that passes by itself, and what somebody has to do where it does not.

/// What is wrong with a database until somebody mends it: another try will not help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// There is no room for what is to be written.
    #[error("the disk of the database is full; {}", Defect::Full.remedy())]
    Full,
    /// It can be read and not written.
    #[error("the database may only be read; {}", Defect::ReadOnly.remedy())]
    ReadOnly,
    /// Its disk does not read or write.
    #[error("the disk of the database fails; {}", Defect::Disk.remedy())]
    Disk,
    /// Its file does not open.
    #[error("the file of the database cannot be opened; {}", Defect::Unopened.remedy())]
    Unopened,
    /// What its file holds is none, or is broken.
    #[error("the file of the database is damaged, or is no database; {}", Defect::Damaged.remedy())]
    Damaged,
}

impl Defect {
    /// What a failed statement says of it; none: it is not to blame, or nobody knows.
    #[must_use]
    pub fn of(message: &str) -> Option<Defect> {
        let says = |words: &str| message.contains(words);
        if says("disk is full") {
            Some(Defect::Full)
        } else if says("readonly database") {
            Some(Defect::ReadOnly)
        } else if says("disk I/O error") {
            Some(Defect::Disk)
        } else if says("unable to open database file") {
            Some(Defect::Unopened)
        } else if says("file is not a database") || says("database disk image is malformed") {
            Some(Defect::Damaged)
        } else {
            None
        }
    }

    /// What helps.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        match self {
            Defect::Full => "make room where it is kept",
            Defect::ReadOnly => {
                "let the server write to its file and to the folder that it lies in"
            }
            Defect::Disk => "look after the disk that it is kept on",
            Defect::Unopened => {
                "see that its folder is there, and let the server read and write both"
            }
            Defect::Damaged => "put a copy of it back that is whole, or move it away",
        }
    }
}

/// Whether others held the database for as long as a statement waits: it has done nothing then, and another try helps.
#[must_use]
pub fn is_locked(message: &str) -> bool {
    message.contains("database is locked") || message.contains("database table is locked")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::{Connection, OpenFlags};

    #[test]
    fn what_passes_is_told_from_what_somebody_has_to_mend() {
        for (message, defect, locked) in [
            ("database is locked", None, true),
            ("database table is locked: run", None, true),
            ("database or disk is full", Some(Defect::Full), false),
            ("attempt to write a readonly database", Some(Defect::ReadOnly), false),
            ("disk I/O error", Some(Defect::Disk), false),
            ("unable to open database file: `state/sqlite_db.db`", Some(Defect::Unopened), false),
            ("file is not a database", Some(Defect::Damaged), false),
            ("database disk image is malformed", Some(Defect::Damaged), false),
            ("no such table: run", None, false),
        ] {
            assert_eq!((Defect::of(message), is_locked(message)), (defect, locked), "{message}");
        }
    }

    /// In SQLite's own words, whatever version of it says them.
    #[test]
    fn sqlite_says_it_so() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file.db");
        let holder = Connection::open(&file).unwrap();
        holder.execute_batch("CREATE TABLE t (x)").unwrap();
        let insert = "INSERT INTO t VALUES (randomblob(100000))";
        let reader = Connection::open_with_flags(&file, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        let why = reader.execute(insert, []).unwrap_err().to_string();
        assert_eq!(Defect::of(&why), Some(Defect::ReadOnly), "{why}");
        holder.pragma_update(None, "max_page_count", 2).unwrap();
        let why = holder.execute(insert, []).unwrap_err().to_string();
        assert_eq!(Defect::of(&why), Some(Defect::Full), "{why}");
        let nowhere = folder.path().join("none/file.db");
        let why = Connection::open(nowhere).unwrap_err().to_string();
        assert_eq!(Defect::of(&why), Some(Defect::Unopened), "{why}");
        let text = folder.path().join("text.db");
        std::fs::write(&text, "no database ".repeat(100)).unwrap();
        let why = Connection::open(&text).unwrap().execute(insert, []).unwrap_err().to_string();
        assert_eq!(Defect::of(&why), Some(Defect::Damaged), "{why}");
        holder.execute_batch("BEGIN EXCLUSIVE").unwrap();
        let other = Connection::open(&file).unwrap();
        other.busy_timeout(std::time::Duration::ZERO).unwrap();
        let why = other.execute(insert, []).unwrap_err().to_string();
        assert!(is_locked(&why) && Defect::of(&why).is_none(), "{why}");
    }

    #[test]
    fn each_defect_says_what_to_do() {
        let all = [Defect::Full, Defect::ReadOnly, Defect::Disk, Defect::Unopened, Defect::Damaged];
        for defect in all {
            let told = defect.to_string();
            assert!(told.ends_with(defect.remedy()) && !told.contains("try again"), "{told}");
        }
    }
}

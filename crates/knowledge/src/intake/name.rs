//! Whose a collection is, what it is called, and what files are.

use crate::library::LibraryError;

/// The collection of whoever names none.
pub const DEFAULT: &str = "default";
/// Characters of a collection's name.
const NAME: usize = 64;
/// Characters of a file's name with its folders.
const PATH: usize = 500;

/// To whom collections belong: a caller with a name, or all who have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner(String);

impl Owner {
    /// The owner that a caller is, by the name that was proven.
    #[must_use]
    pub fn new(caller: Option<&str>) -> Owner {
        Owner(caller.unwrap_or_default().to_owned())
    }

    /// Empty for all who have no name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionName(String);

impl CollectionName {
    /// Reads one; none: `default`.
    ///
    /// # Errors
    /// [`LibraryError::Field`] for what is no name.
    pub fn read(name: Option<&str>) -> Result<CollectionName, LibraryError> {
        let name = name.unwrap_or(DEFAULT);
        let plain = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
        };
        if (1..=NAME).contains(&name.len()) && name.bytes().all(plain) {
            return Ok(CollectionName(name.to_owned()));
        }
        let wants = format!("wants 1 to {NAME} of a–z, 0–9, - and _, as in field-manuals");
        Err(LibraryError::field("collection", wants))
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn is_default(&self) -> bool {
        self.0 == DEFAULT
    }
}

/// Checks the name of a file, which may have folders.
///
/// # Errors
/// [`LibraryError::Field`] for a name that leads elsewhere, or cannot be shown.
pub fn check_path(name: &str) -> Result<(), LibraryError> {
    let shown: String = name.chars().filter(|c| !c.is_control()).take(80).collect();
    let wrong = |why: &str| Err(LibraryError::field("file", format!("`{shown}` {why}")));
    if name.trim().is_empty() {
        return wrong("has no name; send one with its ending, as in notes.md");
    }
    if name.chars().nth(PATH).is_some() {
        return wrong(&format!("has a name of more than {PATH} characters; shorten it"));
    }
    // So it stands for what was no UTF-8, and names that differ would be the same.
    if name.contains(char::REPLACEMENT_CHARACTER) {
        return wrong("has a name that is no UTF-8; rename it");
    }
    if name.chars().any(|c| c.is_control() || c == '\\') {
        return wrong("has a backslash or a control character in its name; part folders by /");
    }
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    let is_odd = |part: &str| matches!(part, "" | "." | "..");
    if has_drive || name.split('/').any(is_odd) {
        return wrong(
            "is no path below a folder; send it without a leading /, without drive, `.` and `..`",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_has_a_plain_name() {
        assert_eq!(CollectionName::read(None).unwrap().as_str(), "default");
        assert!(CollectionName::read(Some("field-manuals_2")).is_ok());
        for wrong in ["", "A", "a/b", "ä", "a b", "../x", &"a".repeat(65)] {
            let refused = CollectionName::read(Some(wrong)).unwrap_err().to_string();
            assert!(refused.starts_with("`collection` wants 1 to 64"), "{wrong}: {refused}");
        }
    }

    #[test]
    fn a_name_stays_below_its_folder() {
        for good in ["a.md", "02_carriers/fees 2024.md", "日本/灯台.txt", "a..b.md"] {
            assert_eq!(check_path(good), Ok(()), "{good}");
        }
        for wrong in [
            "",
            " ",
            "/etc/passwd",
            "../a.md",
            "a/../b.md",
            "./a.md",
            "a//b.md",
            "C:/a.md",
            "a\\b.md",
            "a\nb.md",
            "caf\u{fffd}.md",
        ] {
            let refused = check_path(wrong).unwrap_err().to_string();
            assert!(refused.starts_with("`file` `") && refused.contains(';'), "{refused}");
            assert!(!refused.contains('\n'));
        }
        assert!(check_path(&"é".repeat(501)).is_err() && check_path(&"é".repeat(500)).is_ok());
    }
}

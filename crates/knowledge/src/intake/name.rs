//! Whose a collection is, and what files are called.

use crate::library::LibraryError;

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
    use quarry_types::CollectionName;

    #[test]
    fn what_is_no_name_of_a_collection_names_the_field() {
        let refused = LibraryError::from(CollectionName::read(Some("A b")).unwrap_err());
        assert!(refused.to_string().starts_with("`collection` wants 1 to 64"), "{refused}");
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

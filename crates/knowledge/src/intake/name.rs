//! Whose a collection is, what it is called, and where its documents come from.

use crate::library::LibraryError;

/// The collection of whoever names none.
pub const DEFAULT: &str = "default";
/// Characters of a collection's name.
const NAME: usize = 64;
/// Characters of a file's name with its folders.
const PATH: usize = 500;
/// Characters of what an origin is called.
pub const MAX_ORIGIN: usize = 2_048;

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

/// Where a document comes from, as whoever loads it says, and what that means for one of the same id that is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// None: nobody says, and what is there is replaced whatever it is.
    name: Option<String>,
    /// Whether it is meant to take the place of one from elsewhere.
    replaces: bool,
}

impl Origin {
    /// Reads one. Nothing but blanks says nothing.
    ///
    /// # Errors
    /// [`LibraryError::Field`] for what cannot be shown.
    pub fn read(name: Option<String>, replaces: bool) -> Result<Origin, LibraryError> {
        let name = name.filter(|name| !name.trim().is_empty());
        let is_odd = |name: &String| {
            name.chars().nth(MAX_ORIGIN).is_some() || name.chars().any(char::is_control)
        };
        if name.as_ref().is_some_and(is_odd) {
            let wants = format!("wants one line of at most {MAX_ORIGIN} characters");
            return Err(LibraryError::field("origin", wants));
        }
        Ok(Origin { name, replaces })
    }

    /// As it is kept.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The one that is kept, and the one that comes, where a document may not take the place of what is there.
    pub(crate) fn clash<'o>(&'o self, kept: Option<&'o str>) -> Option<(&'o str, &'o str)> {
        let (kept, comes) = (kept?, self.name()?);
        (kept != comes && !self.replaces).then_some((kept, comes))
    }

    /// The one that a document which is there with the same bytes has from now on, where that is another than it had.
    pub(crate) fn instead_of(&self, kept: Option<&str>) -> Option<&str> {
        self.name().filter(|name| kept.is_none_or(|kept| kept != *name && self.replaces))
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
    fn only_what_is_said_to_come_from_elsewhere_clashes() {
        let of = |name: &str, replaces| Origin::read(Some(name.to_owned()), replaces).unwrap();
        let clashes = |origin: &Origin, kept| origin.clash(kept).is_some();
        assert!(!clashes(&Origin::default(), Some("/a")) && !clashes(&of("/a", false), None));
        assert!(!clashes(&of("/a", false), Some("/a")) && !clashes(&of("/a", true), Some("/b")));
        assert_eq!(of("/a", false).clash(Some("/b")), Some(("/b", "/a")));
        assert_eq!(of("/a", false).instead_of(None), Some("/a"));
        assert_eq!(of("/a", true).instead_of(Some("/b")), Some("/a"));
        for kept in ["/a", "/b"] {
            assert_eq!(of("/a", false).instead_of(Some(kept)), None);
        }
        assert_eq!(of(" ", false), Origin::default());
        for wrong in ["a\nb", &"a".repeat(MAX_ORIGIN + 1)] {
            let refused = Origin::read(Some(wrong.to_owned()), false).unwrap_err().to_string();
            assert!(refused.starts_with("`origin` wants one line of at most 2048"), "{refused}");
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
        ] {
            let refused = check_path(wrong).unwrap_err().to_string();
            assert!(refused.starts_with("`file` `") && refused.contains(';'), "{refused}");
            assert!(!refused.contains('\n'));
        }
        assert!(check_path(&"é".repeat(501)).is_err() && check_path(&"é".repeat(500)).is_ok());
    }
}

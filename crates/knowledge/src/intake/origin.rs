//! Where a document comes from, and of which other one it may take the place.
//!
//! Border: what whoever loads it says; what is there is compared with that by the library.

use super::mark;
use crate::library::LibraryError;

/// Characters of what an origin is called.
const MAX_ORIGIN: usize = 2_048;

/// What a place on the loader's machine is called to all who share a collection: its name, and a mark that tells it from
/// others of that name. The way to it is nobody else's business.
#[must_use]
pub fn place_name(path: &[u8]) -> String {
    let is_end = |byte: &u8| matches!(byte, b'/' | b'\\');
    let mut parts = path.split(is_end).filter(|part| !part.is_empty());
    let name = String::from_utf8_lossy(parts.next_back().unwrap_or_default()).into_owned();
    let plain = |sign: char| if sign.is_control() { char::REPLACEMENT_CHARACTER } else { sign };
    let name: String = name.chars().map(plain).collect();
    format!("{name} #{}", mark(path)).trim_start().to_owned()
}

/// Of which document that is there with other bytes one may take the place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Replaces {
    /// Of none: somebody is asked first.
    Nothing,
    /// Of one that does not come from elsewhere.
    #[default]
    Own,
    /// Of whatever is there.
    Anything,
}

/// Where a document comes from, as whoever loads it says, and what that means for one of the same id that is there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// None: nobody says, and what is there is replaced whatever it is.
    name: Option<String>,
    replaces: Replaces,
    /// The ids of documents that were sent with it, and before it: it takes the place of none of them.
    sent_before: Vec<String>,
}

impl Origin {
    /// Reads one. Nothing but blanks says nothing.
    ///
    /// # Errors
    /// [`LibraryError::Field`] for what cannot be shown.
    pub fn read(name: Option<String>, replaces: Replaces) -> Result<Origin, LibraryError> {
        let name = name.filter(|name| !name.trim().is_empty());
        let is_odd = |name: &String| {
            name.chars().nth(MAX_ORIGIN).is_some() || name.chars().any(char::is_control)
        };
        if name.as_ref().is_some_and(is_odd) {
            let wants = format!("wants one line of at most {MAX_ORIGIN} characters");
            return Err(LibraryError::field("origin", wants));
        }
        Ok(Origin { name, replaces, sent_before: Vec::new() })
    }

    /// The same behind others that were sent with it.
    #[must_use]
    pub fn behind(self, sent_before: Vec<String>) -> Origin {
        Origin { sent_before, ..self }
    }

    /// As it is kept.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether somebody is to be asked before anything is replaced.
    pub(crate) fn asks_first(&self) -> bool {
        self.replaces == Replaces::Nothing
    }

    /// The one that is kept, and the one that comes, where a document may not take the place of what is there.
    pub(crate) fn clash<'o>(&'o self, kept: Option<&'o str>) -> Option<(&'o str, &'o str)> {
        let (kept, comes) = (kept?, self.name()?);
        (!is_same(kept, comes) && self.replaces != Replaces::Anything).then_some((kept, comes))
    }

    /// The one that a document which is there with the same bytes has from now on, where that is another than it had.
    pub(crate) fn instead_of(&self, kept: Option<&str>) -> Option<&str> {
        let changes = |kept: &str, comes: &str| {
            kept != comes && (is_same(kept, comes) || self.replaces == Replaces::Anything)
        };
        self.name().filter(|comes| kept.is_none_or(|kept| changes(kept, comes)))
    }

    /// Whether a file of another name that has the same id is beside this one, and no earlier name of it.
    pub(crate) fn is_beside(&self, id: &str, kept: Option<&str>) -> bool {
        let is_of_one_place =
            self.name().zip(kept).is_some_and(|(comes, kept)| is_same(kept, comes));
        let is_sent_before = self.sent_before.iter().any(|before| before == id);
        is_sent_before
            || self.asks_first()
            || is_of_one_place && self.replaces != Replaces::Anything
    }
}

/// Whether two names are of one place. Before places had names of their own, the whole path was kept.
fn is_same(kept: &str, comes: &str) -> bool {
    kept == comes || place_name(kept.as_bytes()) == comes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, replaces: Replaces) -> Origin {
        Origin::read(Some(name.to_owned()), replaces).unwrap()
    }

    #[test]
    fn only_what_is_said_to_come_from_elsewhere_clashes() {
        let of = |name: &str, anything| {
            of(name, if anything { Replaces::Anything } else { Replaces::Own })
        };
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
            let refused =
                Origin::read(Some(wrong.to_owned()), Replaces::Own).unwrap_err().to_string();
            assert!(refused.starts_with("`origin` wants one line of at most 2048"), "{refused}");
        }
    }

    #[test]
    fn a_place_has_a_name_of_its_own_that_does_not_tell_the_way_to_it() {
        let name = place_name(b"/home/ada/secret plans/manuals");
        let (shown, mark) = name.split_once(" #").unwrap();
        assert_eq!((shown, mark.len()), ("manuals", 8));
        assert_eq!(place_name(b"/home/ada/secret plans/manuals"), name, "each time the same");
        assert_ne!(place_name(b"/home/ben/manuals"), name);
        // Names that are no text look alike and are not.
        assert_ne!(place_name(b"/srv/caf\xe9"), place_name(b"/srv/caf\xe8"));
        assert!(place_name(b"/").starts_with('#'));
        assert!(Origin::read(Some(place_name(b"/a\nb")), Replaces::Own).is_ok());
    }

    #[test]
    fn what_was_kept_with_its_whole_path_is_of_the_same_place() {
        let comes = of(&place_name(b"/srv/manuals"), Replaces::Own);
        assert_eq!(comes.clash(Some("/srv/manuals")), None);
        assert_eq!(comes.instead_of(Some("/srv/manuals")), comes.name(), "the path is not kept");
        assert!(comes.clash(Some("/mnt/manuals")).is_some());
    }
}

//! A caller's own key for a model's provider, as it came in a body or a head.
//!
//! Border: what can be a key at all. Whether a provider takes it, the provider says.

use crate::Refusal;

/// What is wrong with what is no key: it is never shown.
const WANTS: &str =
    "has a control character inside; send the key in one line, as its provider wrote it";

/// The same for the document.
#[cfg(feature = "schema")]
pub(crate) const PATTERN: &str = r"^\s*[^\x00-\x1F\x7F]*\s*$";

/// A key without the blanks around it, which whoever copies one takes along; none where nothing else is there. It goes
/// into headers, to its provider and from driver to driver of a run.
///
/// # Errors
/// [`Refusal::InvalidField`] with this name where no header could hold it.
pub(crate) fn own_key(text: Option<String>, name: &str) -> Result<Option<String>, Refusal> {
    let key = text.map(|text| text.trim().to_owned()).filter(|key| !key.is_empty());
    match key {
        Some(key) if !is_one_line(&key) => Err(Refusal::field(name, WANTS)),
        key => Ok(key),
    }
}

/// Whether a header can hold it.
pub(crate) fn is_one_line(key: &str) -> bool {
    !key.contains(|letter: char| letter.is_ascii_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<String>, Refusal> {
        own_key(Some(text.to_owned()), "apiKey")
    }

    #[test]
    fn what_stands_around_a_key_is_none_of_it_and_a_blank_one_is_none() {
        for text in ["sk-1", "sk-1\n", "\r\n sk-1\t", "\u{a0}sk-1\u{2003}"] {
            assert_eq!(read(text), Ok(Some("sk-1".to_owned())), "{text:?}");
        }
        for text in ["", " ", "\n\t", "\u{a0}"] {
            assert_eq!(read(text), Ok(None), "{text:?}");
        }
        assert_eq!(own_key(None, "apiKey"), Ok(None));
    }

    #[test]
    fn what_no_header_holds_is_refused_by_its_field_and_not_shown() {
        for text in ["sk-1\nsk-2", "\u{1}sk", "sk\0", "sk-\u{7f}", "sk\t1", "s\r\nk"] {
            match read(text) {
                Err(Refusal::InvalidField { field, message }) => {
                    assert_eq!(field, "apiKey");
                    assert!(
                        message.contains("in one line") && !message.contains("sk"),
                        "{message}"
                    );
                }
                other => panic!("{text:?} gave {other:?}"),
            }
        }
    }
}

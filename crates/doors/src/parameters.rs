//! The parameters of an address that knows all of its own: one that it does not know would narrow nothing, and of two with
//! one name the last would count, and nobody would be told.
//!
//! Border: names, and how a text is written in an address; what a value means is for whoever reads it.

use std::collections::HashSet;

use crate::nearest::shown;
use crate::once::TWICE;
use crate::{Head, Refusal};

/// Whether an address has these parameters alone, each at most once.
///
/// # Errors
/// [`Refusal::InvalidField`] with the first that it may not have, and those that there are, or with the first that stands
/// there twice.
pub(crate) fn check(head: &Head, known: &[&str]) -> Result<(), Refusal> {
    let mut given = HashSet::new();
    let pairs = head.query.as_deref().unwrap_or_default().split('&');
    for pair in pairs.filter(|pair| !pair.is_empty()) {
        let (name, _) = pair.split_once('=').unwrap_or((pair, ""));
        if !known.contains(&name) {
            return Err(Refusal::field(shown(name), &none_of(known)));
        }
        if !given.insert(name) {
            return Err(Refusal::field(name, TWICE));
        }
    }
    Ok(())
}

fn none_of(known: &[&str]) -> String {
    match known {
        [] => "is no parameter here; this address takes none".to_owned(),
        [only] => format!("is no parameter here; there is `{only}` alone"),
        all => format!("is no parameter here; there are `{}`", all.join("`, `")),
    }
}

/// A text as it was before it was written behind the `?` of an address; none: it is not written so.
pub(crate) fn decoded(written: &str) -> Option<String> {
    unescaped(&written.replace('+', " "))
}

/// A text as it was before it was written into a path, where a `+` is one; none: it is not written so.
pub(crate) fn unescaped(written: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(written.len());
    let mut rest = written.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => 16 * digit(rest.next()?)? + digit(rest.next()?)?,
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

fn digit(letter: u8) -> Option<u8> {
    char::from(letter).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(query: &str, known: &[&str]) -> Option<String> {
        let head = Head { query: Some(query.to_owned()), ..Head::default() };
        check(&head, known).err().map(|refusal| refusal.to_string())
    }

    #[test]
    fn an_unknown_parameter_is_named_with_those_that_there_are() {
        let known = ["limit", "cursor"];
        for good in ["", "limit=1", "&limit=1&", "limit=&cursor", "cursor=a=b"] {
            assert_eq!(refused(good, &known), None, "{good}");
        }
        assert_eq!(check(&Head::default(), &[]), Ok(()));
        for (query, known, says) in [
            ("limits=1", &known[..], "`limits` is no parameter here; there are `limit`, `cursor`"),
            ("limit=1&x", &known[..], "`x` is no parameter here; there are `limit`, `cursor`"),
            ("=1", &known[..], "`` is no parameter here; there are `limit`, `cursor`"),
            ("Limit=1", &known[..1], "`Limit` is no parameter here; there is `limit` alone"),
            ("limit=1", &[], "`limit` is no parameter here; this address takes none"),
        ] {
            assert_eq!(refused(query, known).as_deref(), Some(says), "{query}");
        }
        let long = refused(&"x".repeat(100_000), &known).unwrap();
        assert!(long.len() < 200, "{long}");
    }

    #[test]
    fn a_parameter_that_stands_there_twice_is_named() {
        for query in ["limit=1&limit=2", "limit=1&limit=1", "limit&cursor=a&limit=1"] {
            let says = "`limit` stands there twice; send it once";
            assert_eq!(refused(query, &["limit", "cursor"]).as_deref(), Some(says), "{query}");
        }
    }

    #[test]
    fn a_text_is_read_as_addresses_write_it() {
        for (written, text) in [
            ("fees", Some("fees")),
            ("late+fees", Some("late fees")),
            ("Geb%C3%BChren%20%2B%26", Some("Gebühren +&")),
            ("ü", Some("ü")),
            ("", Some("")),
            ("100%", None),
            ("%4", None),
            ("%zz", None),
            ("%ff", None),
        ] {
            assert_eq!(decoded(written).as_deref(), text, "{written}");
        }
        assert_eq!(unescaped("a+b%2B").as_deref(), Some("a+b+"), "a path has no other spaces");
    }

    proptest! {
        #[test]
        fn every_text_comes_back(text in ".{0,20}") {
            let written: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
            prop_assert_eq!(decoded(&written), Some(text.clone()));
            prop_assert_eq!(unescaped(&written), Some(text));
        }
    }
}

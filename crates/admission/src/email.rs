//! E-mail addresses: what is one, and when two are the same.
//!
//! Border: the form alone. Whether anybody reads it is for whoever verified it.

use std::fmt;

/// What mail servers take (RFC 5321, section 4.5.3.1.3, without its brackets).
const MAX_BYTES: usize = 254;

/// An address: one `@` with something before and after it; no blanks, commas or control characters.
#[derive(Debug, Clone)]
pub struct EmailAddress {
    text: String,
    /// Where the domain begins.
    domain_at: usize,
}

/// An address as the operator lists it: one, or `*@` and a domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailPattern {
    /// None: everybody's.
    local: Option<String>,
    domain: String,
}

impl EmailAddress {
    /// Reads an address; none for what is not exactly one.
    #[must_use]
    pub fn parse(text: &str) -> Option<EmailAddress> {
        let (local, domain) = text.split_once('@')?;
        let is_part = |part: &str| {
            let is_bad = |letter: char| {
                letter.is_whitespace() || letter.is_control() || letter == '@' || letter == ','
            };
            !part.is_empty() && !part.contains(is_bad)
        };
        let fits = text.len() <= MAX_BYTES && is_part(local) && is_part(domain);
        fits.then(|| EmailAddress { text: text.to_owned(), domain_at: local.len() + 1 })
    }

    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn parts(&self) -> (&str, &str) {
        let (local, domain) = self.text.split_at_checked(self.domain_at).unwrap_or_default();
        (local.strip_suffix('@').unwrap_or(local), domain)
    }
}

impl PartialEq for EmailAddress {
    /// Whatever the case of ASCII letters. Other letters count as they are: what looks alike in
    /// Unicode, or has the same small letter, may belong to somebody else.
    fn eq(&self, other: &Self) -> bool {
        self.text.eq_ignore_ascii_case(&other.text)
    }
}

impl Eq for EmailAddress {}

impl fmt::Display for EmailAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl EmailPattern {
    /// Reads a pattern; none for what can match nothing.
    #[must_use]
    pub fn parse(text: &str) -> Option<EmailPattern> {
        let address = EmailAddress::parse(text)?;
        let (local, domain) = address.parts();
        // A star elsewhere would be taken by its letter and surprise whoever wrote it.
        if domain.contains('*') || (local != "*" && local.contains('*')) {
            return None;
        }
        let local = (local != "*").then(|| local.to_owned());
        Some(EmailPattern { local, domain: domain.to_owned() })
    }

    /// Whether it is about this address. A domain is about itself and not about those below it.
    #[must_use]
    pub fn matches(&self, address: &EmailAddress) -> bool {
        let (local, domain) = address.parts();
        let same_local =
            self.local.as_ref().is_none_or(|listed| listed.eq_ignore_ascii_case(local));
        same_local && self.domain.eq_ignore_ascii_case(domain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matches(pattern: &str, address: &str) -> bool {
        let pattern = EmailPattern::parse(pattern).unwrap();
        EmailAddress::parse(address).is_some_and(|address| pattern.matches(&address))
    }

    #[test]
    fn a_second_at_sign_is_no_way_into_a_domain() {
        for address in [
            "a@evil.com@corp.test",
            "a@corp.test@evil.com",
            "@corp.test",
            "a@@corp.test",
            "a b@corp.test",
            "a@corp.test ",
            "a@corp.test\n",
            "a\0@corp.test",
            "a@evil.com,b@corp.test",
            "a@sub.corp.test",
            "a@corp.test.evil.com",
            "a@notcorp.test",
            "a@",
            "corp.test",
            // Its small letter is a plain k.
            "a@\u{212a}orp.test",
        ] {
            assert!(!matches("*@corp.test", address), "{address:?}");
        }
        for address in ["a@corp.test", "A.B+c@CORP.Test", "ü@corp.test"] {
            assert!(matches("*@corp.test", address), "{address:?}");
        }
        assert!(!matches("*@korp.test", "a@\u{212a}orp.test"));
        let address = |text| EmailAddress::parse(text).unwrap();
        assert_ne!(address("a@\u{212a}orp.test"), address("a@korp.test"));
    }

    #[test]
    fn patterns_that_match_nothing_are_noticed() {
        for text in ["corp.test", "*", "@corp.test", "*@", "*@*.corp.test", "a*@corp.test", "a b@c"]
        {
            assert_eq!(EmailPattern::parse(text), None, "{text:?}");
        }
    }

    /// Texts that are nearly addresses of the domain.
    fn nearly() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("@".to_owned()),
            Just("corp.test".to_owned()),
            Just("CORP.TEST".to_owned()),
            Just("evil.com".to_owned()),
            Just(".".to_owned()),
            "[ a-z\\t\\n\\r,<>\"\\u{0}\\u{7f}\\u{a0}\\u{2003}\\u{212a}]{0,3}",
        ];
        prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn a_domain_lets_in_its_own_addresses_and_no_others(text in nearly()) {
            // Written without the parser: the end is the domain, and what is before is one name.
            let ending = "@corp.test";
            let expected = text.is_char_boundary(text.len().saturating_sub(ending.len()))
                && text.len() > ending.len()
                && text[text.len() - ending.len()..].eq_ignore_ascii_case(ending)
                && text[..text.len() - ending.len()]
                    .chars()
                    .all(|c| !c.is_whitespace() && !c.is_control() && c != '@' && c != ',');
            prop_assert_eq!(matches("*@corp.test", &text), expected);
        }

        #[test]
        fn an_address_is_itself_in_any_case(text in "[a-zA-Z0-9.+-]{1,20}@[a-z0-9.-]{1,20}") {
            let address = EmailAddress::parse(&text).unwrap();
            prop_assert_eq!(&address, &EmailAddress::parse(&text.to_uppercase()).unwrap());
            prop_assert!(EmailPattern::parse(&text).unwrap().matches(&address));
            let other = EmailAddress::parse(&format!("x{text}")).unwrap();
            prop_assert!(!EmailPattern::parse(&text).unwrap().matches(&other));
        }

        #[test]
        fn whatever_parses_has_two_parts(text in any::<String>()) {
            if let Some(address) = EmailAddress::parse(&text) {
                let (local, domain) = address.parts();
                prop_assert_eq!(format!("{local}@{domain}"), text);
            }
        }
    }
}

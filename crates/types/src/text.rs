//! Cutting text for people and for prompts.

/// The first `limit` characters; where something is cut off, the last of them is an ellipsis, which stands
/// even where there is no room at all.
#[must_use]
pub fn cut(text: &str, limit: usize) -> String {
    // No text has more characters than bytes.
    if text.len() <= limit {
        return text.to_owned();
    }
    let mut ends = text.char_indices().map(|(at, _)| at);
    let last = limit.checked_sub(1).and_then(|before| ends.nth(before));
    match (last, ends.next()) {
        (Some(last), Some(_)) => format!("{}…", text.get(..last).unwrap_or_default()),
        (None, Some(_)) => "…".to_owned(),
        (_, None) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::cut;
    use proptest::prelude::*;

    #[test]
    fn cutting_keeps_to_characters() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("ééééé", 3), "éé…");
        assert_eq!((cut("abc", 1).as_str(), cut("abc", 0).as_str()), ("…", "…"));
    }

    proptest! {
        #[test]
        fn never_longer_than_asked(text in ".{0,50}", limit in 1usize..40) {
            prop_assert!(cut(&text, limit).chars().count() <= limit);
        }
    }
}

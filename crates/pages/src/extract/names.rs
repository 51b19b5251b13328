//! The names that a page gives its elements: class names and ids, and the words they are made of.

use crate::html::{Attr, Tree};

/// Names of one element that are looked at.
const MAX_NAMES: usize = 20;

/// Bytes of a name; a longer one names nothing that anybody meant to be read.
const MAX_NAME: usize = 200;

/// What names begin with that speak of another element: `has-sidebar`, `no-footer`.
pub const OF_ANOTHER: &[&str] = &["has", "no", "with", "is", "hide", "show", "without"];

/// The class names and the id of an element, as written.
pub fn written(tree: &Tree, at: u32) -> impl Iterator<Item = &str> {
    let values = [Attr::Class, Attr::Id].into_iter().filter_map(move |attr| tree.attr(at, attr));
    // `hover:[text-decoration-skip:none]` is a style written as a name; it names nothing.
    let plain = |name: &&str| name.len() <= MAX_NAME && !name.contains([':', '[', '/']);
    values.flat_map(str::split_ascii_whitespace).filter(plain).take(MAX_NAMES)
}

/// The class names and the id of an element, lower case.
pub fn lower(tree: &Tree, at: u32) -> impl Iterator<Item = String> {
    written(tree, at).map(str::to_ascii_lowercase)
}

/// The words of a name, lower case: `post-Body_text` has three, and so has `postBodyText`.
pub fn words(name: &str) -> Vec<String> {
    #[cfg(test)]
    crate::work::add(name.len());
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    let mut lower_before = false;
    for char in name.chars() {
        if !char.is_ascii_alphanumeric() {
            open = false;
            continue;
        }
        if !open || (char.is_ascii_uppercase() && lower_before) {
            words.push(String::new());
            open = true;
        }
        lower_before = char.is_ascii_lowercase() || char.is_ascii_digit();
        if let Some(word) = words.last_mut() {
            word.push(char.to_ascii_lowercase());
        }
    }
    words
}

/// The words of all names of an element.
pub fn all_words(tree: &Tree, at: u32) -> impl Iterator<Item = String> {
    written(tree, at).flat_map(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_name() {
        assert_eq!(words("post-Body_text"), ["post", "body", "text"]);
        assert_eq!(words("cAuthorPane"), ["c", "author", "pane"]);
        assert_eq!(words("message--cell42"), ["message", "cell42"]);
        assert_eq!(words("NAV"), ["nav"]);
        assert!(words("--").is_empty());
    }
}

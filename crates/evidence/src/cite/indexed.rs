//! Numbers in brackets that belong to what stands before them: `values[2]`, `item [12]`, `the interval [1, 2]`.
//!
//! Border: the text before a bracket in, yes or no out. Behind a word a number is a marker as often as an index, and then
//! it is none that a reader may take for a citation; so it is an index only where little else can be meant.

/// Names that programs have, and no text.
const NAMES: &[&str] = &[
    "arg", "args", "argv", "arr", "buf", "cfg", "cols", "ctx", "df", "dict", "elem", "elems",
    "env", "idx", "kwargs", "len", "lst", "mat", "mtx", "nums", "obj", "params", "ptr", "req",
    "res", "str", "tmp", "tup", "vals", "vec",
];

/// Words that programs have for what has elements.
const WORDS: &[&str] = &[
    "array", "arrays", "cells", "columns", "data", "elements", "entries", "fields", "groups",
    "indices", "items", "keys", "lines", "list", "lists", "map", "matches", "matrix", "names",
    "numbers", "objects", "parts", "points", "results", "rows", "scores", "stack", "string",
    "strings", "table", "tensor", "tokens", "tuple", "values", "vector", "vectors", "weights",
    "words",
];

/// What stands before such a word without making it one of a text, as "the" or "official" would.
const BEFORE: &[&str] = &[
    "access", "also", "and", "are", "array", "call", "from", "get", "gets", "if", "in", "into",
    "is", "list", "matrix", "of", "or", "print", "prints", "read", "reads", "return", "returns",
    "see", "set", "sets", "take", "takes", "than", "that", "then", "to", "use", "uses", "using",
    "vector", "when", "where", "while", "with", "write", "writes",
];

/// What behind such a word means a program, though the clause ends with it.
const ACCESSING: &[&str] = &[
    "access", "call", "get", "print", "prints", "read", "reads", "return", "returns", "set",
    "sets", "use", "using",
];

/// What is numbered.
const NUMBERED: &[&str] = &[
    "appendix", "axiom", "box", "button", "case", "chapter", "clause", "column", "equation",
    "example", "exercise", "exhibit", "fig", "figure", "index", "item", "key", "lemma", "level",
    "line", "note", "option", "page", "phase", "position", "question", "register", "rfc", "row",
    "rule", "section", "slot", "step", "table", "theorem", "type", "version",
];

/// What has numbers in brackets, or stands before them.
const LISTING: &[&str] = &[
    "a",
    "and",
    "are",
    "array",
    "arrays",
    "as",
    "at",
    "axis",
    "be",
    "becomes",
    "between",
    "bounds",
    "by",
    "closed",
    "contains",
    "coordinates",
    "domain",
    "equals",
    "for",
    "from",
    "gives",
    "in",
    "indices",
    "input",
    "integers",
    "interval",
    "intervals",
    "is",
    "list",
    "lists",
    "matrix",
    "numbers",
    "of",
    "on",
    "open",
    "or",
    "output",
    "pair",
    "pairs",
    "point",
    "points",
    "prints",
    "range",
    "ranges",
    "returns",
    "row",
    "rows",
    "sequence",
    "series",
    "set",
    "sets",
    "shape",
    "size",
    "tensor",
    "the",
    "to",
    "tuple",
    "tuples",
    "values",
    "vector",
    "vectors",
    "was",
    "were",
    "with",
    "yields",
];

/// Whether a text ends with something that has parts, as `a[0]`, `x_1[2]`, `m[1][2]`, `values[2]` and `\\sqrt[3]`; this is
/// the character behind the bracket.
pub fn has_parts(text: &str, next: Option<char>) -> bool {
    let (before, name) = last_word(text);
    if name.is_empty() {
        return text.ends_with([']', '}']);
    }
    if name.contains('_') || name.chars().nth(1).is_none() || before.ends_with('\\') {
        return true;
    }
    let name = name.to_lowercase();
    if is_in(NAMES, &name) {
        return true;
    }
    let (_, before) = last_word(before.trim_end());
    let before = before.to_lowercase();
    let ends = next.is_none_or(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '\n' | '['));
    let is_read =
        is_in(ACCESSING, &before) || (!ends && (before.is_empty() || is_in(BEFORE, &before)));
    is_in(WORDS, &name) && is_read
}

/// Whether a text ends with a word for what is numbered, with nothing before it that makes it a thing.
pub fn is_numbered(text: &str) -> bool {
    let (before, name) = last_word(text.trim_end());
    let (_, word) = last_word(before.trim_end());
    let is_free = word.is_empty()
        || matches!(
            word,
            "and"
                | "or"
                | "see"
                | "See"
                | "in"
                | "In"
                | "to"
                | "from"
                | "of"
                | "under"
                | "with"
                | "by"
                | "at"
                | "and/or"
        );
    let name = name.to_lowercase();
    let one = name.strip_suffix('s').unwrap_or(&name);
    (is_in(NUMBERED, &name) || is_in(NUMBERED, one)) && is_free
}

/// Whether a text ends with what has numbers, or is followed by them.
pub fn has_list(text: &str) -> bool {
    let text = text.trim_end();
    let (before, name) = last_word(text);
    let is_name = name.chars().nth(1).is_none() && name.chars().all(char::is_alphabetic);
    let is_said = is_in(LISTING, &name.to_lowercase()) || is_in(NAMES, &name.to_lowercase());
    let is_within = text.matches('[').count() > text.matches(']').count();
    if name.is_empty() {
        return is_within || text.ends_with(['=', '(', '∈', ':', '<', '>', '[', ']', '}']);
    }
    is_said || is_within || is_name || name.contains('_') || before.ends_with('\\')
}

/// The last word of a text, and what stands before it.
fn last_word(text: &str) -> (&str, &str) {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    text.split_at(text.trim_end_matches(is_name).len())
}

fn is_in(words: &[&str], word: &str) -> bool {
    words.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_for_the_search() {
        for words in [NAMES, WORDS, BEFORE, ACCESSING, NUMBERED, LISTING] {
            assert!(words.is_sorted(), "{words:?}");
        }
    }

    #[test]
    fn an_index_is_told_from_a_footnote() {
        for text in [
            "Use arr",
            "In Python, data",
            "and values",
            "read. items",
            "Use data",
            "a",
            "x_1",
            "m[1]",
        ] {
            assert!(has_parts(text, Some(' ')), "{text}");
        }
        assert!(has_parts("Use data", Some('.')) && !has_parts("according to data", Some('.')));
        for text in
            ["Bread", "OpenAI", "300 metres long", "the official data", "The values", "long."]
        {
            assert!(!has_parts(text, Some(' ')), "{text}");
        }
        assert!(
            is_numbered("See item ")
                && is_numbered("RFC 7 and item ")
                && !is_numbered("as shown in the table ")
        );
        assert!(has_list("The interval ") && has_list("the root lies in ") && has_list("take x "));
        assert!(!has_list("is 500 metres long "));
    }
}

//! Which sources an answer cites, and where.
//!
//! Source: the doors' list of what events lack (E5). Positions are code points, half-open, and
//! cover the whole link, as the OpenAI API counts them.

use crate::Source;

/// The longest link text that is looked through, in bytes: the scan stays linear on any text.
const MOST_LABEL: usize = 500;

/// A place in an answer that names a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The source's number.
    pub n: usize,
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Where the link begins, in code points.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// The citations of a Markdown answer, in order: links to known addresses and bare numbers in
/// brackets. Links to anything else are no citations.
#[must_use]
pub fn citations(answer: &str, sources: &[Source]) -> Vec<Citation> {
    let mut found = Vec::new();
    let mut rest = answer;
    let mut passed = 0;
    while let Some(open) = rest.find('[') {
        let (before, link) = rest.split_at(open);
        passed += before.chars().count();
        let Some((length, source)) = cited(link, sources) else {
            rest = link.get(1..).unwrap_or_default();
            passed += 1;
            continue;
        };
        let (whole, after) = link.split_at(length);
        let end = passed + whole.chars().count();
        found.push(Citation {
            n: source.n,
            url: source.url.clone(),
            title: source.title.clone(),
            start: passed,
            end,
        });
        (rest, passed) = (after, end);
    }
    found
}

/// The length in bytes of the link that the text begins with, and the source that it names.
fn cited<'s>(text: &str, sources: &'s [Source]) -> Option<(usize, &'s Source)> {
    let near = floor(text, MOST_LABEL);
    let close = near.find(']')?;
    let label = near.get(1..close)?;
    if label.contains('[') {
        return None;
    }
    let after = text.get(close + 1..)?;
    match after.strip_prefix('(') {
        Some(target) => {
            let target = floor(target, 8_192);
            let end = closing(target)?;
            let address = target.get(..end)?.split_whitespace().next().unwrap_or_default();
            let address = address.trim_start_matches('<').trim_end_matches('>');
            let source = sources.iter().find(|source| is_same(&source.url, address))?;
            Some((close + 2 + end + 1, source))
        }
        None => {
            let n: usize = label.parse().ok()?;
            let source = sources.iter().find(|source| source.n == n)?;
            Some((close + 1, source))
        }
    }
}

/// Where a link's target ends: addresses may hold brackets of their own, in pairs.
fn closing(target: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, character) in target.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Whether two addresses name one page; where on it does not matter.
fn is_same(known: &str, cited: &str) -> bool {
    known == cited || {
        let page = |address: &str| {
            let mut url = url::Url::parse(address).ok()?;
            url.set_fragment(None);
            Some(url)
        };
        page(known).is_some_and(|known| page(cited) == Some(known))
    }
}

/// At most so many bytes of a text, cut at a character's border.
fn floor(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sources() -> Vec<Source> {
        ["https://a.example/x", "https://b.example/wiki/Sker_(island)"]
            .into_iter()
            .enumerate()
            .map(|(at, url)| Source {
                n: at + 1,
                url: url.to_owned(),
                title: format!("T{}", at + 1),
                ..Source::default()
            })
            .collect()
    }

    fn shown(answer: &str) -> Vec<(usize, String)> {
        let characters: Vec<char> = answer.chars().collect();
        citations(answer, &sources())
            .into_iter()
            .map(|found| (found.n, characters[found.start..found.end].iter().collect()))
            .collect()
    }

    #[test]
    fn links_and_bare_numbers_are_found_where_they_stand() {
        let answer = "Ünlit [1](https://a.example/x#lamp), see [2] and \
                      [Sker](https://b.example/wiki/Sker_(island)) but not [3] or \
                      [x](https://c.example/).";
        let expected = [
            (1, "[1](https://a.example/x#lamp)"),
            (2, "[2]"),
            (2, "[Sker](https://b.example/wiki/Sker_(island))"),
        ];
        let expected: Vec<_> = expected.map(|(n, text)| (n, text.to_owned())).into();
        assert_eq!(shown(answer), expected);
    }

    #[test]
    fn what_only_looks_like_a_link_is_none() {
        for answer in ["[", "[1", "[1](", "[1](https://a.example/x", "[](x)", "[1](x\n)"] {
            assert_eq!(shown(answer), [], "{answer}");
        }
        assert_eq!(shown("[[1]"), [(1, "[1]".to_owned())]);
    }

    proptest! {
        #[test]
        fn any_text_gives_citations_in_order_and_within_it(
            parts in prop::collection::vec(
                prop_oneof![
                    Just("[1]".to_owned()), Just("[2](https://a.example/x)".to_owned()),
                    Just("[".to_owned()), Just("](".to_owned()), Just("é".to_owned()), ".{0,5}",
                ],
                0..30,
            )
        ) {
            let answer = parts.concat();
            let length = answer.chars().count();
            let mut last = 0;
            for found in citations(&answer, &sources()) {
                prop_assert!(last <= found.start && found.start < found.end && found.end <= length);
                last = found.end;
            }
        }
    }
}
